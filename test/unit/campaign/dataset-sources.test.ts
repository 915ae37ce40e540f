/** Datasets that are not generated, as a campaign names them, and their storage formats as a factor. */
import { expandCampaign, formatDiagnostic, parseCampaign } from '@assay/campaign'
import { namesSources } from '@assay/model'
import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.ts'

const rest = 'compare: { mode: [mmap-populate, no-mmap] }\nbenchmarks: [hg.command.log]\n'
const parse = (datasets: string, others = rest) =>
  parseCampaign(`${others}datasets:\n${datasets}\n`, { file: 'x.yaml', catalogue })

const read = (datasets: string, others = rest) => {
  const parsed = parse(datasets, others)
  if (!parsed.ok) throw new Error(parsed.diagnostics.map(formatDiagnostic).join('\n'))
  return parsed.campaign
}
const faults = (datasets: string, others = rest): readonly string[] => {
  const parsed = parse(datasets, others)
  if (parsed.ok) throw new Error('it was accepted')
  return parsed.diagnostics.map((one) => `${one.line}: ${one.message} [${one.code}]`)
}

describe('a dataset from elsewhere', () => {
  it('comes as it is, unless formats are named', () => {
    const { datasets } = read(
      '  a: { path: ../repository }\n  b: { clone: "ssh://host/x", revisions: [tip, 7.10], format: zlib }',
    )
    expect(datasets).toEqual([
      { name: 'a', source: { kind: 'path', location: '../repository', options: {} }, format: [] },
      {
        name: 'b',
        source: {
          ...{ kind: 'clone', location: 'ssh://host/x' },
          options: { revisions: ['tip', '7.10'] },
        },
        format: ['zlib'],
      },
    ])
  })

  it('is one dataset for each of its formats, named as in change messages', () => {
    const campaign = read(
      '  netbeans-2018-08-01: { tarball: x.tgz, sha256: 0abc, formats: [zstd-sparse-revlog, ds2-pnm] }',
      'compare: { dataset: [netbeans-2018-08-01-zstd-sparse-revlog, netbeans-2018-08-01-ds2-pnm] }\nbenchmarks: [hg.command.log]\n',
    )
    expect(campaign.datasets.map(({ name, format }) => [name, format])).toEqual([
      ['netbeans-2018-08-01-zstd-sparse-revlog', ['zstd', 'sparse-revlog']],
      [
        'netbeans-2018-08-01-ds2-pnm',
        ['zstd', 'sparse-revlog', 'dirstate-v2', 'persistent-nodemap'],
      ],
    ])
    const plan = expandCampaign(campaign, { seed: '1', campaignDigest: '', catalogue })
    expect(plan.blocks).toHaveLength(1)
    expect(plan.blocks[0]?.cells.map(({ label, unsupported }) => [label, unsupported])).toEqual([
      ['netbeans-2018-08-01-zstd-sparse-revlog', null],
      ['netbeans-2018-08-01-ds2-pnm', null],
    ])
  })

  it('is told from one that a server may make for anybody', () => {
    expect(namesSources(read('  a: { path: x }'))).toBe(true)
    expect(namesSources(read('  a: { generate: mercurial-like }'))).toBe(false)
  })

  it.each([
    ['{}', 'datasets.a does not say what it is; add one of generate, path, tarball, clone'],
    ['{ path: x, clone: y }', 'datasets.a is both path and clone; keep one'],
    ['{ path: x, generate: mercurial-like }', 'datasets.a is both generate and path; keep one'],
    ['{ path: -x }', '"-x": write ./ in front'],
    ['{ path: x, scale: 1 }', 'path takes no scale; remove it'],
    ['{ path: x, revisions: tip }', 'path takes no revisions; remove it'],
    ['{ tarball: x }', 'datasets.a has no "sha256"; add it: four digits'],
    ['{ tarball: x, sha256: ABC }', 'sha256 wants four digits, not "ABC"'],
    ['{ clone: x, revisions: [--config=x] }', 'revisions wants an id, not "--config=x"'],
    ['{ path: x, format: zlib, formats: zstd }', 'write format or formats, not both'],
    [
      '{ path: x, formats: [zlib-zstd] }',
      'zstd does not go together with another of zlib, zstd, none',
    ],
    ['{ path: x, formats: [lz4] }', '"lz4" names no storage formats; '],
    ['{ path: x, formats: [zlib, zlib] }', 'two datasets are called a-zlib; rename one'],
    ['{ path: x, digest: 12 }', 'write the 64 digits that `assay dataset show` prints'],
    ['{ generate: mercurial-like, digest: 12 }', 'write the 64 digits'],
  ])('%s is refused: %s', (text, message) => {
    expect(faults(`  a: ${text}`).join('\n')).toContain(message)
  })
})
