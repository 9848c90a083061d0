// The form in which an editor judges an answer: a word of three, and a note.
import type { PageTurn } from '../domain/page.ts'
import type { ReviewWord } from '../domain/review.ts'
import type { Context } from './context.ts'
import { element } from './element.ts'
import { inlineText } from './hostile-text.ts'
import { isKnown, NOTHING, standingMark, WORDS_OF_REVIEW } from './marks.ts'
import { fill } from './words.ts'

export interface ReviewForm {
  readonly element: HTMLElement
  /** As a key does. */
  readonly choose: (word: ReviewWord | null) => void
  /** Shows the mark anew, which may have been made at another repeat or in another tab. */
  readonly refresh: () => void
}

/** `place`: of the turn's row. */
export function reviewForm(turn: PageTurn, place: number, { speech, marks }: Context): ReviewForm {
  const { words } = speech
  // A review of this very answer can be changed, and not be taken back.
  const before =
    turn.review?.state === 'carried' && turn.review.word !== null ? standingMark(turn.review) : undefined
  const radios = new Map<ReviewWord | null, HTMLInputElement>()
  const note = element('textarea', { rows: '1', dir: 'auto' })
  const wordNow = (): ReviewWord | null =>
    WORDS_OF_REVIEW.find((word) => radios.get(word)?.checked === true) ?? null
  const keep = (): void => {
    const now = { word: wordNow(), note: note.value.trim() }
    // What stands already needs no mark.
    marks.set(place, before !== undefined && isKnown(now, before) ? NOTHING : now)
  }
  const choice = (word: ReviewWord | null): HTMLElement => {
    const radio = element('input', { type: 'radio', name: `review-${place}`, value: word ?? '' })
    radio.addEventListener('change', keep)
    radios.set(word, radio)
    return element('label', {}, radio, ` ${word === null ? words.noReview : words.reviewWords[word]}`)
  }
  note.addEventListener('input', keep)
  const form = element(
    'fieldset',
    { class: 'review' },
    element('legend', {}, words.review),
    standing(turn, speech.words),
    element(
      'div',
      { class: 'choices' },
      ...WORDS_OF_REVIEW.map(choice),
      before === undefined ? choice(null) : undefined,
    ),
    element('label', { class: 'note' }, `${words.note} `, note),
  )
  const refresh = (): void => {
    const known = marks.at(place) ?? before ?? NOTHING
    for (const [word, radio] of radios) radio.checked = known.word === word
    // What is being typed keeps its spaces, and the caret its place.
    if (note.value.trim() !== known.note.trim()) note.value = known.note
  }
  refresh()
  return {
    element: form,
    choose: (word) => {
      const radio = radios.get(word ?? before?.word ?? null)
      if (radio === undefined) return
      radio.checked = true
      keep()
    },
    refresh,
  }
}

/** What is known of the answer from earlier reviews. */
function standing({ review }: PageTurn, words: Context['speech']['words']): HTMLElement | undefined {
  if (review === null) return undefined
  const word = review.word === null ? '' : words.reviewWords[review.word].toLowerCase()
  const said = { carried: words.reviewedAs, changed: words.reviewChanged, new: words.reviewNew }[review.state]
  const told = element('p', { class: 'muted' }, fill(said, { word }))
  if (review.note !== '') told.append(` ${words.note}: `, inlineText(review.note))
  return told
}
