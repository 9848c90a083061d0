// The most calls that may be counted in one sitting: derived from the runner's rules, and proven against the runner itself.
import type { Question } from '../../domain/question.ts'
import { suffices, type PassPolicy } from '../pass-policy.ts'
import { turnsLeft, type Chain, type ThreadGroup } from './chain.ts'

export interface CallRules {
  /** `--on-ambiguous restart`. */
  readonly restartOnAmbiguous: boolean
  /** `--rotating-ids`: a changed id loses no context. */
  readonly rotatingIds: boolean
  /** `--confirm`: rounds in which `must_pass` questions that failed are asked again. */
  readonly confirm: number
  readonly passPolicy: PassPolicy
}

export interface WorstCase {
  /** Counted calls at most. */
  readonly calls: number
  /** Part of them: confirmations, with the restarts of their own conversations. */
  readonly confirmations: number
}

/**
 * Calls of one thread that may be counted (certain or possible), 429s apart, without its confirmations.
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

/**
 * The same for a thread with all its repeats and confirmations (`cli/confirming/next-round.ts`).
 *
 * A round of confirmation asks a thread, in a fresh conversation, as far as its last `must_pass` question that failed, place p: at
 * most p calls, 2p with a restart. Every failing question of the thread is in every round until it is confirmed, and no
 * question is in more than `confirm` of them, so there are `confirm` rounds at most, and a longer p is never cheaper.
 *
 * Before that the question must fail in as many of the K repeats as the pass policy asks for (F). It may fail by its
 * answer: against its expectations, or (from the second turn on, without rotating ids) by a changed conversation id; the thread
 * goes on then, and these repeats cost what they cost at most. Else only an error or a skip fails it, and ends the
 * thread at p: each of these F repeats loses its n − p calls behind it. The most of these, and of not failing at all, is the
 * worst case, and some endpoint reaches it.
 *
 * Of a thread that was begun in an earlier sitting it is an upper bound: a question that has passed is not asked again.
 */
export function worstOfGroup({ repeats, times, isFresh }: ThreadGroup, rules: CallRules): WorstCase {
  const [{ turns }] = repeats
  const asked = times * repeats.reduce((sum, chain) => sum + worstOfThread(chain, rules), 0)
  const conversations = rules.restartOnAmbiguous ? 2 : 1
  const round = (place: number): number => rules.confirm * conversations * place
  const cases = [{ calls: asked, confirmations: 0 }]
  const add = (place: number, lost: number): void => {
    if (place > 0) cases.push({ calls: asked - lost + round(place), confirmations: round(place) })
  }
  const last = placeOfLast(turns, ({ mustPass }) => mustPass)
  const failing = fewestFailing(times * repeats.length, rules.passPolicy)
  add(last, isFresh ? failing * (turns.length - last) : 0)
  add(
    placeOfLast(turns, (question) => question.mustPass && mayFailByAnswer(question, rules)),
    0,
  )
  return cases.reduce((most, one) => (one.calls > most.calls ? one : most))
}

/** Counted from 1; 0 where there is none. */
const placeOfLast = (turns: Chain['turns'], test: (question: Question) => boolean): number =>
  turns.findLastIndex(({ question }) => test(question)) + 1

const mayFailByAnswer = ({ expect, turn }: Question, { rotatingIds }: CallRules): boolean =>
  expect !== undefined || (turn > 1 && !rotatingIds)

/** Repeats that must fail before the question does: with more of them it does all the more, so they are found by halving. */
function fewestFailing(repeats: number, policy: PassPolicy): number {
  let [few, enough] = [0, repeats]
  while (enough - few > 1) {
    const failed = Math.floor((few + enough) / 2)
    if (suffices(policy, repeats - failed, failed)) few = failed
    else enough = failed
  }
  return enough
}
