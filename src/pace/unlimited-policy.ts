// `--rate unlimited`: no pace; refusals and failures still close the gate for everybody.
import { backoffMs } from './breaker.ts'
import { createClosures } from './closures.ts'
import { LONGEST_NAMED_MS } from './retry-after.ts'
import type { Policy } from './policy.ts'
import { createSlowStart, type SlowStart } from './slow-start.ts'
import { withBreaker } from './with-breaker.ts'

/** `random`: uniform in [0, 1). */
export function createUnlimitedPolicy(random: () => number): Policy {
  return withBreaker(createUnpaced(random), random)
}

function createUnpaced(random: () => number): Policy {
  const closures = createClosures()
  let epoch = 0
  let isRefused = false
  /** Openings in a row that let nothing through: what the pause grows with. */
  let vainRounds = 0
  /** Undefined until the first refusal: what never meets one is not counted. */
  let slowStart: SlowStart | undefined

  return {
    nextSendAt: (now) => {
      if (slowStart === undefined) return now
      const openAt = closures.current?.until ?? now
      return openAt > now ? openAt : slowStart.nextAt(now)
    },
    onSend: (now, inFlight) => ({
      at: now,
      inFlight,
      epoch,
      handle: slowStart === undefined ? 0 : slowStart.onSend(now),
    }),
    onAnswer: (now, sending, observation) => {
      switch (observation.kind) {
        case 'accepted': {
          if (slowStart === undefined) return undefined
          slowStart.onEnd(sending.handle)
          const wasRefused = isRefused
          // Where many leave at once, some are taken and the others refused, who hear it sooner.
          if (sending.epoch >= epoch - 1) vainRounds = 0
          if (sending.epoch === epoch) isRefused = false
          return wasRefused && !isRefused
            ? { pace: null, closure: closures.current, cause: 'calls are taken again' }
            : undefined
        }
        case 'rateLimited': {
          const named = observation.namedMs ?? 0
          const { current } = closures
          // Whatever did not wait for the gate (a load test's arrivals) does not show that it opened too soon.
          const leftMeanwhile =
            current !== undefined && sending.at >= current.from && sending.at < current.until
          const isNew = sending.epoch === epoch && !leftMeanwhile
          slowStart ??= createSlowStart()
          slowStart.onRefusal(sending.handle, now - sending.at)
          // Nor what was under way when it closed: both can only extend a named wait.
          if (!isNew && named === 0) return undefined
          if (isNew) {
            epoch += 1
            slowStart.restart()
            isRefused = true
            vainRounds += 1
          }
          closures.close(now, named > 0 ? named : backoffMs(vainRounds, random))
          return { pace: null, closure: closures.current, cause: describeRefusal(observation.namedMs) }
        }
        case 'failed':
        case 'nothing':
          slowStart?.onEnd(sending.handle)
          return undefined
      }
    },
    state: () => ({ pace: null, closure: closures.current }),
  }
}

export function describeRefusal(namedMs: number | undefined): string {
  if (namedMs === undefined) return '429'
  if (namedMs > LONGEST_NAMED_MS) return '429, Retry-After of more than an hour: trying again after an hour'
  return `429, Retry-After ${Number((namedMs / 1000).toFixed(1))} s`
}
