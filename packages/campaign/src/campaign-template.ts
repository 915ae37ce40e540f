/** The campaign that `assay init` writes: it runs as it is, and teaches by its comments. */

/** YAML of a first campaign called `name`. */
export const campaignTemplate = (
  name: string,
): string => `# A benchmark campaign. Check it with \`assay validate\`, see its plan with \`assay plan\`,
# measure it with \`assay run\`.
name: ${JSON.stringify(name)}
description: Does populating the mapping pay?

# What is set against what: one factor, label: level. The first level is the baseline.
# Without labels: compare: { mode: [mmap-populate, mmap-no-populate] }
compare:
  mode:
    with-populate: mmap-populate
    no-populate: mmap-no-populate

# What executes. The embedded engine needs nothing installed.
engines: [revlog]

# The repositories, generated when they are first needed.
datasets:
  small:
    generate: mercurial-like
    scale: 0.02 # fraction of the original's changesets
    format: [zstd, sparse-revlog]

# What is timed. A list of levels measures each of them.
benchmarks:
  - name: hg.command.log
    with: { patch: no, limit-rev: [10, 1000] }

# Combinations to leave out, for instance:
# exclude: [{ mode: no-populate, limit-rev: 10 }]

sampling:
  rounds: 20..60 # fewest and most
  precision: 1% # stop once each interval is that narrow
  warmups: 1
  cache: warm
  budget: 10m # for the whole run
  selfCheck: true # measure the baseline twice, to know the noise

verdict:
  threshold: 1% # smallest effect of a regression or improvement
  tolerance: 2% # what lies within counts as unchanged
  minDifference: 0s
`
