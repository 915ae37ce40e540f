/** What is known of the host: its stable fingerprint, and the conditions that vary. */
import { z } from 'zod'

/** Stable facts of a host. Two takes are comparable only under the same digest. */
export const fingerprintSchema = z.strictObject({
  /** SHA-256 over `facts`. */
  digest: z.string(),
  /** Names of facts to their values, e.g. `cpu.model`, `kernel`; values are text. */
  facts: z.record(z.string(), z.string()),
})
export type Fingerprint = z.infer<typeof fingerprintSchema>

/** What varies on a host, read around a round; a value that the host does not tell is null. */
export const conditionsSchema = z.strictObject({
  /** When the round began: seconds since boot. */
  bootSeconds: z.number(),
  /** One-minute load average. */
  load: z.number().nullable(),
  /** Share of time in which some task waited for a processor, last 10 s (0..1; PSI `some avg10`). */
  cpuPressure: z.number().nullable(),
  /** The same for input and output. */
  ioPressure: z.number().nullable(),
  /** Seconds stolen by the hypervisor since boot, all processors. */
  stealSeconds: z.number().nullable(),
  /** Hottest sensor, degrees Celsius. */
  temperatureCelsius: z.number().nullable(),
  /** Mean current frequency of the processors, MHz. */
  frequencyMegahertz: z.number().nullable(),
})
export type Conditions = z.infer<typeof conditionsSchema>
