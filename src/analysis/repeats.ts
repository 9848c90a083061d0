// The repeats of one question folded into what they say of it: how often it passes, and how steady it is.
import { isGrounded, type Grade, type TurnRecord } from '../domain/turn.ts'
import type { RepeatedQuestion } from '../domain/summary.ts'
import { fold } from './grading/fold.ts'
import { tokenF1, tokensOf } from './grading/similarity.ts'
import { ratio } from './turns.ts'

export interface GradedRepeat {
  readonly turn: TurnRecord
  readonly grade: Grade
}

/** Repeats of one question, one at least, in any order. Errors and lost contexts are no answers. */
export function foldRepeats(
  repeats: readonly [GradedRepeat, ...GradedRepeat[]],
  groundedSources: readonly string[],
): RepeatedQuestion {
  const grounding = repeats
    .map(({ turn }) => isGrounded(turn, groundedSources))
    .filter((value) => value !== undefined)
  const answers = repeats.flatMap(({ turn }) =>
    isGrounded(turn, groundedSources) !== undefined && turn.result?.kind === 'reply'
      ? [turn.result.reply.message]
      : [],
  )
  const passed = repeats.filter(({ grade }) => grade.kind === 'passed').length
  const failed = repeats.filter(({ grade }) => grade.kind === 'failed').length
  const grounded = grounding.filter(Boolean).length
  return {
    id: repeats[0].turn.question.id,
    asked: repeats.filter(({ turn }) => turn.outcome !== undefined && turn.outcome !== 'skipped').length,
    answered: grounding.length,
    passRate: ratio(passed, passed + failed),
    groundingRate: ratio(grounded, grounding.length),
    passFlaky: passed > 0 && failed > 0,
    groundFlaky: grounded > 0 && grounded < grounding.length,
    answersDiffer: new Set(answers.map(fold)).size > 1,
    agreement: agreementOf(answers),
  }
}

export const isFlaky = ({ passFlaky, groundFlaky }: RepeatedQuestion): boolean => passFlaky || groundFlaky

/** 45 pairs are all of ten answers; of more answers each is compared with the few after it. */
const MOST_PAIRS = 45

/** Mean token F1 over pairs of answers: all pairs, or as many rounds of neighbours as `MOST_PAIRS` allows. */
function agreementOf(answers: readonly string[]): number | null {
  if (answers.length < 2) return null
  const words = answers.map((answer) => tokensOf(answer))
  const longestStep = Math.max(1, Math.floor(MOST_PAIRS / words.length))
  const step = words.length * (words.length - 1) <= 2 * MOST_PAIRS ? words.length : longestStep
  let [sum, pairs] = [0, 0]
  for (const [place, some] of words.entries()) {
    for (const others of words.slice(place + 1, place + 1 + step)) {
      sum += tokenF1(some, others)
      pairs += 1
    }
  }
  return sum / pairs
}
