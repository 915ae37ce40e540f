/** A catalogue of the tests' own, so that parsing and planning are tested apart from what can be run. */
import type { Catalogue, ParameterDeclaration } from '@assay/model'

const choice = (
  name: string,
  levels: readonly string[],
  fallback: string | null = null,
): ParameterDeclaration => ({ name, summary: `the ${name}`, levels, pattern: null, fallback })

const revs = choice('revs', ['any-1-extra-rev', 'any-100-extra-rev'])
const issue6528 = choice('issue6528', ['disabled', 'default'])

export const catalogue: Catalogue = {
  benchmarks: [
    {
      name: 'hg.command.log',
      version: 1,
      summary: 'display revisions',
      parameters: [
        {
          name: 'limit-rev',
          summary: 'at most that many',
          levels: null,
          pattern: { expression: /^[1-9][0-9]*$/, wanted: 'a whole number from 1' },
          fallback: null,
        },
        choice('patch', ['yes', 'no'], 'no'),
        { name: 'rev', summary: 'which', levels: null, pattern: null, fallback: null },
      ],
      needsDataset: true,
      mutatesRepository: false,
      needsRemote: false,
    },
    {
      name: 'hg.command.unbundle',
      version: 2,
      summary: 'add revisions',
      parameters: [revs, issue6528],
      needsDataset: true,
      mutatesRepository: true,
      needsRemote: false,
    },
    {
      name: 'hg.command.push',
      version: 1,
      summary: 'send revisions',
      parameters: [revs, issue6528, choice('protocol', ['ssh', 'local'])],
      needsDataset: true,
      mutatesRepository: true,
      needsRemote: true,
    },
    {
      name: 'exec',
      version: 1,
      summary: 'any program',
      parameters: [],
      needsDataset: false,
      mutatesRepository: false,
      needsRemote: false,
      takesCommand: true,
    },
  ],
  engines: [
    {
      name: 'revlog',
      summary: 'embedded',
      flavors: ['default'],
      unsupportedReason: ({ benchmark, parameters: { patch } }) =>
        benchmark === 'exec' || patch === 'yes' ? 'revlog cannot do that yet' : null,
    },
    {
      name: 'hg',
      summary: 'Mercurial',
      flavors: ['default', 'rust'],
      takes: 'version',
      unsupportedReason: ({ benchmark }) => (benchmark === 'exec' ? 'hg runs no programs' : null),
    },
    {
      name: 'exec',
      summary: 'any program',
      flavors: ['default'],
      unsupportedReason: ({ benchmark }) => (benchmark === 'exec' ? null : 'runs programs only'),
    },
    {
      name: 'fake',
      summary: 'plays back',
      flavors: ['default'],
      takes: 'script',
      unsupportedReason: () => null,
    },
  ],
  presets: [
    { name: 'mercurial-like', summary: 'a middling project' },
    { name: 'mozilla-try-like', summary: 'a huge one' },
  ],
  sources: [
    {
      name: 'path',
      summary: 'a repository here',
      options: [],
      refusalOf: (location) => (location.startsWith('-') ? 'write ./ in front' : null),
    },
    {
      name: 'tarball',
      summary: 'a packed repository',
      options: [
        {
          name: 'sha256',
          summary: 'of the file',
          required: true,
          many: false,
          pattern: { expression: /^[0-9a-f]{4}$/, wanted: 'four digits' },
        },
      ],
      refusalOf: () => null,
    },
    {
      name: 'clone',
      summary: 'cloned with hg',
      options: [
        {
          name: 'revisions',
          summary: 'which',
          required: false,
          many: true,
          pattern: { expression: /^[a-z0-9.]+$/, wanted: 'an id' },
        },
      ],
      refusalOf: () => null,
    },
  ],
  formats: ['zlib', 'zstd', 'none', 'sparse-revlog', 'generaldelta'],
}
