/**
 * A connection to Redis that tells when it is down instead of piling up commands: whoever asks waits
 * a little for it to come back and then gets a typed error; it reconnects by itself for ever. What
 * is asked is the caller's business.
 */
import { AssayError } from '@assay/model'
import { Redis } from 'ioredis'
import { queueAddressInvalid, queueRefused, queueUnreachable, queueUnsuitable } from './errors.ts'
import { startTimer } from './waiting-room.ts'

/** A connection on which a command waits, and nothing comes for so long, is dead: made anew. */
const silenceMillis = 15_000

/** BullMQ's default goes up to 20 s, for which an idle consumer would sleep on after an outage. */
const retryMillis = (attempt: number): number => Math.min(attempt * 200, 2_000)

/** Redis learned what BullMQ relies on in 6.2 (BullMQ's `recommendedMinimumVersion`). */
const leastVersion: readonly [number, number] = [6, 2]

/** An open connection. */
export interface RedisLink {
  readonly client: Redis
  /**
   * Does `work` if Redis is there, or comes back soon. Rejects with `queue-unreachable` or
   * `queue-refused`; work that was begun may then still happen.
   */
  ask<Answer>(work: () => Promise<Answer>): Promise<Answer>
  /** The typed error for what a command rejected with. */
  explain(error: unknown): AssayError
  /** Says that something went wrong, once for each outage and each kind of trouble. */
  report(error: unknown): void
  /** Ends the connection, also one that is down. */
  close(): Promise<void>
}

/** How a link is opened. */
export interface RedisLinkOptions {
  readonly url: string
  /** How long Redis may take to answer before it counts as unreachable; also when first asked. */
  readonly answerMillis: number
  readonly onTrouble: (error: AssayError) => void
}

/** The address without its credentials, for people to read. */
const publicAddress = (url: string): string => {
  if (url.startsWith('/')) return url
  if (!URL.canParse(url)) throw queueAddressInvalid()
  const { protocol, host, pathname } = new URL(url)
  if (!['redis:', 'rediss:'].includes(protocol) || host === '') throw queueAddressInvalid()
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

/** Whether the trouble is with reaching Redis, not with what was asked. */
const isAboutReaching = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof AggregateError ||
    'syscall' in error ||
    /connection is closed|timeout|timed out|econn|epipe/i.test(error.message))

const typed = (where: string, error: unknown): AssayError => {
  if (error instanceof AssayError) return error
  return isAboutReaching(error) ? queueUnreachable(where, error) : queueRefused(where, error)
}

/** Settles as `work` does; rejects if that takes too long. */
const inTime = <Answer>(work: Promise<Answer>, millis: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const stopTimer = startTimer(millis, () =>
      reject(new Error(`timed out: no answer for ${millis} ms`)),
    )
    work.then(resolve, reject).finally(stopTimer)
  })

/** Resolves when the connection stands; rejects with the last trouble if it does not in time. */
const comeBack = async (client: Redis, millis: number): Promise<void> => {
  let last: unknown = null
  let end = (): void => undefined
  const note = (error: unknown): void => {
    last = error
  }
  client.on('error', note)
  try {
    const settled = new Promise<void>((resolve, reject) => {
      end = () => (client.status === 'end' ? reject(new Error('Connection is closed.')) : resolve())
      client.once('ready', end).once('end', end)
    })
    await inTime(settled, millis)
  } catch (error) {
    throw last ?? error
  } finally {
    client.off('error', note).off('ready', end).off('end', end)
  }
}

/** Waits for the connection to stand; however many wait, it is listened to once. */
const gate = (client: Redis, millis: number): (() => Promise<void>) => {
  let waiting: Promise<void> | null = null
  return async () => {
    if (client.status === 'ready') return
    waiting ??= comeBack(client, millis).finally(() => {
      waiting = null
    })
    await waiting
  }
}

const infoOf = (text: string, name: string): string | null =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1] ?? null

/** Throws if this Redis is too old; returns a warning if it may throw keys away. */
const examine = async (client: Redis, where: string): Promise<AssayError | null> => {
  const text = await client.info()
  const version = infoOf(text, 'redis_version') ?? 'unknown'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = leastVersion
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    const why = `is version ${version}: the queue needs ${leastVersion.join('.')} or later`
    throw queueUnsuitable(where, why)
  }
  const policy = infoOf(text, 'maxmemory_policy')
  if (policy === null || policy === 'noeviction') return null
  return queueUnsuitable(
    where,
    `may throw jobs away when its memory is full (maxmemory-policy ${policy}): set it to noeviction`,
  )
}

/** Each kind of trouble once until the connection stands again. */
const reporter = (client: Redis, { where, onTrouble }: { where: string } & RedisLinkOptions) => {
  const told = new Set<string>()
  client.on('ready', () => told.clear())
  return (error: unknown): void => {
    const trouble = typed(where, error)
    if (told.has(trouble.code)) return
    told.add(trouble.code)
    onTrouble(trouble)
  }
}

/**
 * Connects. Errors: `queue-unreachable`, `queue-refused` (a wrong password, say),
 * `queue-unsuitable`, `queue-address-invalid`.
 */
export const openRedisLink = async (options: RedisLinkOptions): Promise<RedisLink> => {
  const where = publicAddress(options.url)
  const { answerMillis } = options
  const client = new Redis(options.url, {
    // BullMQ demands it of a connection that blocks; `ask` bounds what else is asked.
    maxRetriesPerRequest: null,
    retryStrategy: retryMillis,
    connectTimeout: answerMillis,
    socketTimeout: silenceMillis,
  })
  let isOpen = false
  const report = reporter(client, { ...options, where })
  // Without a listener ioredis prints.
  client.on('error', (error) => isOpen && report(error))
  const standing = gate(client, answerMillis)
  try {
    await standing()
    const warning = await inTime(examine(client, where), answerMillis)
    isOpen = true
    if (warning !== null) options.onTrouble(warning)
  } catch (error) {
    client.disconnect()
    throw typed(where, error)
  }
  return {
    ...{ client, report, explain: (error) => typed(where, error) },
    async ask(work) {
      try {
        await standing()
        return await inTime(work(), answerMillis)
      } catch (error) {
        throw typed(where, error)
      }
    },
    async close() {
      isOpen = false
      client.disconnect()
    },
  }
}
