// How many answers of a run people have reviewed, and which need a review.
import type { Question } from '../../domain/question.ts'
import type { AwaitedReview, ReviewCounts, Reviewing } from '../../domain/review.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { fold } from '../grading/fold.ts'

const MOST_AWAITED = 200
/** Characters of a question that are enough to know it by. */
const LONGEST = 300

export function createReviewTally() {
  const counts: ReviewCounts = { reviewed: 0, good: 0, acceptable: 0, poor: 0, changed: 0, new: 0 }
  const lists: Record<'changed' | 'new', AwaitedReview[]> = { changed: [], new: [] }
  /** One answer; `isListed`: whether it waits for a person where it has no review. */
  const addAnswer = (
    { id, message }: Pick<Question, 'id' | 'message'>,
    reviewing: Reviewing,
    isListed = true,
  ): void => {
    counts[reviewing.kind] += 1
    if (reviewing.kind === 'reviewed') counts[reviewing.review] += 1
    if (reviewing.kind === 'reviewed' || !isListed) return
    const list = lists[reviewing.kind]
    if (list.length === MOST_AWAITED) return
    const before = reviewing.kind === 'changed' ? reviewing.before : undefined
    const note = (reviewing.note || (before?.note ?? '')).slice(0, LONGEST)
    list.push({ id, message: message.slice(0, LONGEST), before: before?.review, note })
  }
  return {
    /** The repeats of one question, each distinct answer once. What is no answer is passed over: there is nothing to review. */
    add: (repeats: readonly TurnRecord[], reviewingOf: (turn: TurnRecord) => Reviewing): void => {
      const answers = new Set<string>()
      for (const turn of repeats) {
        if (turn.outcome !== 'answered' || turn.result?.kind !== 'reply') continue
        const key = fold(turn.result.reply.message)
        if (!answers.has(key)) addAnswer(turn.question, reviewingOf(turn))
        answers.add(key)
      }
    },
    addAnswer,
    counts,
    /** Changed ones first, then new ones, each in the order of the set; the first two hundred. */
    awaited: (): AwaitedReview[] => [...lists.changed, ...lists.new].slice(0, MOST_AWAITED),
  }
}
