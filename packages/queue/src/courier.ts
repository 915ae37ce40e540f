/**
 * The port through which blocks reach workers. A courier is trusted with nothing but getting a block
 * to somebody soon: it may deliver twice, or lose everything, and the store still decides who
 * measures what (a block is taken there, and whatever the store holds queued is added again).
 */

/** A block that is to be measured. Run and block together are its identity. */
export interface Job {
  readonly runId: string
  readonly blockId: string
  /** The machine class that may measure it. */
  readonly pool: string
  /** The smaller number goes first; equal ones go in the order in which they were added. */
  readonly priority: number
}

/**
 * A job in a consumer's hands, until it is done, given back, or counted as lost. After that both
 * functions do nothing.
 */
export interface Delivery {
  readonly runId: string
  readonly blockId: string
  /**
   * The job is over: it was measured, or is nobody's business any more. Also right for a block that
   * turns out to be held by another worker, since the store has it added again if that one dies.
   */
  done(): Promise<void>
  /** Somebody else should have it: it waits again at its old place. */
  giveBack(): Promise<void>
}

/** What a consumer asks for. */
export interface NextRequest {
  readonly pool: string
  /** How long to wait for a job; 0 only looks. */
  readonly waitMillis: number
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

/** A queue of jobs, by pool. */
export interface Courier {
  /** Idempotent: a job that is waiting or delivered stays as it is. */
  add(jobs: readonly Job[]): Promise<void>
  /**
   * The next job of a pool, handed to this caller alone until its delivery ends. Null if none came
   * in time, the signal was raised, or the courier was closed.
   */
  next(request: NextRequest): Promise<Delivery | null>
  /** Forgets the jobs of a run, delivered ones too. */
  remove(runId: string): Promise<void>
  /** A paused pool delivers nothing; jobs may be added. Pausing outlives a restart. */
  pause(pool: string): Promise<void>
  resume(pool: string): Promise<void>
  /** How many jobs wait to be delivered, in all pools. */
  depth(): Promise<number>
  /** Ends every wait. What waits in the queue stays there. */
  close(): Promise<void>
}
