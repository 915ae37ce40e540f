/** What can go wrong before a cell is measured. */
import { AssayError } from '@assay/model'

/** A benchmark that reads a repository was planned without one: a bug in planning. */
export const datasetMissing = (cellId: string): AssayError =>
  new AssayError({
    code: 'dataset-missing',
    kind: 'internal',
    message: `cell ${cellId} reads a dataset, but none was prepared`,
  })

/** `exec` without a command: a bug in planning. */
export const commandMissing = (cellId: string): AssayError =>
  new AssayError({
    code: 'command-missing',
    kind: 'internal',
    message: `cell ${cellId} has no command to execute`,
  })

/** A hook did not end well; `details` has its name and the end of its stderr. */
export const hookFailed = (hook: string, how: string, stderr: string): AssayError => {
  const lastLine = stderr.trimEnd().split('\n').at(-1) ?? ''
  return new AssayError({
    code: 'hook-failed',
    kind: 'unmeasurable',
    message: `the hook ${hook} ${how}${lastLine === '' ? '' : `: ${lastLine}`}`,
    details: { hook, stderr },
  })
}

/** The fake engine's script is absent or garbled. */
export const fakeScriptUnreadable = (path: string, why: string): AssayError =>
  new AssayError({
    code: 'fake-script-unreadable',
    kind: 'unmeasurable',
    message: `the script of the fake engine, ${path}, cannot be used: ${why}`,
  })

/** The fake engine's script has no seconds for a cell. */
export const fakeScriptSilent = (
  label: string,
  headings: Readonly<Record<string, string>>,
): AssayError =>
  new AssayError({
    code: 'fake-script-silent',
    kind: 'unmeasurable',
    message: `the script of the fake engine has no seconds for ${label} under ${JSON.stringify(headings)}`,
  })

/** A plan names an engine that this version does not have. */
export const engineUnknown = (name: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'engine-unknown',
    kind: 'unmeasurable',
    message: `this version has no engine "${name}"; it has ${known.join(', ')}`,
  })

/** A format tag that no dataset can have. */
export const datasetFormatUnsupported = (tag: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'dataset-format-unsupported',
    kind: 'usage',
    message: `a dataset cannot have the format "${tag}"; it can have ${known.join(', ')}`,
    details: { tag, known },
  })

/** Format tags that exclude each other. */
export const datasetFormatContradictory = (tags: readonly string[], why: string): AssayError =>
  new AssayError({
    code: 'dataset-format-contradictory',
    kind: 'usage',
    message: `the dataset format [${tags.join(', ')}] contradicts itself: ${why}`,
  })

/** No such preset. */
export const datasetPresetUnknown = (name: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'dataset-preset-unknown',
    kind: 'usage',
    message: `there is no dataset preset "${name}"; there are ${known.join(', ')}`,
    details: { name, known },
  })

/** A scale that gives no repository. */
export const datasetScaleInvalid = (scale: number): AssayError =>
  new AssayError({
    code: 'dataset-scale-invalid',
    kind: 'usage',
    message: `a dataset's scale is a number above 0 (1 is the size of the original), not ${scale}`,
  })

/** The target folder is there already. */
export const datasetDirectoryExists = (directory: string): AssayError =>
  new AssayError({
    code: 'dataset-directory-exists',
    kind: 'conflict',
    message: `${directory} exists already: remove it or choose another folder`,
  })

/** A prepared dataset is not what it was. */
export const datasetChanged = (directory: string, why: string): AssayError =>
  new AssayError({
    code: 'dataset-changed',
    kind: 'unmeasurable',
    message: `the dataset in ${directory} is not what was prepared (${why}): remove the folder and prepare it again`,
    details: { directory },
  })

/** A dataset from which the asked-for revisions cannot be taken. */
export const inputsImpossible = (revs: string, why: string): AssayError =>
  new AssayError({
    code: 'inputs-impossible',
    kind: 'unmeasurable',
    message: `the inputs of revs: ${revs} cannot be made of this dataset: ${why}`,
  })

