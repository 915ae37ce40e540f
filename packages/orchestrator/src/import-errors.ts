/** What an import refuses, with the file and the place in it. */
import { AssayError } from '@assay/model'

/** `import-unreadable`: the text is not what its kind of result looks like. */
export const importUnreadable = (file: string, problem: string): AssayError =>
  new AssayError({
    code: 'import-unreadable',
    kind: 'usage',
    message: `${file}: ${problem}`,
    details: { file },
  })

/** `import-kind-unknown`: nothing registered reads such a text. */
export const importKindUnknown = (file: string, known: readonly string[]): AssayError =>
  new AssayError({
    code: 'import-kind-unknown',
    kind: 'usage',
    message: `${file}: neither of ${known.join(', ')}; name the kind if it is one of them`,
    details: { file, known },
  })

/** What a kind of results is called, and what its files hold. */
interface Kind {
  readonly name: string
  readonly holds: string
}

/** `import-kind-wrong`: the file is not of the kind that was named; `likely` is what it looks like. */
export const importKindWrong = (file: string, named: Kind, likely: Kind | null): AssayError =>
  new AssayError({
    code: 'import-kind-wrong',
    kind: 'usage',
    message:
      likely === null
        ? `${file}: this is not ${named.holds}, nor anything else that can be imported`
        : `${file}: this looks like ${likely.holds}, not ${named.holds}: assay import ${likely.name} ${file}`,
    details: { file, named: named.name, likely: likely?.name ?? null },
  })

/** `import-empty`: there is nothing in the files that could be kept. */
export const importEmpty = (files: readonly string[]): AssayError =>
  new AssayError({
    code: 'import-empty',
    kind: 'usage',
    message: `${files.join(', ')}: no measured value was found`,
    details: { files },
  })
