// One turn of an open conversation: question, answers, what was expected, facts, review, and the link to it.
import type { PageTurn } from '../domain/page.ts'
import type { ReviewWord } from '../domain/review.ts'
import { questionAddress } from './address.ts'
import { answersOf } from './answers.ts'
import type { Context } from './context.ts'
import { element } from './element.ts'
import { passage } from './hostile-text.ts'
import { reviewForm, type ReviewForm } from './review-form.ts'
import { renewSigns, signsOfTurn } from './signs.ts'
import { changedFactsOf, factsOf, failuresOf } from './turn-facts.ts'
import { fill } from './words.ts'

const forms = new WeakMap<Element, ReviewForm>()
const signRenewals = new WeakMap<Element, () => void>()

/** What the keys do in a turn. */
export const chooseIn = (turn: Element, word: ReviewWord | null): void => forms.get(turn)?.choose(word)

/** Where the turn at a place is open, its mark is shown anew, and the signs that know of it. */
export function refreshMark(place: number): void {
  const turn = document.getElementById(turnId(place))
  if (turn === null) return
  forms.get(turn)?.refresh()
  signRenewals.get(turn)?.()
}

export const turnId = (place: number): string => `turn-${place}`

/** `place`: of its row. `isFound`: whether the filters found it, or its conversation alone. */
export function turnView(turn: PageTurn, place: number, isFound: boolean, context: Context): HTMLElement {
  const { speech, store } = context
  const { words } = speech
  const name = [
    fill(words.turn, { turn: speech.number(turn.turn) }),
    ...(store.hasRepeats ? [fill(words.repeat, { repeat: speech.number(turn.repeat) })] : []),
  ].join(', ')
  const heading = element('h4', { id: `${turnId(place)}-name` }, name)
  const link = element('a', { href: `#${questionAddress(turn.id, turn.repeat)}`, class: 'link' }, words.link)
  const form = turn.answer === null ? undefined : reviewForm(turn, place, context)
  const top = element('div', { class: 'turn-top' }, heading, ...signsOfTurn(place, context), link)
  const view = element(
    'li',
    {
      class: isFound ? 'turn found' : 'turn',
      id: turnId(place),
      tabindex: '-1',
      'aria-labelledby': `${turnId(place)}-name`,
    },
    top,
    element(
      'div',
      { class: 'said question' },
      element('h4', {}, words.question),
      passage(turn.message, speech),
    ),
    answersOf(turn, store.contents, speech),
    ...changedFactsOf(turn, speech),
    ...failuresOf(turn, speech),
    factsOf(turn, speech),
    form?.element,
  )
  if (form !== undefined) forms.set(view, form)
  signRenewals.set(view, () => renewSigns(top, signsOfTurn(place, context)))
  return view
}
