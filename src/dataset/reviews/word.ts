// The word of a review as people write it.
import { REVIEW_WORDS, type ReviewWord } from '../../domain/review.ts'
import { suggest } from '../suggestion.ts'
import { excerpt } from '../excerpt.ts'
import { value, wrong, type CellReading } from '../reading.ts'

/** Words of a German speaker, and of one in a hurry: suggested, never taken, as a review must mean what it says. */
const MEANT: Readonly<Record<ReviewWord, readonly string[]>> = {
  good: ['gut', 'sehr gut', 'prima', 'richtig', 'korrekt', 'great', 'correct', 'right', 'fine', 'g', '+'],
  acceptable: ['akzeptabel', 'ausreichend', 'mittel', 'okay', 'ok', 'in ordnung', 'passable', 'fair', 'a'],
  poor: ['schlecht', 'mangelhaft', 'falsch', 'ungenügend', 'bad', 'wrong', 'p', '-'],
}

/** Whatever the case. `text`: not empty. */
export function readReviewWord(text: string): CellReading<ReviewWord> {
  const typed = text.normalize('NFKC').toLowerCase()
  const word = REVIEW_WORDS.find((one) => one === typed)
  if (word !== undefined) return value(word)
  const meant =
    REVIEW_WORDS.find((one) => MEANT[one].includes(typed)) ??
    suggest(typed, REVIEW_WORDS) ??
    REVIEW_WORDS.find((one) => typed.length >= 3 && one.startsWith(typed))
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
  return wrong(
    `the review ${excerpt(text)} is none of ${REVIEW_WORDS.join(', ')}${hint}; write one of them, and other words into the note`,
  )
}
