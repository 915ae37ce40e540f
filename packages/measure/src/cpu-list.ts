/** The kernel's lists of processors, such as `0,2-3`, in which pinning is written. */
/** The bits of cpu_set_t. */
const mostProcessors = 1024

/** The processors' numbers, ascending, each once; null for a text that is no list. */
export const readCpuList = (text: string): readonly number[] | null => {
  const numbers = new Set<number>()
  for (const part of text.split(',')) {
    const [, first, last] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? []
    if (first === undefined) return null
    const from = Number(first)
    const to = Number(last ?? first)
    if (from > to || to >= mostProcessors) return null
    for (let number = from; number <= to; number++) numbers.add(number)
  }
  return [...numbers].toSorted((left, right) => left - right)
}
