/**
 * Checks a whole store, as `hg verify` does: changesets, manifests, what each says of files against
 * the other, files. It reads everything once, in order, and keeps of it only who names what, so that
 * memory does not grow with the size of texts. Nothing is changed. The lock is the caller's.
 */
import { RevlogError } from '../errors.ts'
import type { Revlog } from '../reader/revlog.ts'
import type { Repository } from '../repository/open.ts'
import { hasJournal } from '../transaction/play-back.ts'
import { type CheckState, checkChangesets } from './check-changesets.ts'
import { checkFiles } from './check-files.ts'
import { checkManifests } from './check-manifests.ts'
import { fileBytes } from './check-revlog.ts'
import { crossCheck } from './cross-check.ts'
import { revlogProblem } from './damage-words.ts'
import { type FindingCounts, openFindings, type VerifyOutput } from './findings.ts'
import { openLinkTable } from './link-table.ts'
import type { WalkedRevlog } from './walk-texts.ts'

/** How to check. */
export interface VerifyOptions extends VerifyOutput {
  /** Make and hash every manifest's text too; false if not given. */
  readonly full?: boolean
}

/** What was checked and found. */
export interface Verified extends FindingCounts {
  readonly changesets: number
  readonly changes: number
  readonly files: number
}

/**
 * Checks a repository and says what it does and finds. Throws `corrupt` or `unknown-format` where the
 * changelog's or manifest's index or the fncache cannot be read at all, `system`.
 */
export function verifyRepository(repository: Repository, options: VerifyOptions): Verified {
  const { status, problem, full = false } = options
  const findings = openFindings(options)
  if (hasJournal(repository)) problem('abandoned transaction found - run hg recover')
  const changelog = openMain('00changelog', () => repository.changelog)
  const manifest = openMain('00manifest', () => repository.manifest)
  const state: CheckState = { changelog, manifest, findings, links: openLinkTable() }
  status('checking changesets')
  const found = checkChangesets(state, walked(repository, '00changelog', changelog))
  status('checking manifests')
  checkManifests(state, { ...found, full, walked: walked(repository, '00manifest', manifest) })
  status('crosschecking files in changesets and manifests')
  crossCheck(repository, state)
  status('checking files')
  const { changes, files } = checkFiles(repository, state)
  const checked = { changesets: changelog.length, changes, files, ...findings.counts() }
  summarize(checked, options)
  return checked
}

/** Without these two nothing can be checked; Mercurial's words. */
function openMain(name: string, open: () => Revlog): Revlog {
  try {
    return open()
  } catch (cause) {
    if (!(cause instanceof RevlogError) || cause.code === 'system') throw cause
    throw new RevlogError(cause.code, revlogProblem(name, cause), { cause })
  }
}

function walked(repository: Repository, name: string, revlog: Revlog): WalkedRevlog {
  const dataPath = repository.storePath(`${name}.d`)
  const dataBytes = revlog.index.inline ? undefined : fileBytes(dataPath)
  return { revlog, name, dataBytes, dataPath }
}

function summarize(checked: Verified, { status, problem }: VerifyOutput): void {
  const { changesets, changes, files, errors, warnings } = checked
  status(`checked ${changesets} changesets with ${changes} changes to ${files} files`)
  if (warnings > 0) problem(`${warnings} warnings encountered!`)
  if (checked.fncacheDamaged) {
    problem('hint: run "hg debugrebuildfncache" to recover from corrupt fncache')
  }
  if (errors === 0) return
  problem(`${errors} integrity errors encountered!`)
  if (checked.firstDamagedRev !== undefined) {
    problem(`(first damaged changeset appears to be ${checked.firstDamagedRev})`)
  }
}
