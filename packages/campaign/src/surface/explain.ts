/**
 * What a schema found, in words for the person who wrote the YAML, at the place where it is written.
 * A union is explained by the form that was meant: the one whose kind of node fits.
 */
import type { z } from 'zod'
import type { Faults } from '../diagnostic.ts'
import { unknownName } from '../did-you-mean.ts'
import { follow, type LocatedNode, type NodePath } from '../source/located-node.ts'

type Issue = z.core.$ZodIssue

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a map',
  record: 'a map',
}
const nodeKinds = { text: 'a text', list: 'a list', map: 'a map', hole: 'nothing' } as const

/** `benchmarks[0].with.patch`. */
export const pathText = (path: NodePath): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')

/** What a whole node should have been, where an issue is about its kind; null otherwise. */
const wantedKind = (issue: Issue, node: LocatedNode): string | null => {
  if (issue.path.length > 0) return null
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? issue.expected
  return issue.code === 'invalid_value' && node.kind !== 'text' ? 'a text' : null
}

interface Context {
  readonly root: LocatedNode
  readonly faults: Faults
}

const explainUnion = (
  issue: Issue & { readonly code: 'invalid_union' },
  path: NodePath,
  context: Context,
): void => {
  const { node, keyOffset } = follow(context.root, path)
  const options: readonly (readonly Issue[])[] = issue.errors
  const wanted = options.map(
    (issues) =>
      issues.map((inner) => wantedKind(inner, node)).find((kind) => kind !== null) ?? null,
  )
  const meant = wanted.indexOf(null)
  if (meant !== -1) {
    for (const inner of options[meant] ?? []) explainIssue(inner, path, context)
    return
  }
  const forms = [...new Set(wanted)].join(' or ')
  const message = `${pathText(path)} wants ${forms}, not ${nodeKinds[node.kind]}`
  context.faults.add(node.kind === 'hole' ? keyOffset : node.offset, 'wrong-type', message)
}

/** The name of a discriminated map is missing or unknown. */
const explainDiscriminator = (path: NodePath, context: Context, known: readonly string[]): void => {
  const { node, whole } = follow(context.root, path)
  if (!whole) {
    const name = String(path.at(-1))
    const message = `${pathText(path.slice(0, -1))} has no "${name}"; add it`
    context.faults.add(node.offset, 'missing-key', message)
  } else if (node.kind === 'text') {
    context.faults.add(node.offset, 'unknown-name', unknownName('benchmark', node.text, known))
  } else {
    const message = `${pathText(path)} wants a text, not ${nodeKinds[node.kind]}`
    context.faults.add(node.offset, 'wrong-type', message)
  }
}

const explainKeys = (
  issue: Issue & { readonly code: 'unrecognized_keys' },
  path: NodePath,
  { root, faults }: Context,
): void => {
  const known = issue.message.split('\n')
  for (const key of issue.keys) {
    const { keyOffset } = follow(root, [...path, key])
    const where = path.length === 0 ? 'key' : `key of ${pathText(path)}`
    faults.add(keyOffset, 'unknown-key', unknownName(where, key, known))
  }
}

const explainType = (
  issue: Issue & { readonly code: 'invalid_type' },
  path: NodePath,
  { root, faults }: Context,
): void => {
  const { node, whole } = follow(root, path)
  const wanted = kinds[issue.expected] ?? issue.expected
  if (whole) {
    const message = `${pathText(path)} wants ${wanted}, not ${nodeKinds[node.kind]}`
    faults.add(node.offset, 'wrong-type', message)
  } else {
    const parent = pathText(path.slice(0, -1))
    const message = `${parent} has no "${String(path.at(-1))}"; add it: ${wanted}`
    faults.add(node.offset, 'missing-key', message)
  }
}

/** Stable codes for the schema library's. */
const codes: Readonly<Record<string, string>> = {
  invalid_format: 'malformed',
  invalid_value: 'unknown-name',
  custom: 'malformed',
  too_small: 'empty',
  too_big: 'too-long',
}

const explainValue = (issue: Issue, path: NodePath, { root, faults }: Context): void => {
  const { node, whole } = follow(root, path)
  const code = codes[issue.code] ?? 'malformed'
  if (issue.code === 'too_small') {
    faults.add(node.offset, code, `${pathText(path)} is empty; write at least one entry`)
  } else if (issue.code === 'too_big') {
    const message = `${pathText(path)} is too long; at most ${issue.maximum} are taken`
    faults.add(node.offset, code, message)
  } else if (whole && issue.code === 'invalid_value' && node.kind !== 'text') {
    const message = `${pathText(path)} wants a text, not ${nodeKinds[node.kind]}`
    faults.add(node.offset, 'wrong-type', message)
  } else if (!whole) {
    const message = `${pathText(path.slice(0, -1))} has no "${String(path.at(-1))}"; add it`
    faults.add(node.offset, 'missing-key', message)
  } else {
    faults.add(node.offset, code, issue.message)
  }
}

/** Whether something on the way was refused and reported already. */
const isSilenced = (path: NodePath, root: LocatedNode): boolean =>
  follow(root, path).node.kind === 'hole'

/** Reports one issue; `base` leads to the value that the issue's path starts from. */
export const explainIssue = (issue: Issue, base: NodePath, context: Context): void => {
  const path = [...base, ...issue.path]
  if (isSilenced(path, context.root)) return
  if (issue.code === 'invalid_union') {
    if (issue.discriminator === undefined) explainUnion(issue, path, context)
    else explainDiscriminator(path, context, issue.message.split('\n'))
  } else if (issue.code === 'unrecognized_keys') {
    explainKeys(issue, path, context)
  } else if (issue.code === 'invalid_type') {
    explainType(issue, path, context)
  } else if (issue.code === 'invalid_key') {
    const message = issue.issues[0]?.message ?? issue.message
    context.faults.add(follow(context.root, path).keyOffset, 'malformed', message)
  } else {
    explainValue(issue, path, context)
  }
}
