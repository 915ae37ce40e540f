/**
 * What this program can do in an exchange, in the words of the wire (`hg help
 * internals.wireprotocol`, `internals.bundle2`).
 */

/** Of bundle2, a line each: what replies to a push and answers to a pull may hold. */
export const OWN_CAPABILITIES = [
  'HG20',
  'bookmarks',
  'changegroup=01,02',
  'checkheads=related',
  'error=abort,unsupportedcontent,pushraced,pushkey',
  'listkeys',
  'phases=heads',
  'pushkey',
].join('\n')

/** Of the wire protocol, what the server says in its greeting besides those of bundle2. */
export const SERVER_CAPABILITIES = [
  'batch',
  'branchmap',
  'changegroupsubset',
  'getbundle',
  'known',
  'lookup',
  'protocaps',
  'pushkey',
  'unbundle=HG10GZ,HG10BZ,HG10UN',
  'unbundlehash',
] as const
