// A rate that the user states, `--rate`: it is kept, waits are obeyed, and nothing is learned of the limit. A
// 429 slows the next call, and twice as many each time 429s follow on each other: a rate that is too high is
// not refused again and again. Then it is the stated rate again; ten calls without a 429 end the doubling.
import { BACKOFF_MS, DOUBLING_CALLS, EVIDENCE, MAX_BACKOFF_MS, MAX_PLATEAU_CALLS } from './constants.ts'
import type { Episode } from './pause.ts'
import { type Closed, type Eased, type Paced, slotMs } from './state.ts'

/** Notes a 429 that closes the gate before call `number`. */
export const easeFrom = ({ calls, until, slots }: Eased, number: number): Eased => ({
  calls: number - until < 2 * DOUBLING_CALLS ? Math.min(MAX_PLATEAU_CALLS, Math.max(1, 2 * calls)) : 1,
  slots: number < until ? 1.25 * slots : 2,
  until,
})

/** Gives the pause after a 429: the named wait. It grows while refusals go on. */
export const pauseAtUserRate = ({ refusedProbes, namedMs = 0, resetMs = 0 }: Episode): number =>
  refusedProbes === 0
    ? namedMs
    : Math.max(namedMs, resetMs, Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (refusedProbes - 1)))

/** Opens the gate as the probe sent at `at` was accepted. */
export function reopen(paced: Paced, { probe }: Closed, at: number): Paced {
  const eased = { ...paced.eased, until: (probe?.number ?? 0) + paced.eased.calls }
  return { ...paced, closed: null, eased, nextAt: at + eased.slots * slotMs(paced) }
}

/** Says that 429s are more than accidents: the rate is too high. */
export const isTooHigh = ({ closed, eased }: Paced): boolean =>
  (closed?.refusedProbes ?? 0) >= EVIDENCE || eased.calls >= 2 ** EVIDENCE
