// What the endpoint states about its limit: the slowest policy that does not allow all that is left.
import { duration } from '../domain/format.ts'
import { type Hints, type Policy, rateOf, type SentCall } from './observation.ts'
import { knownRate } from './rules.ts'
import { ceilingOf, paidAt, type PaceState, startPace, type Stated } from './state.ts'

/** Notes what a response states. The slowest policy sets the pace, unless it allows all that is left. */
export function heed(state: PaceState, { number }: SentCall, hints?: Hints): PaceState {
  const { rules } = state
  const inFlight =
    hints?.concurrent === undefined
      ? state.inFlight
      : { ...state.inFlight, stated: Math.max(1, hints.concurrent) }
  const stated = hints === undefined ? state.stated : noteStated(state.stated, number, hints, rules.share)
  const left = state.left ?? Infinity
  // The pace at the end stays the one of the run.
  const isHeeded = left > 0 && stated.all.length > 0
  const short = stated.all.filter(({ reaches }) => reaches === null || reaches < state.sent + left)
  const slowest = short.toSorted((a, b) => rateOf(a) - rateOf(b))[0] ?? null
  const policy = isHeeded ? slowest : state.policy
  const next = { ...state, inFlight, stated, policy }
  const [before, ceiling] = [ceilingOf(state), ceilingOf(next)]
  if (ceiling > before) {
    const pace = ceiling < Infinity ? ceiling : Math.max(state.pace, startPace(rules))
    return { ...next, pace, limit: pace, search: null }
  }
  if (policy === null || ceiling === before || (state.search?.kind !== 'ramp' && state.pace <= ceiling))
    return next
  const slowed = { ...next, pace: ceiling, limit: rateOf(policy), search: null }
  // Calls sent before the first policy was known have used up part of it.
  if (state.stated.all.length > 0) return slowed
  // The next call is delayed as if all of them had been sent at the present pace.
  return { ...slowed, nextAt: Math.max(state.nextAt ?? 0, paidAt(state, slowed.pace)) }
}

/** Adds what the response to call `number` states; `share` of what remains may be used. */
function noteStated(before: Stated, number: number, hints: Hints, share: number): Stated {
  const { policies, remaining } = hints
  if (number < before.asOf || (policies.length === 0 && remaining.size === 0)) return before
  const known: readonly Policy[] = policies.length > 0 ? policies : before.all
  const all = known.map(({ name, calls, seconds }) => {
    // In older forms what remains belongs to the policy of that many calls, or to the only one.
    const named = name === '' ? undefined : remaining.get(name)
    const left = named ?? remaining.get(String(calls)) ?? (known.length === 1 ? remaining.get('') : undefined)
    const reaches = left === undefined ? null : number + 1 + Math.floor(share * left)
    return { name, calls, seconds, reaches }
  })
  return { asOf: number, all }
}

/** Words the policy that sets the pace, if one does: 429s, or the user's rate, may have set a lower one. */
export function settingPolicy(state: PaceState): string | undefined {
  const { policy } = state
  const isSetting =
    policy !== null && rateOf(policy) < knownRate(state.rules) && state.pace >= ceilingOf(state)
  if (!isSetting) return undefined
  const { name, calls, seconds } = policy
  return `${calls} calls in ${duration(1000 * seconds)}${name === '' ? '' : ` (policy "${name}")`}`
}
