// The most calls that may be counted in one sitting: derived from the runner's rules, and proven against the runner itself.
import { turnsLeft, type Chain, type ThreadGroup } from './chain.ts'

export interface CallRules {
  /** `--on-ambiguous restart`. */
  readonly restartOnAmbiguous: boolean
  /** `--rotating-ids`: a changed id loses no context. */
  readonly rotatingIds: boolean
}

/**
 * Calls of one thread that may be counted (certain or possible), 429s apart.
 *
 * A call is counted where a 2xx came or where nobody knows (5xx, timeout, broken after sending). What follows from it
 * (`runner/decide.ts`): an answer goes on to the next turn, a malformed 2xx ends the thread, an unknown one starts the thread
 * again, once a thread and sitting, and ends it the second time. 429s and calls that never arrived are sent again uncounted.
 * So a thread of n turns with r left costs most where the last turn left is lost (r calls, the last one perhaps processed) and
 * the fresh conversation is asked whole (n more): r + n; r without restarts, or once the restart is used up.
 *
 * A thread that goes on with a conversation of an earlier sitting may find it forgotten: that answer is counted, and starts the
 * thread again without using the restart up. This is possible for its first answer only, so it costs 1 + 2n, which is no
 * less than r + n since r ≤ n; without restarts 1 + n. With rotating ids nothing tells that a conversation was forgotten.
 */
export function worstOfThread(chain: Chain, { restartOnAmbiguous, rotatingIds }: CallRules): number {
  if (turnsLeft(chain) === 0) return 0
  const restart = restartOnAmbiguous && !chain.restarted ? chain.turns.length : 0
  return restart + callsWithoutRestart(chain, { rotatingIds })
}

/** How far a thread is that may go on with a conversation of an earlier sitting. */
export interface Standing {
  readonly turns: { readonly length: number }
  readonly next: number
  readonly resumed: boolean
}

/** The same where no call fails: a forgotten conversation fails none. */
export function callsWithoutRestart(
  { turns, next, resumed }: Standing,
  { rotatingIds }: Pick<CallRules, 'rotatingIds'>,
): number {
  const left = turns.length - next
  return left > 0 && resumed && !rotatingIds ? 1 + turns.length : left
}

/** The same for a thread with all its repeats. */
export const worstOfGroup = ({ repeats, times }: ThreadGroup, rules: CallRules): number =>
  times * repeats.reduce((sum, chain) => sum + worstOfThread(chain, rules), 0)
