/** `assay doctor`: is this host fit to measure on, and what would make it fitter? */
import { tmpdir } from 'node:os'
import {
  comparePinnings,
  defaultHostLockPath,
  examineHost,
  type Finding,
  openLauncher,
  type PlaceNoise,
  quieterPinning,
  usableProcessors,
} from '@assay/measure'
import { exitCodes } from '@assay/model'
import { Command } from 'commander'
import type { Surroundings } from '../config.ts'
import { jsonOption } from './options.ts'

interface DoctorOptions {
  readonly noise: boolean
  readonly json?: boolean
}

const signs = { fine: 'fine   ', advice: 'advice ', warning: 'WARNING', unfit: 'UNFIT  ' } as const

const findingText = ({ severity, subject, found, advice }: Finding): string =>
  `${signs[severity]}  ${subject}: ${found}\n${advice === '' ? '' : `         ${advice}\n`}`

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const placeText = ({ pinning, noise }: PlaceNoise): string => {
  const { samples, medianSeconds, coefficientOfVariation, smallestEffects } = noise
  const place = pinning === null ? 'on any processor' : `with --pin ${pinning}`
  const shown = smallestEffects
    .map(({ rounds, effect }) => `${rounds} rounds can show ${percent(effect)}`)
    .join(', ')
  return `${samples} times the same work of ${(medianSeconds * 1000).toFixed(1)} ms ${place} varied by ${percent(coefficientOfVariation)}; ${shown}\n`
}

const pinningAdvice = (places: readonly PlaceNoise[]): string => {
  const pinning = quieterPinning(places)
  return pinning === null
    ? ''
    : `Children are clearly quieter on a processor of their own: run with --pin ${pinning}, unless what is measured needs two (mmap-populate-thread does).\n`
}

const conclusion = (findings: readonly Finding[]): string => {
  const worst = (['unfit', 'warning'] as const).find((severity) =>
    findings.some((finding) => finding.severity === severity),
  )
  if (worst === 'unfit') return 'This host is not fit to measure on.\n'
  if (worst === 'warning') return 'Numbers of this host will suffer from the warnings above.\n'
  return 'This host is fit to measure on.\n'
}

/** Measures under the host lock, so that it neither disturbs nor is disturbed. */
const ownNoise = async (hostLockPath: string): Promise<readonly PlaceNoise[]> => {
  const launcher = await openLauncher({ hostLock: { path: hostLockPath, waitSeconds: 10 } })
  try {
    return await comparePinnings(launcher, usableProcessors())
  } finally {
    await launcher.close()
  }
}

export const doctorCommand = ({ out }: Surroundings): Command =>
  new Command('doctor')
    .description('say whether this host is fit to measure on, and what to change')
    .option(
      '--no-noise',
      'do not measure how much the same work varies, free and pinned (about three seconds)',
    )
    .addOption(jsonOption())
    .action(async (options: DoctorOptions) => {
      const hostLockPath = defaultHostLockPath()
      const findings = examineHost({ hostLockPath, scratchDirectory: tmpdir() })
      const places = options.noise ? await ownNoise(hostLockPath) : []
      if (options.json === true) {
        const advisedPinning = quieterPinning(places)
        out(`${JSON.stringify({ findings, places, advisedPinning }, null, 2)}\n`)
      } else {
        out(findings.map(findingText).join(''))
        out(places.map(placeText).join('') + pinningAdvice(places))
        out(conclusion(findings))
      }
      if (findings.some(({ severity }) => severity === 'unfit')) {
        process.exitCode = exitCodes.unmeasurable
      }
    })
