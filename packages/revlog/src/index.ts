export type { Bundle, BundleCompression, BundlePart } from './bundle/bundle.ts'
export { type KnownParts, knownParts } from './bundle/known-parts.ts'
export { type OpenBundleOptions, openBundle } from './bundle/open-bundle.ts'
export type { OnInterrupt } from './bundle/read-parts.ts'
export {
  BUNDLE_TYPES,
  type BundleType,
  type OutgoingPart,
  type WriteBundleOptions,
  writeBundle,
  writeBundle2,
} from './bundle/write-bundle.ts'
export { writeBundleFile } from './bundle/write-bundle-file.ts'
export {
  ACCESS_MODES,
  type AccessMode,
  type AccessRecord,
  DEFAULT_ACCESS_MODE,
  DEFAULT_MMAP_THRESHOLD_BYTES,
  isAccessMode,
} from './bytes/access.ts'
export { type ByteInput, bytesInput, descriptorInput } from './bytes/byte-input.ts'
export { type ByteSource, type OpenByteSourceOptions, openByteSource } from './bytes/byte-source.ts'
export type {
  ChangegroupReader,
  ChangegroupVersion,
  DeltaChunk,
  FileGroup,
} from './changegroup/delta-chunk.ts'
export {
  type MissingChangesetsOptions,
  missingChangesets,
} from './changegroup/missing-changesets.ts'
export { findOutgoing, type Outgoing, type OutgoingBounds } from './changegroup/outgoing.ts'
export { readChangegroup } from './changegroup/read-changegroup.ts'
export {
  type ChangegroupSource,
  type WrittenVersion,
  writeChangegroup,
} from './changegroup/write-changegroup.ts'
export {
  branchOf,
  type Changeset,
  NULL_CHANGESET,
  parseChangeset,
  serializeChangeset,
} from './changelog/changeset.ts'
export { parseExtra, serializeExtra } from './changelog/extra.ts'
export type { CliIo } from './cli/output.ts'
export { runCli } from './cli/run.ts'
export { type CloneOptions, cloneRepository } from './clone/clone-repository.ts'
export {
  type PreparedExtra,
  type PrepareExtraOptions,
  prepareExtra,
} from './clone/prepare-extra.ts'
export {
  type CompressionName,
  compressChunk,
  decompressChunk,
  type PlainSize,
} from './compression/index.ts'
export { applyDeltas, computeDelta, diffHunks, type Hunk } from './delta/index.ts'
export { chooseSample, type SampleRequest } from './discovery/choose-sample.ts'
export {
  type Discovered,
  type DiscoverOptions,
  type DiscoveryPeer,
  discover,
} from './discovery/discover.ts'
export { Undecided } from './discovery/undecided.ts'
export { RevlogError, type RevlogErrorCode } from './errors.ts'
export {
  type AppliedBundle,
  type ApplyBundleOptions,
  applyBundle,
} from './exchange/apply-bundle.ts'
export {
  type AppliedChangegroup,
  type ApplyChangegroupOptions,
  applyChangegroup,
} from './exchange/apply-changegroup.ts'
export type { PhaseUpdate } from './exchange/phase-update.ts'
export { type StoreUpdate, type StoreUpdateOptions, updateStore } from './exchange/store-update.ts'
export { type FileText, parseFileText, serializeFileText } from './filelog/file-text.ts'
export {
  type ByteString,
  byteString,
  bytesOf,
  decodeByteString,
  utf8ByteString,
} from './format/byte-string.ts'
export * from './format/constants.ts'
export { mergeHeader, parseHeader, type RevlogHeader, serializeHeader } from './format/header.ts'
export { type IndexEntry, parseIndexEntry, serializeIndexEntry } from './format/index-entry.ts'
export { type Lock, type LockRequest, takeLock } from './locks/lock.ts'
export { type LockHolder, ownHolder, parseHolder } from './locks/lock-holder.ts'
export {
  type LockOptions,
  withRepositoryLocks,
  withStoreLock,
} from './locks/repository-locks.ts'
export {
  findInManifest,
  type ManifestEntry,
  type ManifestFlag,
  parseManifest,
  serializeManifest,
} from './manifest/manifest.ts'
export { loadMappingCalls, type MappingCalls } from './native/libc.ts'
export { type NodemapDocket, parseDocket, serializeDocket } from './nodemap/docket.ts'
export { growTrie, type NodesByRev, type TrieSoFar } from './nodemap/grow-trie.ts'
export { type Nodemap, type OpenNodemapOptions, openNodemap } from './nodemap/nodemap.ts'
export { followDigits, type TrieMatch } from './nodemap/trie.ts'
export { writeNodemap } from './nodemap/write-nodemap.ts'
export {
  type ChangesetPatches,
  openChangesetPatches,
  type PatchOptions,
} from './patch/changeset-patches.ts'
export { gitBinaryPatch, isBinary } from './patch/git-binary.ts'
export { type ManifestChange, manifestChanges } from './patch/manifest-changes.ts'
export { unifiedHunks } from './patch/unified.ts'
export type { KeyChange } from './peer/apply-key-change.ts'
export { openLocalPeer } from './peer/local-peer.ts'
export type { BundleRequest, Peer } from './peer/peer.ts'
export { type PullOptions, pull } from './peer/pull.ts'
export { type PushOptions, push } from './peer/push.ts'
export type { HeadsCheck, ReceiveOptions } from './peer/receive-push.ts'
export { RepositoryService } from './peer/repository-service.ts'
export {
  type MeasureOptions,
  measureRuns,
  type PerfClock,
  type RunLimit,
  type Timing,
} from './perf/measure-runs.ts'
export { type PerfSettings, perfSettings } from './perf/perf-settings.ts'
export { type StepTimings, timingJson, timingText } from './perf/timing-text.ts'
export { hashText } from './reader/hash-text.ts'
export { type OpenRevlogOptions, openRevlog } from './reader/open-revlog.ts'
export type { Revlog } from './reader/revlog.ts'
export type { RevlogIndex } from './reader/revlog-index.ts'
export {
  createRepository,
  type FileChange,
  type NewChangeset,
  type RepositoryWriter,
  type WrittenChangeset,
} from './repository/create.ts'
export { headRevs } from './repository/heads.ts'
export { readBookmarks, workingParent } from './repository/names.ts'
export {
  findRepositoryRoot,
  type OpenRepositoryOptions,
  openRepository,
  type Repository,
} from './repository/open.ts'
export { PHASES, type Phase, type PhaseLookup, phaseLookup } from './repository/phases.ts'
export {
  DEFAULT_REPOSITORY_FORMAT,
  type RepositoryFormat,
  switchedRequirements,
} from './repository/repository-layout.ts'
export { resolveInRevlog, resolveRevisions } from './repository/resolve-revisions.ts'
export { readTags } from './repository/tags.ts'
export {
  decodeDirs,
  encodeDirs,
  encodeStorePath,
  type StoreEncoding,
} from './store/encode-path.ts'
export { parseFncache, serializeFncache } from './store/fncache.ts'
export {
  checkRequirements,
  KNOWN_REQUIREMENTS,
  parseRequires,
  serializeRequires,
} from './store/requires.ts'
export {
  type FilePlace,
  type JournalBackup,
  type JournalLocation,
  parseBackups,
  parseGrowths,
  serializeBackup,
  serializeGrowth,
} from './transaction/journal-format.ts'
export { hasJournal, playBack } from './transaction/play-back.ts'
export type { RepositoryPlace } from './transaction/repository-files.ts'
export {
  openTransaction,
  type Transaction,
  type TransactionOptions,
} from './transaction/transaction.ts'
export type { FindingCounts, VerifyOutput } from './verify/findings.ts'
export { type Verified, type VerifyOptions, verifyRepository } from './verify/verify-repository.ts'
export { batchCommands, parseBatch } from './wire/arguments.ts'
export { type ServerConnection, serveConnection } from './wire/server.ts'
export { parseSshUrl, type SshAddress, sshCommandLine } from './wire/ssh-address.ts'
export { openSshPeer, type SshPeerOptions } from './wire/ssh-peer.ts'
export type { GrowingIndex } from './writer/growing-index.ts'
export {
  type AppendedRevision,
  createTextCache,
  type NewRevision,
  openRevlogWriter,
  type RevlogWriter,
  type RevlogWriterOptions,
  type TextCache,
} from './writer/index.ts'
export type {
  AppendedChunk,
  Parents,
  RepairParents,
  RevlogAppender,
} from './writer/revlog-appender.ts'
