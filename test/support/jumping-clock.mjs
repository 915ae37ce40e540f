/**
 * Loaded into a program before it starts: its wall clock jumps an hour forward at the first SIGUSR2,
 * two hours back at the next, as a clock does that is set by hand. Clocks that only go forward stay.
 */
const hourMillis = 3_600_000
const RealDate = Date
let offset = 0

globalThis.Date = class extends RealDate {
  constructor(...words) {
    if (words.length === 0) super(RealDate.now() + offset)
    else super(...words)
  }

  static now() {
    return RealDate.now() + offset
  }
}

process.on('SIGUSR2', () => {
  offset = offset > 0 ? -hourMillis : hourMillis
})
