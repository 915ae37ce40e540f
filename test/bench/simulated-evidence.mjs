/** Series of samples as the evidence of a complete run, so that the product's own judge judges them. */

const sampling = {
  rounds: { min: 12, max: 60 },
  precision: 0.01,
  warmups: 0,
  cache: 'warm',
  budgetSeconds: null,
  selfCheck: false,
  timeoutSeconds: 60,
}

/** The rules that a campaign has by default. */
const verdict = {
  threshold: 0.01,
  tolerance: 0.02,
  minDifferenceSeconds: 0,
  falseDiscoveryRate: 0.05,
}

const plannedCell = (id, role) => ({
  id,
  label: role,
  role,
  variantId: role,
  engine: { name: 'fake', flavor: 'default', script: null },
  mode: role,
  dataset: null,
  parameters: {},
  command: null,
  unsupported: null,
})

const cellOf = (cellId, seconds) => ({
  cellId,
  status: 'measured',
  reason: null,
  samples: Array.from(seconds, (value, at) => ({
    round: at + 1,
    position: 0,
    outcome: 'good',
    value,
  })),
})

/** One block of a baseline and a candidate for each series. */
export const reportEvidence = (series) => {
  const shared = { campaign: 'simulated', campaignDigest: '', seed: '' }
  return {
    run: {
      ...shared,
      id: 'simulated',
      name: null,
      status: 'complete',
      reason: null,
      createdAt: 0,
      finishedAt: 0,
      plan: {
        ...shared,
        comparedFactor: 'mode',
        sampling,
        verdict,
        blocks: series.map((_, at) => ({
          id: `b${at}`,
          headings: {},
          benchmark: { name: 'simulated', version: 1 },
          cells: [plannedCell(`b${at}.c1`, 'baseline'), plannedCell(`b${at}.c2`, 'candidate')],
        })),
      },
    },
    metric: { name: 'wallSeconds', unit: 'seconds' },
    blocks: series.map(({ baseline, candidate }, at) => ({
      blockId: `b${at}`,
      stopReason: 'rounds',
      fingerprint: 'simulated',
      cells: [cellOf(`b${at}.c1`, baseline), cellOf(`b${at}.c2`, candidate)],
    })),
  }
}
