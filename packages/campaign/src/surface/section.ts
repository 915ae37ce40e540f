/** A map of the surface with named keys. */
import { z } from 'zod'

/** A map with exactly these keys; its error for another key is the list of those it knows. */
export const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? Object.keys(shape).join('\n') : undefined,
  })
