/**
 * Quantities of a campaign, read strictly: a percentage has its sign, a duration its unit, a range
 * its two dots. Nothing is guessed; the error shows the text that would be right.
 */
import { z } from 'zod'
import { quoted } from '../did-you-mean.ts'

/** Digits without sign or exponent; short enough to be exact as a number. */
const decimal = String.raw`(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?`
const whole = String.raw`(?:0|[1-9]\d{0,8})`

interface Quantity<Value> {
  readonly expression: RegExp
  /** What is wanted, with an example. */
  readonly wanted: string
  /** The value, or what is wrong with it. */
  readonly read: (text: string) => { readonly value: Value } | { readonly fault: string }
  readonly summary: string
  /** YAML's types for it in an editor. */
  readonly types?: readonly string[]
}

const quantity = <Value>(of: Quantity<Value>): z.ZodType<Value> =>
  z
    .string()
    .regex(of.expression, {
      error: ({ input }) => `${quoted(String(input))} is not ${of.wanted}`,
    })
    .meta({ type: [...(of.types ?? ['string'])], description: of.summary })
    .transform((text, context) => {
      const read = of.read(text)
      if ('value' in read) return read.value
      context.issues.push({ code: 'custom', message: read.fault, input: text })
      return z.NEVER
    })

interface Limits {
  readonly least: number
  readonly most: number
  readonly summary: string
}

/** A percentage, given as a fraction: `1%` is 0.01. Limits are percentages. */
export const percentage = ({ least, most, summary }: Limits): z.ZodType<number> =>
  quantity({
    expression: new RegExp(`^${decimal}%$`),
    wanted: 'a percentage; write it with its sign, such as 1% or 0.5%',
    summary,
    read: (text) => {
      const percent = Number(text.slice(0, -1))
      if (percent >= least && percent <= most) return { value: percent / 100 }
      return { fault: `${text} is out of range; it wants ${least}% to ${most}%` }
    },
  })

const secondsByUnit: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 }

/** A duration, given in seconds: `90s`, `1.5h`, `200ms`. Limits are seconds. */
export const duration = ({ least, most, summary }: Limits): z.ZodType<number> =>
  quantity({
    expression: new RegExp(`^${decimal}(?:ms|s|m|h)$`),
    wanted: 'a duration; write a number and one unit of ms, s, m, h, such as 90s or 2h',
    summary,
    read: (text) => {
      const unit = /[a-z]+$/.exec(text)?.[0] ?? ''
      const seconds = Number(text.slice(0, -unit.length)) * (secondsByUnit[unit] ?? Number.NaN)
      if (seconds >= least && seconds <= most) return { value: seconds }
      return { fault: `${text} is out of range; it wants ${least}s to ${most}s` }
    },
  })

/** A whole number. */
export const count = ({ least, most, summary }: Limits): z.ZodType<number> =>
  quantity({
    expression: new RegExp(`^${whole}$`),
    wanted: `a whole number from ${least} to ${most}`,
    summary,
    types: ['integer', 'string'],
    read: (text) => {
      const value = Number(text)
      if (value >= least && value <= most) return { value }
      return { fault: `${text} is out of range; it wants ${least} to ${most}` }
    },
  })

/** A decimal number above 0. */
export const factorOf = ({ most, summary }: Omit<Limits, 'least'>): z.ZodType<number> =>
  quantity({
    expression: new RegExp(`^${decimal}$`),
    wanted: 'a decimal number, such as 0.02 or 1',
    summary,
    types: ['number', 'string'],
    read: (text) => {
      const value = Number(text)
      if (value > 0 && value <= most) return { value }
      return { fault: `${text} is out of range; it wants more than 0 and at most ${most}` }
    },
  })

/** Fewest and most rounds: `20..60`, or `30` for exactly that many. */
export const roundsRange = ({
  most,
  summary,
}: Omit<Limits, 'least'>): z.ZodType<{ readonly min: number; readonly max: number }> =>
  quantity({
    expression: new RegExp(String.raw`^${whole}(?:\.\.${whole})?$`),
    wanted: 'a number of rounds; write 30, or a range such as 20..60',
    summary,
    types: ['integer', 'string'],
    read: (text) => {
      const [first = '', last = first] = text.split('..')
      const [min, max] = [Number(first), Number(last)]
      if (min < 1 || max > most) return { fault: `${text} is out of range; it wants 1..${most}` }
      if (min > max) return { fault: `${text} runs backwards; write ${max}..${min}` }
      return { value: { min, max } }
    },
  })

/** `true` or `false`. */
export const flag = (summary: string): z.ZodType<boolean> =>
  quantity({
    expression: /^(?:true|false)$/,
    wanted: 'true or false',
    summary,
    types: ['boolean'],
    read: (text) => ({ value: text === 'true' }),
  })

/** A duration, or `none` for no limit (null). */
export const durationOrNone = (limits: Limits): z.ZodType<number | null> =>
  quantity({
    expression: new RegExp(`^(?:none|${decimal}(?:ms|s|m|h))$`),
    wanted: 'a duration or none; write a number and one unit of ms, s, m, h, such as 90s or 2h',
    summary: limits.summary,
    read: (text) => {
      if (text === 'none') return { value: null }
      const read = duration(limits).safeParse(text)
      if (read.success) return { value: read.data }
      return { fault: read.error.issues[0]?.message ?? `${text} is no duration` }
    },
  })
