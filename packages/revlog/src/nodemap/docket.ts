/**
 * The docket of a persistent nodemap, `00changelog.n`: which data file belongs to the index, how much
 * of it, and up to which revision it goes. The data file is never changed, a new one takes its place;
 * so the docket says all at once. (Observed in what Mercurial 6.3 writes.)
 */
import { RevlogError } from '../errors.ts'
import { NODE_SIZE } from '../format/constants.ts'

/** What a docket says. */
export interface NodemapDocket {
  /** Part of the data file's name: `00changelog-UID.nd`. */
  readonly uid: string
  /** The last revision that is in the nodemap, and its node. */
  readonly tipRev: number
  readonly tipNode: Uint8Array
  /** Bytes of the data file that count. */
  readonly dataLength: number
  /** Bytes of those that nothing leads to any more. */
  readonly dataUnused: number
}

/** The only version there is. */
const VERSION = 1

/** version u8, uid length u8, tip revision, data length, unused bytes, node length u64 each. */
const HEAD_BYTES = 34

/** Reads a docket. Throws `corrupt`, `unknown-format` for another version. */
export function parseDocket(bytes: Uint8Array, name: string): NodemapDocket {
  if (bytes.length === 0) throw corrupt(name, 'it is empty')
  if (bytes[0] !== VERSION) {
    throw new RevlogError('unknown-format', `${name}: nodemap version ${bytes[0]} is not known`)
  }
  if (bytes.length < HEAD_BYTES) throw corrupt(name, `it ends at byte ${bytes.length}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const uidBytes = view.getUint8(1)
  const [tipRev, dataLength, dataUnused, nodeBytes] = [2, 10, 18, 26].map((at) =>
    Number(view.getBigUint64(at)),
  )
  const uid = Buffer.from(bytes.subarray(HEAD_BYTES, HEAD_BYTES + uidBytes)).toString('latin1')
  const tipNode = Uint8Array.from(bytes.subarray(HEAD_BYTES + uidBytes))
  if (nodeBytes !== NODE_SIZE || tipNode.length !== NODE_SIZE) {
    throw corrupt(name, `its node has ${tipNode.length} bytes`)
  }
  // It becomes part of a path.
  if (!/^[0-9a-zA-Z]+$/.test(uid)) throw corrupt(name, `its uid is ${JSON.stringify(uid)}`)
  return {
    uid,
    tipRev: tipRev ?? 0,
    tipNode,
    dataLength: dataLength ?? 0,
    dataUnused: dataUnused ?? 0,
  }
}

/** A docket's bytes. */
export function serializeDocket(docket: NodemapDocket): Uint8Array {
  const uid = Buffer.from(docket.uid, 'latin1')
  const head = new Uint8Array(HEAD_BYTES)
  const view = new DataView(head.buffer)
  view.setUint8(0, VERSION)
  view.setUint8(1, uid.length)
  view.setBigUint64(2, BigInt(docket.tipRev))
  view.setBigUint64(10, BigInt(docket.dataLength))
  view.setBigUint64(18, BigInt(docket.dataUnused))
  view.setBigUint64(26, BigInt(docket.tipNode.length))
  return Buffer.concat([head, uid, docket.tipNode])
}

function corrupt(name: string, what: string): RevlogError {
  return new RevlogError('corrupt', `${name}: ${what}; without it nodes are looked for one by one`)
}
