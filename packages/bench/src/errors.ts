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

/** A format tag that no generated dataset can have. */
export const datasetFormatUnsupported = (tag: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'dataset-format-unsupported',
    kind: 'usage',
    message: `a generated dataset cannot have the format "${tag}"; it can have ${known.join(', ')}`,
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
