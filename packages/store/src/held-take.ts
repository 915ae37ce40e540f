/** The token behind a write: what it stands for, and how it loses its worth. */
import type { Context } from './context.ts'
import { takeForeign, takeStale } from './errors.ts'
import type { HeldRow } from './tables/take.ts'

/** What a token that is known stands for, whatever became of it; or `take-stale`. */
export const requireKnown = ({ statements }: Context, token: string): HeldRow => {
  const held = statements.take.held.get(token)
  if (held) return held
  const reason = statements.take.staleReason.get(token)?.reason
  throw takeStale(token, reason ?? 'its token is unknown')
}

/** What a token that allows writes stands for; or `take-stale`. */
export const requireLive = (context: Context, token: string): HeldRow => {
  const held = requireKnown(context, token)
  if (held.runStatus === 'cancelled') throw takeStale(token, 'the run was cancelled')
  if (held.blockStatus !== 'taken') throw takeStale(token, `the block is ${held.blockStatus}`)
  return held
}

/** Rejects a token that stands for another block: `take-foreign`, or `take-stale` if it is unknown. */
export const requireOfBlock = (
  context: Context,
  token: string,
  block: { readonly runId: string; readonly blockId: string },
): void => {
  const { runId, blockId } = requireKnown(context, token)
  if (runId !== block.runId || blockId !== block.blockId)
    throw takeForeign(block, { runId, blockId })
}

/** Takes the token from a take, and remembers why. */
export const retireToken = (context: Context, takeKey: number, reason: string): void => {
  const { take } = context.statements
  take.keepToken.run({ takeKey, at: context.now(), reason })
  take.dropToken.run(takeKey)
}
