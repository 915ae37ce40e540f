/** Checks what a child wrote to stdout, however much it is, against what a campaign expects. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { OutputCheck } from '@assay/model'

/** Whether the file holds the bytes; a match may lie across two pieces as they are read. */
const holds = async (path: string, wanted: Buffer): Promise<boolean> => {
  let rest = Buffer.alloc(0)
  for await (const piece of createReadStream(path)) {
    const text = Buffer.concat([rest, Buffer.from(piece)])
    if (text.includes(wanted)) return true
    rest = text.subarray(Math.max(0, text.length - wanted.length + 1))
  }
  return false
}

const digestOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}

const faultOf = async (check: OutputCheck, path: string): Promise<string | null> => {
  if ('contains' in check) {
    const isThere = await holds(path, Buffer.from(check.contains))
    return isThere ? null : `its output does not contain ${JSON.stringify(check.contains)}`
  }
  const digest = await digestOfFile(path)
  return digest === check.sha256
    ? null
    : `its output has the SHA-256 ${digest}, expected ${check.sha256}`
}

/** What is wrong with the first of these files that is not as expected; null if all are. */
export const outputFault = async (
  check: OutputCheck,
  paths: readonly string[],
): Promise<string | null> => {
  for (const path of paths) {
    const fault = await faultOf(check, path)
    if (fault !== null) return fault
  }
  return null
}