/** A source that says something which no dataset of its kind can be made of. */
export const datasetSourceInvalid = (kind: string, why: string): AssayError =>
  new AssayError({
    code: 'dataset-source-invalid',
    kind: 'usage',
    message: `the source "${kind}" of a dataset cannot be used: ${why}`,
  })

/** A source that is not there, or is not what a dataset can be made of. */
export const datasetSourceUnusable = (place: string, why: string): AssayError =>
  new AssayError({
    code: 'dataset-source-unusable',
    kind: 'unmeasurable',
    message: `no dataset can be made of ${place}: it ${why}`,
    details: { place },
  })

/** An archive that would write where it must not, or more than there is room for. */
export const archiveUnsafe = (place: string, why: string): AssayError =>
  new AssayError({
    code: 'archive-unsafe',
    kind: 'unmeasurable',
    message: `${place} is not unpacked: ${why}`,
    details: { place },
  })

const packages: Readonly<Record<string, string>> = {
  hg: 'mercurial',
  git: 'git',
  zstd: 'zstd',
  xz: 'xz-utils',
  bzip2: 'bzip2',
}

/** A program that preparing needs cannot be started. */
export const programMissing = (program: string, reason: string): AssayError =>
  new AssayError({
    code: 'program-missing',
    kind: 'unmeasurable',
    message: `this dataset needs ${program}, which cannot be started (${reason}): install it, on Debian with \`apt install ${packages[program] ?? program}\``,
    details: { program },
  })

/** A program of somebody else did not do what a dataset needs; its last words say why. */
export const programFailed = (program: string, how: string, stderr: string): AssayError => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const cause = lines.find((line) => /^(abort|fatal|error): /.test(line)) ?? lines.at(-1)
  return new AssayError({
    code: 'program-failed',
    kind: 'unmeasurable',
    message: `${program} ${how} while it prepared a dataset${cause === undefined ? '' : `: ${cause}`}`,
    details: { program, stderr: stderr.slice(-4096) },
  })
}

/** The hg of this host cannot write a format, or a repository cannot be brought into it. */
export const datasetFormatRefused = (why: string): AssayError =>
  new AssayError({
    code: 'dataset-format-refused',
    kind: 'unmeasurable',
    message: `the hg of this host did not write the format that the dataset asks for: ${why}; a newer one may`,
  })

/** A dataset is not the one that a campaign names by its digest. */
export const datasetDigestOther = (
  name: string,
  { wanted, found }: { readonly wanted: string; readonly found: string },
): AssayError =>
  new AssayError({
    code: 'dataset-digest-other',
    kind: 'unmeasurable',
    message: `the dataset ${name} has the digest ${found}, not ${wanted}: it is not the one that was named`,
    details: { wanted, found },
  })

/** The system refused something while a dataset was prepared: a full disk, missing rights. */
export const datasetUnprepared = (name: string, error: unknown): AssayError => {
  const why = error instanceof Error ? error.message : String(error)
  return new AssayError({
    code: 'dataset-unprepared',
    kind: 'unmeasurable',
    message: `the dataset ${name} could not be prepared, and nothing of it was left: ${why}`,
    cause: error,
  })
}

/** No dataset of a cache has this id. */
export const datasetUnknown = (text: string, cacheDirectory: string): AssayError =>
  new AssayError({
    code: 'dataset-unknown',
    kind: 'not-found',
    message: `no dataset in ${cacheDirectory} begins with "${text}"; \`assay dataset list\` shows what there is`,
  })

/** Several datasets of a cache have ids that begin so. */
export const datasetAmbiguous = (text: string, ids: readonly string[]): AssayError =>
  new AssayError({
    code: 'dataset-ambiguous',
    kind: 'usage',
    message: `"${text}" begins several ids: ${ids.join(', ')}; write more of one`,
  })

/** A dataset is being prepared. */
export const datasetBusy = (id: string): AssayError =>
  new AssayError({
    code: 'dataset-busy',
    kind: 'conflict',
    message: `the dataset ${id} is being prepared or removed; wait until that has ended`,
  })
