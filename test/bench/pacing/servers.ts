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
  /** An accepted call has its answer. */
  finish(now: number): void
  /** Other traffic on the same limit. */
  readonly others?: Others
}

export interface Others {
  asked: number
  admitted: number
}

type Refusal = (limit: Limit, now: number) => Headers

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
export function limited(limits: readonly Limit[], refusal: Refusal = silent, always: Headers = {}): Server {
  const nextAt = (now: number): number => Math.max(now, ...limits.map((limit) => limit.nextAt(now)))
  return {
    arrive: (now) => {
      if (nextAt(now) <= now) {
        for (const limit of limits) limit.spend(now)
        return { admitted: true, headers: always }
      }
      const tightest = limits.toSorted((a, b) => b.nextAt(now) - a.nextAt(now))[0]
      return {
        admitted: false,
        headers: { ...always, ...(tightest === undefined ? {} : refusal(tightest, now)) },
      }
    },
    finish: () => undefined,
  }
}

export const fixed = (limit: number, seconds: number): Limit => fixedWindow(limit, seconds * 1000)
export const sliding = (limit: number, seconds: number): Limit => slidingWindow(limit, seconds * 1000)
export const bucket = (perSecond: number, burst: number): Limit => tokenBucket(perSecond, 1000, burst)
export const cells = (perSecond: number, burst: number): Limit => tokenBucket(perSecond, 1000, burst)

/** A sliding window log in which refused calls count, too. */
export function slidingWithRejects(limit: number, seconds: number): Server {
  const windowMs = seconds * 1000
  const times: number[] = []
  return {
    arrive: (now) => {
      while (times[0] !== undefined && times[0] <= now - windowMs) times.shift()
      const admitted = times.length < limit
      times.push(now)
      return { admitted, headers: {} }
    },
    finish: () => undefined,
  }
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

/** At most that many calls in flight. */
export function concurrent(most: number): Server {
  let inside = 0
  return {
    arrive: () => {
      if (inside >= most) return { admitted: false, headers: {} }
      inside += 1
      return { admitted: true, headers: {} }
    },
    finish: () => {
      inside -= 1
    },
  }
}

/** Switches to the second limit at `at` milliseconds after the first call. */
export const changing = (first: Server, second: Server, at: number): Server =>
  switching((ms) => (ms < at ? first : second))

/** Changes between two limits each `every` milliseconds. */
export const swinging = (first: Server, second: Server, every: number): Server =>
  switching((ms) => (Math.floor(ms / every) % 2 === 0 ? first : second))

/** Picks the limit by the milliseconds since the first call. */
function switching(pick: (ms: number) => Server): Server {
  let began: number | undefined
  const current = (now: number): Server => pick(now - (began ??= now))
  return {
    arrive: (now) => current(now).arrive(now),
    finish: (now) => current(now).finish(now),
  }
}

/** Adds other traffic to the limit: `perSecond` calls at random times, without backoff. */
export function shared(server: Server, perSecond: number, random: () => number): Server {
  const others: Others = { asked: 0, admitted: 0 }
  const gap = (): number => (-Math.log(1 - random()) * 1000) / perSecond
  let next: number | undefined
  const addOthers = (now: number): void => {
    next ??= now + gap()
    for (; next <= now; next += gap()) {
      others.asked += 1
      if (server.arrive(next).admitted) {
        others.admitted += 1
        server.finish(next)
      }
    }
  }
  return {
    others,
    arrive: (now) => {
      addOthers(now)
      return server.arrive(now)
    },
    finish: (now) => server.finish(now),
  }
}

/** Refuses everything for `blockMs` once a sliding window holds too many calls, as Cloudflare does. */
export function blocking(limit: number, seconds: number, blockMs: number): Server {
  const rule = sliding(limit, seconds)
  let blockedUntil = -Infinity
  return {
    arrive: (now) => {
      if (now >= blockedUntil && rule.nextAt(now) > now) blockedUntil = now + blockMs
      const admitted = now >= blockedUntil
      if (admitted) rule.spend(now)
      return { admitted, headers: {} }
    },
    finish: () => undefined,
  }
}

/** Pods that count apart; a load balancer gives each connection to one of them. */
export function pods(all: readonly Server[], random: () => number): Server {
  const podOf = new Map<number, Server>()
  return {
    arrive: (now, connection = 0) => {
      const pod = podOf.get(connection) ?? all[Math.floor(random() * all.length)]
      if (pod === undefined) throw new Error('no pod')
      podOf.set(connection, pod)
      return pod.arrive(now)
    },
    finish: () => undefined,
  }
}

/** Works on calls one after the other; a call that finds the queue full gets a 503. */
export function leakyQueue(perSecond: number, capacity: number): Server {
  const ms = 1000 / perSecond
  let freeAt = -Infinity
  return {
    arrive: (now) => {
      const waitMs = Math.max(0, freeAt - now)
      if (waitMs > (capacity - 1) * ms) return { admitted: false, headers: {}, status: 503 }
      freeAt = now + waitMs + ms
      return { admitted: true, headers: {}, delay: (answerMs) => waitMs + answerMs }
    },
    finish: () => undefined,
  }
}

/** Works on so many calls at once; the others wait. */
export function workers(count: number): Server {
  const freeAt = Array.from({ length: count }, () => -Infinity)
  return {
    arrive: (now) => ({
      admitted: true,
      headers: {},
      delay: (answerMs) => {
        const first = freeAt.indexOf(Math.min(...freeAt))
        const endsAt = Math.max(now, freeAt[first] ?? now) + answerMs
        freeAt[first] = endsAt
        return endsAt - now
      },
    }),
    finish: () => undefined,
  }
}

/** Fails a share of the calls with this status, whatever the pace. */
export function failing(server: Server, status: number, share: number, random: () => number): Server {
  return {
    arrive: (now, connection) =>
      random() < share ? { admitted: false, headers: {}, status } : server.arrive(now, connection),
    finish: (now) => server.finish(now),
  }
}

/** Answers nothing but 503 from `from` to `to` milliseconds after the first call. */
export const down = (server: Server, from: number, to: number): Server => {
  const outage: Server = {
    arrive: () => ({ admitted: false, headers: {}, status: 503 }),
    finish: () => undefined,
  }
  return switching((ms) => (ms >= from && ms < to ? outage : server))
}

/** Takes `times` as long for each answer from `from` milliseconds after the first call, whatever the pace. */
export function slower(times: number, from: number): Server {
  let began: number | undefined
  return {
    arrive: (now) => {
      const isSlow = now - (began ??= now) >= from
      return { admitted: true, headers: {}, delay: (answerMs) => (isSlow ? times : 1) * answerMs }
    },
    finish: () => undefined,
  }
}

/** Adds a client that keeps `count` calls in flight and sends a refused one again after about a second. */
export function crowded(server: Server, count: number, answerMs: number, random: () => number): Server {
  const others: Others = { asked: 0, admitted: 0 }
  let next: number[] | undefined
  return {
    others,
    arrive: (now) => {
      next ??= Array.from({ length: count }, () => now + random() * answerMs)
      for (let at = Math.min(...next); at <= now; at = Math.min(...next)) {
        const { admitted } = server.arrive(at)
        others.asked += 1
        if (admitted) others.admitted += 1
        next[next.indexOf(at)] = at + (admitted ? answerMs : 1000) * (0.5 + random())
      }
      return server.arrive(now)
    },
    finish: (now) => server.finish(now),
  }
}
