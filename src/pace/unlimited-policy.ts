// `--rate unlimited`: no pace; refusals and failures still close the gate for everybody.
import { backoffMs, createBreaker } from './breaker.ts'
import { LONGEST_NAMED_MS } from './retry-after.ts'
import type { Closure, Policy } from './policy.ts'

/** `random`: uniform in [0, 1). */
export function createUnlimitedPolicy(random: () => number): Policy {
  const breaker = createBreaker(random)
  let closure: Closure | undefined
  let epoch = 0
  let refusedRounds = 0

  const close = (now: number, ms: number, named: boolean): void => {
    if (closure === undefined || closure.until < now + ms) closure = { from: now, until: now + ms, named }
  }

  return {
    nextSendAt: (now) => Math.max(now, closure?.until ?? now),
    onSend: (now, inFlight) => ({ at: now, inFlight, epoch, handle: 0 }),
    onAnswer: (now, sending, observation) => {
      switch (observation.kind) {
        case 'accepted': {
          const wasClosed = breaker.onSuccess() || refusedRounds > 0
          if (sending.epoch === epoch) refusedRounds = 0
          return wasClosed && refusedRounds === 0
            ? { pace: null, closure, cause: 'calls are taken again' }
            : undefined
        }
        case 'rateLimited': {
          const named = observation.namedMs ?? 0
          const isNew = sending.epoch === epoch
          // What was under way when the gate closed can only extend a named wait.
          if (!isNew && named === 0) return undefined
          if (isNew) {
            epoch += 1
            refusedRounds += 1
          }
          close(now, named > 0 ? named : backoffMs(refusedRounds, random), named > 0)
          return { pace: null, closure, cause: describeRefusal(observation.namedMs) }
        }
        case 'failed': {
          const pause = breaker.onFailure(observation.reached, observation.cause)
          if (pause === undefined || (closure !== undefined && closure.until > now)) return undefined
          close(now, pause.ms, false)
          return { pace: null, closure, cause: pause.cause }
        }
        case 'nothing':
          return undefined
      }
    },
    splitAmong: () => undefined,
    state: () => ({ pace: null, closure }),
  }
}

export function describeRefusal(namedMs: number | undefined): string {
  if (namedMs === undefined) return '429'
  if (namedMs >= LONGEST_NAMED_MS) return '429, Retry-After of an hour or more: trying again after an hour'
  return `429, Retry-After ${Number((namedMs / 1000).toFixed(1))} s`
}
