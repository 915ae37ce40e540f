/**
 * `revlog debugbundle`: what is in a bundle, in the form of hg's command of that name.
 */
import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Bundle, BundlePart } from '../../bundle/bundle.ts'
import { readPhaseHeads } from '../../bundle/extra-parts.ts'
import { openBundle } from '../../bundle/open-bundle.ts'
import { type ByteInput, descriptorInput } from '../../bytes/byte-input.ts'
import type { ChangegroupReader, DeltaChunk } from '../../changegroup/delta-chunk.ts'
import { readChangegroup } from '../../changegroup/read-changegroup.ts'
import { RevlogError, reasonOf } from '../../errors.ts'
import { hexOf } from '../../format/byte-string.ts'
import { PHASES } from '../../repository/phases.ts'
import type { Command, CommandContext } from '../command.ts'
import type { Output } from '../output.ts'

/** Lists a bundle. */
export const debugbundleCommand: Command = {
  name: 'debugbundle',
  options: { all: { type: 'boolean', short: 'a' } },
  help: `debugbundle FILE           list a bundle: its parts and the nodes of its changesets
  -a --all                 every revision with its parents, link, delta base and length`,
  run(context) {
    const [file, ...more] = context.args.operands
    if (file === undefined || more.length > 0) {
      throw new RevlogError('usage', 'debugbundle: give one file')
    }
    const fd = openFile(resolve(context.io.cwd, file), file)
    try {
      const onWholeStream = (reason: string): void =>
        context.io.writeError(`warning: ${file} is taken into memory whole: ${reason}\n`)
      list(openBundle(descriptorInput(fd, file), { onWholeStream }), context)
    } finally {
      closeSync(fd)
    }
    return undefined
  },
}

function openFile(path: string, name: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new RevlogError('system', `${name}: ${reasonOf(cause)}`, { cause })
  }
}

function list(bundle: Bundle, { output, args, quiet }: CommandContext): void {
  const show = args.flag('all') ? showAll : showNodes
  if (bundle.format === 'HG10') {
    for (const part of bundle.parts()) show(changegroupOf(part), output, '')
    return
  }
  output.write(`Stream params: ${parameterText(bundle.parameters)}\n`)
  for (const part of bundle.parts()) {
    const mandatory = part.mandatory ? 'True' : 'False'
    output.write(`${part.name} -- ${parameterText(part.parameters)} (mandatory: ${mandatory})\n`)
    if (quiet) continue
    if (part.name === 'changegroup') show(changegroupOf(part), output, INDENT)
    if (part.name === 'phase-heads') showPhases(part.payload, output)
  }
}

const INDENT = '    '

function changegroupOf(part: BundlePart): ChangegroupReader {
  const version = part.parameters.get('version') ?? '01'
  if (version !== '01' && version !== '02' && version !== '03') {
    throw new RevlogError('unsupported', `changegroup version ${version} is not supported`)
  }
  return readChangegroup(part.payload, version)
}

function parameterText(parameters: ReadonlyMap<string, string>): string {
  const items = [...parameters].sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${items.map(([key, value]) => `${key}: ${value}`).join(', ')}}`
}

function showNodes(changegroup: ChangegroupReader, output: Output, indent: string): void {
  for (const { node } of changegroup.changelog()) output.write(`${indent}${hexOf(node)}\n`)
}

function showAll(changegroup: ChangegroupReader, output: Output, indent: string): void {
  output.write(`${indent}format: id, p1, p2, cset, delta base, len(delta)\n`)
  const showGroup = (name: string, chunks: Iterable<DeltaChunk>): void => {
    output.write(`\n${indent}${name}\n`)
    for (const { node, p1, p2, linkNode, deltaBase, delta } of chunks) {
      const nodes = [node, p1, p2, linkNode, deltaBase].map(hexOf).join(' ')
      output.write(`${indent}${nodes} ${delta.length}\n`)
    }
  }
  showGroup('changelog', changegroup.changelog())
  showGroup('manifest', changegroup.manifests())
  for (const { path, chunks } of changegroup.files()) showGroup(path, chunks)
}

function showPhases(payload: ByteInput, output: Output): void {
  for (const { phase, node } of readPhaseHeads(payload)) {
    const name = PHASES.find(({ number }) => number === phase)?.name ?? `${phase}`
    output.write(`${INDENT}${hexOf(node)} ${name}\n`)
  }
}
