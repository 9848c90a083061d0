// What the endpoint states about its limit: the slowest policy that does not allow all that is left.
import { type Hints, type Policy, rateOf } from './hints.ts'
import { countCalls, firstAt } from './log.ts'
import { knownRate } from './rules.ts'
import {
  ceilingOf,
  type Paced,
  type PaceState,
  type SentCall,
  slotMs,
  startPace,
  type Stated,
} from './state.ts'

/** Notes what a response states. The slowest policy sets the pace, unless it allows all that is left. */
export function heed(state: PaceState, paced: Paced, { number }: SentCall, hints?: Hints): PaceState {
  const { rules } = state
  const inFlight =
    hints?.concurrent === undefined
      ? paced.inFlight
      : { ...paced.inFlight, stated: Math.max(1, hints.concurrent) }
  const stated = hints === undefined ? paced.stated : noteStated(paced.stated, number, hints, rules.share)
  const left = state.left ?? Infinity
  // The pace at the end stays the one of the run.
  const isHeeded = left > 0 && stated.all.length > 0
  const short = stated.all.filter(({ reaches }) => reaches === null || reaches < state.sent + left)
  const slowest = short.toSorted((a, b) => rateOf(a) - rateOf(b))[0] ?? null
  const policy = isHeeded ? slowest : paced.policy
  const next = { ...paced, inFlight, stated, policy }
  const [before, ceiling] = [ceilingOf(rules, paced), ceilingOf(rules, next)]
  if (ceiling > before) {
    const pace = ceiling < Infinity ? ceiling : Math.max(paced.pace, startPace(rules))
    return { ...state, paced: { ...next, pace, limit: pace, search: null } }
  }
  if (policy === null || ceiling === before || (paced.search?.kind !== 'ramp' && paced.pace <= ceiling))
    return { ...state, paced: next }
  const slowed = { ...next, pace: ceiling, limit: rateOf(policy), search: null }
  // Calls sent before the first policy was known have used up part of it.
  if (paced.stated.all.length > 0) return { ...state, paced: slowed }
  // The next call is delayed as if all of them had been sent at the present pace.
  const since = firstAt(paced.log) ?? 0
  const paidAt = since + countCalls(paced.log, since, Infinity) * slotMs(slowed)
  return { ...state, paced: { ...slowed, nextAt: Math.max(paced.nextAt ?? 0, paidAt) } }
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
export function settingPolicy({ paced, rules }: PaceState): string | undefined {
  if (paced === null || paced.policy === null) return undefined
  const isSetting = rateOf(paced.policy) < knownRate(rules) && paced.pace >= ceilingOf(rules, paced)
  if (!isSetting) return undefined
  const { name, calls, seconds } = paced.policy
  const [unit, each] = seconds % 3600 === 0 ? ['h', 3600] : seconds % 60 === 0 ? ['min', 60] : ['s', 1]
  return `${calls} calls in ${seconds / each} ${unit}${name === '' ? '' : ` (policy "${name}")`}`
}
