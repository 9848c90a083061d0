// Reviews that are saved in the run's reviews.csv as they are made.
import type { Review } from '../../domain/review.ts'
import type { Mark, Marks } from '../../page/reviews.ts'
import { sameKey } from '../../page/reviews.ts'
import type { RunView } from '../api.ts'
import { post, Refused } from './api.ts'

/**
 * `changed` is called after each review, and when one was not saved. `reviewer`: asked for each time, since
 * it may be changed.
 */
export function createSavedMarks(
  { reviews, reviewed }: Pick<RunView, 'reviews' | 'reviewed'>,
  reviewer: () => string,
  changed: () => void,
): Marks {
  const marks = new Map<string, Mark>()
  for (const review of reviews) {
    const key = sameKey(review.questionId, review.answer)
    marks.set(key, markOf(review, marks.get(key)))
  }
  /** One after the other, in the order of making. */
  let saving: Promise<unknown> = Promise.resolve()
  return {
    of: (turn) => marks.get(sameKey(turn.id, turn.answer ?? '')) ?? turn.review ?? NONE,
    set: (turn, { word, note }) => {
      const { id, message, answer } = turn
      if (reviewed === null || answer === null) return
      const key = sameKey(id, answer)
      marks.set(key, { word, note })
      changed()
      saving = saving
        .then(async () =>
          post('/api/review', {
            run: reviewed,
            id,
            message,
            answer,
            review: word,
            note,
            reviewer: reviewer(),
          }),
        )
        .catch((error: unknown) => {
          const fault = error instanceof Refused ? error.message : String(error)
          marks.set(key, { word, note, fault })
          changed()
        })
    },
    count: () => marks.size,
  }
}

const NONE: Mark = { word: null, note: '' }

/** As the library merges them: one that was made here replaces, others add. */
function markOf({ review, note, made }: Review, before: Mark = NONE): Mark {
  const word = review ?? null
  return made === undefined ? { word: word ?? before.word, note: note || before.note } : { word, note }
}
