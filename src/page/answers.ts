// What was answered: one answer, or that of both runs side by side with what came and went.
import type { PageChange, PageTurn } from '../domain/page.ts'
import { element } from './element.ts'
import { cutPassage, inlineText, passage, type Stretch } from './hostile-text.ts'
import { wordDiff } from '../report/word-diff.ts'
import { visibleText } from './visible.ts'
import { fill, type Speech } from './words.ts'
import type { PageContents } from '../domain/page-data.ts'

export function answersOf(turn: PageTurn, { names }: PageContents, speech: Speech): HTMLElement {
  const { words } = speech
  const { change } = turn
  if (change === null) return pane(words.answer, ...elsewhere(turn, names, speech), shownAnswer(turn, speech))
  if (change.answer !== null && change.answer === turn.answer)
    return pane(words.answer, element('p', { class: 'muted' }, words.sameAnswer), shownAnswer(turn, speech))
  const side = (text: string, name: string): string => fill(text, { name })
  const diff = diffOf(turn, change)
  return element(
    'div',
    { class: 'beside' },
    pane(
      side(words.before, names.baseline ?? ''),
      shownBefore(change, sideOf(diff, 'removed', speech), speech),
    ),
    pane(side(words.now, names.candidate), sideOf(diff, 'added', speech) ?? shownNow(turn, change, speech)),
  )
}

/** Where another repeat shows what became of the question. */
function elsewhere(
  { changeAt }: PageTurn,
  { baseline }: PageContents['names'],
  speech: Speech,
): HTMLElement[] {
  if (changeAt === null) return []
  const where = { name: baseline ?? '', repeat: speech.number(changeAt) }
  return [element('p', { class: 'muted', dir: 'auto' }, visibleText(fill(speech.words.changeAt, where)))]
}

/** Undefined where there are not two answers to one question. */
function diffOf({ answer }: PageTurn, change: PageChange): readonly Stretch[] | undefined {
  if (change.presence !== 'both' || change.answer === null || answer === null) return undefined
  return wordDiff(change.answer, answer)
}

function shownNow(turn: PageTurn, { presence }: PageChange, speech: Speech): HTMLElement {
  return presence === 'removed'
    ? element('p', { class: 'muted' }, speech.words.lists.removed)
    : shownAnswer(turn, speech)
}

export const pane = (heading: string, ...content: readonly Node[]): HTMLElement =>
  element('div', { class: 'said answer' }, element('h4', { dir: 'auto' }, heading), ...content)

function shownAnswer({ answer, outcome, error }: PageTurn, speech: Speech): HTMLElement {
  return answer === null ? noAnswer(outcome, error, speech) : passage(answer, speech)
}

function shownBefore(change: PageChange, marked: HTMLElement | undefined, speech: Speech): HTMLElement {
  const { answer, outcome, message, presence } = change
  const shown = marked ?? (answer === null ? noAnswer(outcome, null, speech) : passage(answer, speech))
  if (presence !== 'edited') return shown
  const before = element('p', { class: 'muted' }, `${speech.words.questionBefore}: `, inlineText(message))
  return element('div', {}, before, shown)
}

export function noAnswer(outcome: PageTurn['outcome'], error: string | null, { words }: Speech): HTMLElement {
  const shown = element(
    'p',
    { class: 'none' },
    fill(words.noAnswer, { why: words.outcomes[outcome ?? 'none'] }),
  )
  if (error !== null) shown.append(': ', inlineText(error))
  return shown
}

/** What both answers have, and what this one alone has. An empty one is said to be empty. */
function sideOf(
  diff: readonly Stretch[] | undefined,
  own: 'removed' | 'added',
  speech: Speech,
): HTMLElement | undefined {
  const stretches = diff?.filter(({ kind }) => kind === 'same' || kind === own) ?? []
  return stretches.length === 0 ? undefined : cutPassage(stretches, speech)
}
