// What the endpoint states about its limit: the slowest policy that does not allow all that is left.
import type { Hints, Policy } from './hints.ts'

/** Adds the number of the call from which on nothing remains; null if what remains is not stated. */
export type StatedPolicy = Policy & { readonly reaches: number | null }

/** Holds `all` as of call `asOf`, the latest whose response stated anything. */
export interface Stated {
  readonly asOf: number
  readonly all: readonly StatedPolicy[]
}

/** Adds what the response to call `number` states; `share` of what remains may be used. */
export function noteStated(before: Stated, number: number, hints: Hints, share: number): Stated {
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

export const rateOf = ({ calls, seconds }: Policy): number => calls / seconds

/** Finds the slowest policy that does not reach as far as call `end`, the last that is to be sent. */
export function slowestShort({ all }: Stated, end: number): StatedPolicy | null {
  const short = all.filter(({ reaches }) => reaches === null || reaches < end)
  return short.toSorted((a, b) => rateOf(a) - rateOf(b))[0] ?? null
}

export function policyWords({ name, calls, seconds }: Policy): string {
  const [unit, each] = seconds % 3600 === 0 ? ['h', 3600] : seconds % 60 === 0 ? ['min', 60] : ['s', 1]
  return `${calls} calls in ${seconds / each} ${unit}${name === '' ? '' : ` (policy "${name}")`}`
}
