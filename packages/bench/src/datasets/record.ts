/** `dataset.json`, beside a prepared repository: where it comes from, and what it was when it was made. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { datasetSourceSchema } from '@assay/model'
import { z } from 'zod'
import { datasetChanged } from '../errors.ts'

const outcome = {
  digest: z.string(),
  stamp: z.string(),
  revisions: z.int(),
  files: z.int(),
  bytes: z.int(),
}

const generatedRecordSchema = z.strictObject({
  spec: z.strictObject({
    preset: z.string(),
    scale: z.number(),
    format: z.array(z.string()).readonly(),
    seed: z.string(),
  }),
  generatorVersion: z.int(),
  ...outcome,
})

const sourcedRecordSchema = z.strictObject({
  source: datasetSourceSchema,
  /** Digest of the dataset whose formats were changed; null of what is as it came. */
  derivedFrom: z.string().nullable(),
  format: z.array(z.string()).readonly(),
  ...outcome,
})

const recordSchema = z.union([generatedRecordSchema, sourcedRecordSchema])
export type DatasetRecord = z.infer<typeof recordSchema>

/** Writes the record into a dataset's folder, whole or not at all. */
export const writeRecord = (folder: string, record: DatasetRecord): void => {
  const path = join(folder, 'dataset.json')
  writeFileSync(`${path}.new`, `${JSON.stringify(record, undefined, 2)}\n`)
  renameSync(`${path}.new`, path)
}

/** The record of a dataset's folder. Throws `dataset-changed` if it cannot be used. */
export const readRecord = (folder: string): DatasetRecord => {
  const path = join(folder, 'dataset.json')
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw datasetChanged(folder, `dataset.json cannot be used: ${why}`)
  }
}
