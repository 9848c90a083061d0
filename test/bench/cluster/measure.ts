// What several processes did together with one limit, from the ledger of the sandbox.
import type { Call } from '../../../src/sandbox/ledger.ts'
import type { Shape } from './scenarios.ts'

export interface Figures {
  readonly accepted: number
  readonly seconds: number
  /** Accepted calls against what the limit keeps up from the first call to the last, %. */
  readonly share: number
  /** The same against that and the whole burst, which nobody gets who paces himself. */
  readonly shareOfAll: number
  /** Refused calls of all, %. */
  readonly refused: number
  /** Jain's index over the calls of the members that were there, while all of them were. */
  readonly fairness: number
}

/** `together`: from when to when all of `members` (fingerprints of their keys) had work, milliseconds since the epoch. */
export function measure(
  calls: readonly Pick<Call, 'at' | 'outcome' | 'keyFingerprint'>[],
  { perSecond, burst }: Shape,
  members: readonly string[],
  together: readonly [number, number],
): Figures {
  const accepted = calls.filter(({ outcome }) => outcome === 'answered')
  const times = calls.map(({ at }) => at)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  const counts = members.map(
    (member) =>
      accepted.filter(
        ({ keyFingerprint, at }) => keyFingerprint === member && at >= together[0] && at <= together[1],
      ).length,
  )
  return {
    accepted: accepted.length,
    seconds,
    share: (100 * accepted.length) / (perSecond * seconds),
    shareOfAll: (100 * accepted.length) / (perSecond * seconds + burst),
    refused: (100 * (calls.length - accepted.length)) / calls.length,
    fairness: jain(counts),
  }
}

/** 1 where all have the same, 1/n where one has everything (Jain, Chiu and Hawe, 1984). */
export function jain(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value * value, 0)
  return squares === 0 ? 1 : (sum * sum) / (values.length * squares)
}
