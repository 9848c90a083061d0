// Limits of the simulated endpoint: those of the sandbox, and some that it does not have.
import { fixedWindow, type Limit, slidingWindow, tokenBucket } from '../../../src/sandbox/limits/models.ts'

export type Headers = Record<string, string>

export interface Verdict {
  readonly admitted: boolean
  readonly headers: Headers
  /** Is the status of a refusal; 429 by default. */
  readonly status?: number
  /** Turns the time that an answer needs into the time until it arrives. */
  readonly delay?: (answerMs: number) => number
}

/** An endpoint's limit in virtual time. Times are in milliseconds and never decrease. */
export interface Server {
  /** Accepts or refuses the call that arrives on a connection. */
  arrive(now: number, connection?: number): Verdict
  finish(now: number): void
}

/** A server to which the end of a call is nothing. */
export const serve = (arrive: Server['arrive']): Server => ({ arrive, finish: () => undefined })
export const verdict = (admitted: boolean, headers: Headers = {}): Verdict => ({ admitted, headers })
const fails = (status: number, headers: Headers = {}): Verdict => ({ ...verdict(false, headers), status })

export type Refusal = (limit: Limit, now: number) => Headers

export const silent: Refusal = () => ({})
export const retryAfter: Refusal = (limit, now) => ({
  'retry-after': String(Math.max(1, Math.ceil((limit.nextAt(now) - now) / 1000))),
})
export const alwaysRetryAfter =
  (seconds: number): Refusal =>
  () => ({ 'retry-after': String(seconds) })
export const ietfFields: Refusal = (limit, now) => {
  const { remaining, resetAt } = limit.standing(now)
  return { ratelimit: `"default";r=${remaining};t=${Math.ceil((resetAt - now) / 1000)}` }
}
export const xReset: Refusal = (limit, now) => {
  const { limit: most, remaining, resetAt } = limit.standing(now)
  return {
    'x-ratelimit-limit': String(most),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((resetAt - now) / 1000)),
  }
}

/** Several limits: all must accept a call, and a refused call uses up none. */
export const limited = (limits: readonly Limit[], refusal: Refusal = silent, always: Headers = {}): Server =>
  serve((now) => {
    const [tightest] = limits.toSorted((a, b) => b.nextAt(now) - a.nextAt(now))
    if (tightest !== undefined && tightest.nextAt(now) > now)
      return verdict(false, { ...always, ...refusal(tightest, now) })
    for (const limit of limits) limit.spend(now)
    return verdict(true, always)
  })

export const fixed = (limit: number, seconds: number): Limit => fixedWindow(limit, seconds * 1000)
export const sliding = (limit: number, seconds: number): Limit => slidingWindow(limit, seconds * 1000)
export const bucket = (perSecond: number, burst: number): Limit => tokenBucket(perSecond, 1000, burst)
export const cells = (perSecond: number, burst: number): Limit => tokenBucket(perSecond, 1000, burst)

/** A sliding window log in which refused calls count, too. */
export function slidingWithRejects(limit: number, seconds: number): Server {
  const times: number[] = []
  return serve((now) => {
    while (times[0] !== undefined && times[0] <= now - seconds * 1000) times.shift()
    return verdict(times.push(now) <= limit)
  })
}

/** Is the count of this window, plus that of the last one weighted by its share that is still in the window. */
export function slidingCounter(limit: number, seconds: number): Limit {
  const windowMs = seconds * 1000
  let [start, count, before] = [0, 0, 0]
  const turnTo = (now: number): void => {
    const current = Math.floor(now / windowMs) * windowMs
    if (current === start) return
    before = current === start + windowMs ? count : 0
    count = 0
    start = current
  }
  const weighted = (now: number): number => count + before * (1 - (now - start) / windowMs)
  return {
    nextAt: (now) => {
      turnTo(now)
      if (weighted(now) + 1 <= limit) return now
      if (before > 0 && count + 1 <= limit) {
        const at = start + windowMs * (1 - (limit - 1 - count) / before)
        if (at <= start + windowMs) return Math.max(now, Math.ceil(at))
      }
      // The next window starts with the whole count of this one.
      return start + windowMs + (count > 0 ? Math.max(0, Math.ceil(windowMs * (1 - (limit - 1) / count))) : 0)
    },
    spend: (now) => {
      turnTo(now)
      count += 1
    },
    standing: (now) => {
      turnTo(now)
      return {
        limit,
        windowMs,
        remaining: Math.max(0, Math.floor(limit - weighted(now))),
        resetAt: start + windowMs,
      }
    },
  }
}

