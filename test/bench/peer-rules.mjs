/**
 * How other tools decide that two series of samples differ, as their sources and documents say.
 * Each rule answers whether it would flag the pair of series.
 */
import { mannWhitney } from '@assay/stats'
import { median } from './table.mjs'

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

const sampleVariance = (values) => {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

const changeOf = (baseline, candidate) => median(candidate) / median(baseline) - 1

/** ln of the gamma function (Lanczos 1964; g = 5, six terms as in Numerical Recipes, section 6.1). */
const lnGamma = (x) => {
  const terms = [
    76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155,
    0.001208650973866179, -0.000005395239384953,
  ]
  const series = terms.reduce((sum, term, at) => sum + term / (x + at + 1), 1.000000000190015)
  const shifted = x + 5.5
  return (x + 0.5) * Math.log(shifted) - shifted + Math.log((2.5066282746310007 * series) / x)
}

/** The regularized incomplete beta function by its continued fraction (Abramowitz & Stegun 26.5.8). */
const incompleteBeta = (x, a, b) => {
  if (x <= 0) return 0
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  let fraction = 1
  for (let m = 100; m >= 1; m -= 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m - 1) * (a + b + m - 1) * x) / ((a + 2 * m - 2) * (a + 2 * m - 1))
    fraction = 1 + odd / (1 + even / fraction)
  }
  const front = lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x)
  return Math.exp(front) / a / fraction
}

const welch = (baseline, candidate) => {
  const [a, b] = [baseline, candidate].map((values) => sampleVariance(values) / values.length)
  const t = (mean(candidate) - mean(baseline)) / Math.sqrt(a + b)
  const freedom = (a + b) ** 2 / (a ** 2 / (baseline.length - 1) + b ** 2 / (candidate.length - 1))
  return { t, pValue: incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) }
}

/** hyperfine prints `ratio +- sigma`, the spreads of both sides propagated. */
const ratioExcludesOne = (baseline, candidate) => {
  const [a, b] = [mean(baseline), mean(candidate)]
  const ratio = b / a
  const spread =
    ratio * Math.sqrt(sampleVariance(baseline) / a ** 2 + sampleVariance(candidate) / b ** 2)
  return Math.abs(ratio - 1) > spread
}

const cliffsDelta = (baseline, candidate) =>
  (2 * mannWhitney(baseline, candidate).u) / (baseline.length * candidate.length) - 1

const isRankSignificant = (baseline, candidate) => mannWhitney(baseline, candidate).pValue <= 0.05

/** The rules by name; `layout` is how the tool's users measure. */
export const peerRules = [
  {
    name: 'difference of medians > 1 %',
    layout: 'interleaved',
    flags: (a, b) => Math.abs(changeOf(a, b)) > 0.01,
  },
  {
    name: 'difference of medians > 3 %',
    layout: 'interleaved',
    flags: (a, b) => Math.abs(changeOf(a, b)) > 0.03,
  },
  { name: 'ratio +- sigma excludes 1 (hyperfine)', layout: 'blocks', flags: ratioExcludesOne },
  {
    name: 'Welch t, p < .05',
    layout: 'blocks',
    flags: (a, b) => welch(a, b).pValue < 0.05,
  },
  { name: 'Mann-Whitney, p <= .05, in blocks', layout: 'blocks', flags: isRankSignificant },
  { name: 'Mann-Whitney, p <= .05, interleaved', layout: 'interleaved', flags: isRankSignificant },
  {
    name: 'p < .002 and factor 1.1 (asv)',
    layout: 'interleaved',
    flags: (a, b) => {
      const ratio = 1 + changeOf(a, b)
      return (ratio > 1.1 || ratio < 1 / 1.1) && mannWhitney(a, b).pValue < 0.002
    },
  },
  {
    // Confident from 5, or from 3 with six runs a side: 12 rounds and more always have those.
    name: '|t| >= 3 with n >= 6 (Perfherder)',
    layout: 'blocks',
    flags: (a, b) => Math.abs(welch(a, b).t) >= (a.length >= 6 && b.length >= 6 ? 3 : 5),
  },
  {
    name: 'p <= .05 and |delta| >= .15 (Perfherder)',
    layout: 'blocks',
    flags: (a, b) => isRankSignificant(a, b) && Math.abs(cliffsDelta(a, b)) >= 0.15,
  },
]
