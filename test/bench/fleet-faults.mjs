/**
 * What a fleet loses when something breaks: a server, two workers behind a network that can be broken,
 * a Redis, and real measured processes; each fault strikes a run that is under way.
 *
 *   node test/bench/fleet-faults.mjs [--only NAME,...] [--kills N] [--seed TEXT] [--json] [--keep]
 *
 * Run it after `npm run build`; it needs redis-server. `--kills`: that many random kills instead, of
 * server, worker, launcher or Redis, on run after run. Each row: what was acknowledged to a worker,
 * what of it is missing (lost) or there more than once (doubled), how often two samples ran at once on
 * a host or one outlived its worker (overlaps: each sample holds a lock of its host while it runs),
 * what runs or blocks came to no end, blocks given up by name (attempt after attempt was killed before
 * it saved a round: an end, and no loss), and the seconds from the fault to the next acknowledged
 * round. Exits with 1 unless all is well. `--keep` leaves the folder with the store and the logs.
 */
import { parseArgs } from 'node:util'
import { openFleet } from '../support/fleet.mjs'
import { faults, killAtRandom } from '../support/fleet-faults.mjs'
import { printTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string', default: 'fleet' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})

const strike = async (name, fault) => {
  const fleet = await openFleet()
  process.stderr.write(`${name}\n`)
  try {
    return { name, ...(await fault(fleet)), ...(await fleet.account()) }
  } finally {
    await fleet.close(values.keep)
  }
}

const wanted = values.only?.split(',') ?? Object.keys(faults)
const chosen =
  values.kills === undefined
    ? wanted.map((name) => [name, faults[name]])
    : [[`${values.kills} random kills`, killAtRandom(Number(values.kills), values.seed)]]

const rows = []
for (const [name, fault] of chosen) rows.push(await strike(name, fault))
if (values.json) console.log(JSON.stringify(rows))
else
  printTable(
    [
      'fault',
      'runs',
      'blocks',
      'acknowledged',
      'lost',
      'doubled',
      'overlaps',
      'survivors',
      'unfinished',
      'given up',
      'recovery s',
    ],
    rows.map((row) => [
      ...[
        row.name,
        row.runs,
        row.blocks,
        row.acknowledged,
        row.lost,
        row.doubled,
        row.overlaps,
        row.survivors,
        row.unfinished,
        row.dead,
      ],
      row.recovery === null ? '-' : row.recovery.toFixed(1),
    ]),
  )
const isWell = ({ lost, doubled, overlaps, survivors, unfinished }) =>
  lost + doubled + overlaps + survivors + unfinished === 0
process.exitCode = rows.every(isWell) ? 0 : 1