export function concurrent(most: number): Server {
  let inside = 0
  return {
    arrive: () => {
      if (inside >= most) return verdict(false)
      inside += 1
      return verdict(true)
    },
    finish: () => {
      inside -= 1
    },
  }
}

/** Switches to the second limit at `at` milliseconds after the first call. */
export const changing = (first: Server, second: Server, at: number): Server =>
  switching((ms) => (ms < at ? first : second))

export const swinging = (first: Server, second: Server, every: number): Server =>
  switching((ms) => (Math.floor(ms / every) % 2 === 0 ? first : second))

/** Answers nothing but 503 from `from` to `to` milliseconds after the first call. */
export const down = (server: Server, from: number, to: number, headers?: Headers): Server =>
  switching((ms) => (ms >= from && ms < to ? serve(() => fails(503, headers)) : server))

function switching(pick: (ms: number) => Server): Server {
  let began: number | undefined
  const current = (now: number): Server => pick(now - (began ??= now))
  return {
    arrive: (now) => current(now).arrive(now),
    finish: (now) => current(now).finish(now),
  }
}

/** Takes `times` as long for each answer, whatever the pace. */
export const slower = (times: number): Server =>
  serve(() => ({ ...verdict(true), delay: (answerMs) => times * answerMs }))

/** Adds other traffic to the limit: `perSecond` calls at random times, without backoff. */
export function shared(server: Server, perSecond: number, random: () => number): Server {
  const gap = (): number => (-Math.log(1 - random()) * 1000) / perSecond
  let next: number | undefined
  return {
    ...server,
    arrive: (now) => {
      next ??= now + gap()
      for (; next <= now; next += gap()) if (server.arrive(next).admitted) server.finish(next)
      return server.arrive(now)
    },
  }
}

/** Adds a client that keeps `count` calls in flight and sends a refused one again after about a second. */
export function crowded(server: Server, count: number, answerMs: number, random: () => number): Server {
  let next: number[] | undefined
  return {
    ...server,
    arrive: (now) => {
      next ??= Array.from({ length: count }, () => now + random() * answerMs)
      for (let at = Math.min(...next); at <= now; at = Math.min(...next)) {
        const ms = server.arrive(at).admitted ? answerMs : 1000
        next[next.indexOf(at)] = at + ms * (0.5 + random())
      }
      return server.arrive(now)
    },
  }
}

/** Refuses everything for `blockMs` once a window holds too many calls, as Cloudflare does. */
export function blocking(window: Limit, blockMs: number): Server {
  let blockedUntil = -Infinity
  return serve((now) => {
    if (now >= blockedUntil && window.nextAt(now) > now) blockedUntil = now + blockMs
    const admitted = now >= blockedUntil
    if (admitted) window.spend(now)
    return verdict(admitted)
  })
}

/** Pods that count apart; a load balancer gives each connection to one of them. */
export function pods(all: readonly Server[], random: () => number): Server {
  const podOf = new Map<number, Server>()
  return serve((now, connection = 0) => {
    const pod = podOf.get(connection) ?? all[Math.floor(random() * all.length)]
    if (pod === undefined) throw new Error('no pod')
    podOf.set(connection, pod)
    return pod.arrive(now)
  })
}

/** Works on calls one after the other; a call that finds the queue full gets a 503. */
export function leakyQueue(perSecond: number, capacity: number, headers?: Headers): Server {
  const ms = 1000 / perSecond
  let freeAt = -Infinity
  return serve((now) => {
    const waitMs = Math.max(0, freeAt - now)
    if (waitMs > (capacity - 1) * ms) return fails(503, headers)
    freeAt = now + waitMs + ms
    return { ...verdict(true), delay: (answerMs) => waitMs + answerMs }
  })
}

export function workers(count: number): Server {
  const freeAt = Array.from({ length: count }, () => -Infinity)
  return serve((now) => ({
    ...verdict(true),
    delay: (answerMs) => {
      const first = freeAt.indexOf(Math.min(...freeAt))
      const endsAt = Math.max(now, freeAt[first] ?? now) + answerMs
      freeAt[first] = endsAt
      return endsAt - now
    },
  }))
}

/** Fails a share of the calls with this status, whatever the pace. */
export const failing = (server: Server, status: number, share: number, random: () => number): Server => ({
  ...server,
  arrive: (now, connection) => (random() < share ? fails(status) : server.arrive(now, connection)),
})
