/**
 * Every sample as a line of comma-separated values (RFC 4180), for spreadsheets and notebooks: all
 * takes and outcomes, with warmups. Free text cannot become a formula; numbers are never rounded.
 */
import type { Report, StoredSample } from '@assay/model'
import { samplesMissing } from './errors.ts'
import type { RenderOptions, ReportDetails, ReportFormat } from './format.ts'
import { sortedKeys } from './headings.ts'
import { type CellPlace, cellPlaces } from './samples.ts'

type Field = string | number | boolean | null

/** A sample with where it belongs; a sample of a cell that the report does not know has no place. */
interface Line {
  readonly sample: StoredSample
  readonly place: CellPlace | null
}

interface Column {
  readonly name: string
  readonly field: (line: Line) => Field
}

/** What spreadsheets take for a formula (OWASP, CSV injection), with its full-width forms. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/u

/** Text that a spreadsheet must not act on gets the apostrophe that spreadsheets use for that. */
const inert = (text: string): string => (formulaStart.test(text) ? `'${text}` : text)

const fieldText = (field: Field): string => {
  if (field === null || field === '') return ''
  if (typeof field !== 'string') return String(field)
  const text = inert(field)
  return /[",\r\n]/u.test(text) || text !== field ? `"${text.replaceAll('"', '""')}"` : text
}

const sampleColumns: readonly Column[] = [
  { name: 'take', field: ({ sample }) => sample.take },
  { name: 'warmup', field: ({ sample }) => sample.warmup },
  { name: 'round', field: ({ sample }) => sample.round },
  { name: 'position', field: ({ sample }) => sample.position },
  { name: 'outcome', field: ({ sample }) => sample.outcome },
  { name: 'exitCode', field: ({ sample }) => sample.exitCode },
  { name: 'signal', field: ({ sample }) => sample.signal },
  { name: 'loops', field: ({ sample }) => sample.loops },
  { name: 'wallSeconds', field: ({ sample }) => sample.usage.wallSeconds },
  { name: 'userSeconds', field: ({ sample }) => sample.usage.userSeconds },
  { name: 'systemSeconds', field: ({ sample }) => sample.usage.systemSeconds },
  { name: 'peakRssBytes', field: ({ sample }) => sample.usage.peakRssBytes },
  { name: 'minorFaults', field: ({ sample }) => sample.usage.minorFaults },
  { name: 'majorFaults', field: ({ sample }) => sample.usage.majorFaults },
  { name: 'voluntarySwitches', field: ({ sample }) => sample.usage.voluntarySwitches },
  { name: 'involuntarySwitches', field: ({ sample }) => sample.usage.involuntarySwitches },
  { name: 'blocksIn512Bytes', field: ({ sample }) => sample.usage.blocksIn },
  { name: 'blocksOut512Bytes', field: ({ sample }) => sample.usage.blocksOut },
  { name: 'stackPaddingBytes', field: ({ sample }) => sample.stackPaddingBytes },
]

/** What the files of other tools do not tell of a sample: left empty, for the store has zeros. */
const unknownToImports: ReadonlySet<string> = new Set([
  'userSeconds',
  'systemSeconds',
  'minorFaults',
  'majorFaults',
  'voluntarySwitches',
  'involuntarySwitches',
  'blocksIn512Bytes',
  'blocksOut512Bytes',
  'stackPaddingBytes',
])

const sampleColumnsOf = ({ sampling }: Report): readonly Column[] =>
  sampling !== null
    ? sampleColumns
    : sampleColumns.map((column) =>
        unknownToImports.has(column.name) ? { ...column, field: () => null } : column,
      )

const placeColumns = (report: Report): Column[] => [
  { name: 'runId', field: () => report.run.id },
  { name: 'blockId', field: ({ place }) => place?.block.blockId ?? null },
  { name: 'cellId', field: ({ sample }) => sample.cellId },
  { name: 'label', field: ({ place }) => place?.row.label ?? null },
  { name: 'role', field: ({ place }) => place?.row.role ?? null },
  ...sortedKeys(new Set(report.blocks.flatMap(({ headings }) => Object.keys(headings)))).map(
    (key): Column => ({
      name: `headings.${key}`,
      field: ({ place }) => place?.block.headings[key] ?? null,
    }),
  ),
]

/** Where a hook cleanup failed: of which cells, and why. Nearly no run has this column. */
const cleanupColumns = ({ blocks }: Report): Column[] =>
  blocks.some(({ rows }) => rows.some(({ cleanupFault }) => cleanupFault !== undefined))
    ? [{ name: 'cleanupFault', field: ({ place }) => place?.row.cleanupFault ?? null }]
    : []

const metricColumns = (samples: readonly StoredSample[]): Column[] => {
  const names = new Set<string>()
  for (const { metrics } of samples) for (const name of Object.keys(metrics)) names.add(name)
  return [...names].sort().map((name) => ({
    name: `metrics.${name}`,
    field: ({ sample }) => sample.metrics[name] ?? null,
  }))
}

const renderCsv = (
  report: Report,
  _options?: Partial<RenderOptions>,
  details?: ReportDetails,
): string => {
  if (details === undefined) throw samplesMissing('csv')
  const places = cellPlaces(report)
  const placed = placeColumns(report)
  const own = [
    ...sampleColumnsOf(report),
    ...metricColumns(details.samples),
    ...cleanupColumns(report),
    { name: 'stderr', field: ({ sample }: Line) => sample.stderr },
  ]
  // Where a sample belongs is the same text for every sample of its cell.
  const placeTexts = new Map<string, string>()
  const placeText = (line: Line): string => {
    const { cellId } = line.sample
    const known = placeTexts.get(cellId)
    if (known !== undefined) return known
    const text = placed.map(({ field }) => fieldText(field(line))).join(',')
    placeTexts.set(cellId, text)
    return text
  }
  const head = [...placed, ...own].map(({ name }) => fieldText(name)).join(',')
  const fields: string[] = new Array(own.length)
  const lines = details.samples.map((sample) => {
    const line: Line = { sample, place: places.get(sample.cellId) ?? null }
    own.forEach(({ field }, at) => {
      fields[at] = fieldText(field(line))
    })
    return `${placeText(line)},${fields.join(',')}`
  })
  return `${[head, ...lines].join('\r\n')}\r\n`
}

/** The samples of a report, for programs that compute with them. */
export const csvFormat: ReportFormat = {
  name: 'csv',
  mediaType: 'text/csv',
  needsSamples: true,
  joins: false,
  render: renderCsv,
}
