/** The processors of this host, and lists of them that come from outside. */
import { readCpuList } from './cpu-list.ts'
import { processorsGarbled, processorsOffline } from './errors.ts'
import { openHostFiles } from './host-files.ts'

/** As `readCpuList`; throws `processors-garbled`, which shows how a list is written. */
export const parseCpuList = (text: string): readonly number[] => {
  const numbers = readCpuList(text)
  if (numbers === null) throw processorsGarbled(text)
  return numbers
}

/** The processors that are online, as a list; null when the host does not tell. */
export const onlineProcessors = (root = '/'): string | null =>
  openHostFiles(root).text('sys/devices/system/cpu/online')

/**
 * The numbers in a list, all of which are online on this host. Throws `processors-garbled` and
 * `processors-offline`, which names the processors there are.
 */
export const parseOnlineCpuList = (text: string, root = '/'): readonly number[] => {
  const numbers = parseCpuList(text)
  const online = onlineProcessors(root)
  const known = online === null ? null : readCpuList(online)
  const missing = known === null ? [] : numbers.filter((number) => !known.includes(number))
  if (missing.length > 0) throw processorsOffline({ text, missing, online })
  return numbers
}
