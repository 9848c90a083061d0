// How many answers of a run people have reviewed, and which need a review.
import type { Question } from '../../domain/question.ts'
import type { AwaitedReview, ReviewCounts, Reviewing } from '../../domain/review.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { fold } from '../grading/fold.ts'

const MOST_AWAITED = 200
/** Characters of a question that are enough to know it by. */
const LONGEST = 300

export interface ReviewTally {
  /** The repeats of one question, each distinct answer once. What is no answer is passed over: there is nothing to review. */
  add(repeats: readonly TurnRecord[], reviewingOf: (turn: TurnRecord) => Reviewing): void
  /** One answer; `isListed`: whether it waits for a person where it has no review. */
  addAnswer(question: Pick<Question, 'id' | 'message'>, reviewing: Reviewing, isListed?: boolean): void
  readonly counts: ReviewCounts
  /** How many wait and are listed, however long the list is. */
  readonly waiting: number
  /** Changed ones first, then new ones, each in the order of the set; the first two hundred. */
  awaited(): AwaitedReview[]
}

export function createReviewTally(): ReviewTally {
  const counts: ReviewCounts = { reviewed: 0, good: 0, acceptable: 0, poor: 0, changed: 0, new: 0 }
  const lists: Record<'changed' | 'new', AwaitedReview[]> = { changed: [], new: [] }
  let waiting = 0
  const addAnswer: ReviewTally['addAnswer'] = ({ id, message }, reviewing, isListed = true) => {
    counts[reviewing.kind] += 1
    if (reviewing.kind === 'reviewed') counts[reviewing.review] += 1
    else if (isListed) {
      waiting += 1
      const before = reviewing.kind === 'changed' ? reviewing.before : undefined
      const note = reviewing.note || (before?.note ?? '')
      const list = lists[reviewing.kind]
      if (list.length === MOST_AWAITED) return
      const [shown, shortNote] = [message.slice(0, LONGEST), note.slice(0, LONGEST)]
      list.push({ id, message: shown, before: before?.review, note: shortNote })
    }
  }
  return {
    add: (repeats, reviewingOf) => {
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
    get waiting() {
      return waiting
    },
    awaited: () => [...lists.changed, ...lists.new].slice(0, MOST_AWAITED),
  }
}
