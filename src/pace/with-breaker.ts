// A policy behind a circuit breaker: an endpoint that fails in a row is left alone, then asked by one call at a time.
import { createBreaker } from './breaker.ts'
import { createClosures } from './closures.ts'
import type { Observation } from './observation.ts'
import type { Closure, PaceChange, Policy, Sending } from './policy.ts'
import { LONGEST_NAMED_MS } from './retry-after.ts'

type State =
  | { readonly kind: 'closed' }
  /** `probe`: the one call that asks whether the endpoint is back; while it is out, nothing else goes. */
  | { readonly kind: 'open'; probe: Sending | undefined }

/**
 * A failure says nothing of the rate limit: it does not cut the pace. The circuit is closed while calls flow, open once
 * enough failed (Nygard, Release It!, 2007). `random`: uniform in [0, 1).
 */
export function withBreaker(policy: Policy, random: () => number): Policy {
  const breaker = createBreaker(random)
  const closures = createClosures()
  let state: State = { kind: 'closed' }
  /** A wait that the endpoint named holds, whatever other calls bring meanwhile. */
  let namedUntil = -Infinity

  const tell = (cause: string): PaceChange => ({ ...describe(), cause })
  const describe = (): Omit<PaceChange, 'cause'> => {
    const inner = policy.state()
    return { ...inner, closure: later(inner.closure, closures.current) }
  }

  const onFailure = (
    now: number,
    sending: Sending,
    { reached, cause, namedMs = 0 }: Extract<Observation, { kind: 'failed' }>,
  ): PaceChange | undefined => {
    if (namedMs > 0) {
      closures.close(now, namedMs)
      namedUntil = Math.max(namedUntil, now + Math.min(namedMs, LONGEST_NAMED_MS))
    }
    // What was under way when the circuit opened failed for the same reason.
    const isKnown = state.kind === 'open' && state.probe !== sending
    const pause = isKnown ? undefined : breaker.onFailure(reached, cause)
    if (pause !== undefined) {
      state = { kind: 'open', probe: undefined }
      closures.close(now, pause.ms)
    }
    if (namedMs > 0) return tell(`${cause}, Retry-After ${Number((namedMs / 1000).toFixed(1))} s`)
    return pause && tell(pause.cause)
  }

  return {
    nextSendAt: (now, inFlight) => {
      const due = Math.max(policy.nextSendAt(now, inFlight), namedUntil)
      if (state.kind === 'closed') return due
      return state.probe === undefined ? Math.max(due, closures.current?.until ?? due) : Infinity
    },
    onSend: (now, inFlight) => {
      const sending = policy.onSend(now, inFlight)
      if (state.kind === 'open') state.probe ??= sending
      return sending
    },
    onAnswer: (now, sending, observation) => {
      const change = policy.onAnswer(now, sending, observation)
      if (observation.kind === 'failed') return onFailure(now, sending, observation) ?? change
      if (observation.kind === 'nothing') {
        // Given up by ourselves: the next call asks.
        if (state.kind === 'open' && state.probe === sending) state.probe = undefined
        return change
      }
      // Any answer, a refusal too, says that the endpoint is there.
      state = { kind: 'closed' }
      return breaker.onSuccess() && change === undefined ? tell('calls are taken again') : change
    },
    state: describe,
    ...(policy.learned && { learned: (now) => policy.learned?.(now) }),
  }
}

function later(a: Closure | undefined, b: Closure | undefined): Closure | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a.until >= b.until ? a : b
}
