/** The variables that tell a hook for what it runs. */

/** For which cell, on which dataset, around which sample; a round is absent outside of samples. */
export interface HookOccasion {
  readonly cellId: string
  readonly datasetDirectory: string | null
  readonly round?: string
}

/** Its variables. */
export const hookVariables = ({
  cellId,
  datasetDirectory,
  round,
}: HookOccasion): Readonly<Record<string, string>> => ({
  ASSAY_CELL: cellId,
  ...(datasetDirectory === null ? {} : { ASSAY_DATASET: datasetDirectory }),
  ...(round === undefined ? {} : { ASSAY_ROUND: round }),
})
