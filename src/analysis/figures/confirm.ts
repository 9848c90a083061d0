// `--confirm`: which questions fail anew, and which of their answers counts once they were sent again.
import type { Row } from '../../domain/changes.ts'
import type { Confirmation } from '../../domain/summary.ts'
import { type AnsweredTurn, isGrounded, type PassPolicy, type Turn } from '../../domain/turn.ts'
import { hasFailed, mustPassOf, type Repeats } from './repeats.ts'

export const failedSince = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ presence, kinds, candidate }) => {
    const isWorse = kinds.includes('groundingLost') || kinds.includes('passToFail')
    return presence === 'both' && isWorse && candidate !== null ? [candidate.index] : []
  })

/** Finds failed `must_pass` questions: no other failure is known to be new without a baseline. */
export const failedMustPass = (questions: Iterable<Repeats>, policy: PassPolicy): number[] =>
  [...questions].flatMap((repeats) => (mustPassOf(repeats, policy) === undefined ? [] : [repeats[0].index]))

export interface Confirming {
  /** A failure may be sent again at the end, and decides nothing before. */
  readonly confirms: boolean
  readonly hasBaseline: boolean
  readonly groundedSources: readonly string[]
}

/** Whatever failed may be new where there is a baseline, and be sent again. */
export function mayBeConfirmed(turn: Turn, { confirms, hasBaseline, groundedSources }: Confirming): boolean {
  if (!confirms) return false
  if (turn.question.mustPass && hasFailed(turn)) return true
  return hasBaseline && (turn.grade === 'failed' || isGrounded(turn, groundedSources) === false)
}

/** Takes the first answer that is as most are: a failure stands if more than half fail, or lack grounding. */
export function countedTry(
  first: AnsweredTurn,
  again: readonly AnsweredTurn[],
  groundedSources: readonly string[],
): AnsweredTurn {
  const isAnswer = (turn: Turn): boolean => isGrounded(turn, groundedSources) !== undefined
  // A turn after an error was not sent, and says nothing.
  const wasSent = ({ outcome }: Turn): boolean => outcome !== undefined && outcome !== 'skipped'
  // An error confirms no answer.
  const tries = [first, ...again.filter(isAnswer(first) ? isAnswer : wasSent)]
  if (tries.length === 1) return first
  const isUngrounded = ungroundedBy(groundedSources)
  const isMajority = (test: (turn: Turn) => boolean) => tries.filter(test).length > tries.length / 2
  const [failed, ungrounded] = [isMajority(hasFailed), isMajority(isUngrounded)]
  const alike = tries.filter((turn) => hasFailed(turn) === failed)
  const counted = alike.find((turn) => isUngrounded(turn) === ungrounded) ?? alike[0] ?? first
  // It stands for the question: in the place of its first answer, with what all of them cost.
  const { repeat, certain, possible, notCounted, rateLimited } = first
  return { ...counted, repeat, certain, possible, notCounted, rateLimited, tries }
}

/** An error is not grounded either. */
const ungroundedBy =
  (groundedSources: readonly string[]) =>
  (turn: Turn): boolean =>
    isGrounded(turn, groundedSources) !== true

export const otherTries = ({ result, tries = [] }: AnsweredTurn): readonly AnsweredTurn[] =>
  tries.filter((turn) => turn.result !== result)

export function confirmationOf(
  turn: AnsweredTurn,
  groundedSources: readonly string[],
): Confirmation | undefined {
  const { tries = [], question } = turn
  const [first] = tries
  if (first === undefined) return undefined
  const isUngrounded = ungroundedBy(groundedSources)
  return {
    id: question.id,
    message: question.message,
    answers: tries.length,
    failed: tries.filter(hasFailed).length,
    ungrounded: tries.filter(isUngrounded).length,
    confirmed: hasFailed(first) ? hasFailed(turn) : isUngrounded(turn),
  }
}
