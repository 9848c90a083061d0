// How many answers of a run people have reviewed, and which need a review again.
import type { AwaitedReview, ReviewCounts, Reviewing } from '../../domain/review.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { fold } from '../grading/fold.ts'

const MOST_AWAITED = 200
/** Characters of a question that are enough to know it by. */
const LONGEST = 300

export function createReviewTally() {
  const counts: ReviewCounts = { reviewed: 0, good: 0, acceptable: 0, poor: 0, changed: 0, new: 0 }
  const awaited: AwaitedReview[] = []
  return {
    /** The repeats of one question, each distinct answer once. What is no answer is passed over: there is nothing to review. */
    add: (repeats: readonly TurnRecord[], reviewingOf: (turn: TurnRecord) => Reviewing): void => {
      const answers = new Set<string>()
      for (const turn of repeats) {
        if (turn.outcome !== 'answered' || turn.result?.kind !== 'reply') continue
        const key = fold(turn.result.reply.message)
        if (answers.has(key)) continue
        answers.add(key)
        const reviewing = reviewingOf(turn)
        counts[reviewing.kind] += 1
        if (reviewing.kind === 'reviewed') counts[reviewing.review] += 1
        if (reviewing.kind !== 'changed' || awaited.length === MOST_AWAITED) continue
        const { id, message } = turn.question
        const { before, note } = reviewing
        const words = (note || before.note).slice(0, LONGEST)
        awaited.push({ id, message: message.slice(0, LONGEST), before: before.review, note: words })
      }
    },
    counts,
    /** In the order of the set; the first two hundred. */
    awaited: awaited as readonly AwaitedReview[],
  }
}
