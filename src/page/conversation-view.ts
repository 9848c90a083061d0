// A conversation in the list: its first question that was found, and below it, when it is open, the dialogue.
import type { PageRow } from '../domain/page-data.ts'
import type { PageTurn } from '../domain/page.ts'
import type { Context } from './context.ts'
import type { Found } from './conversations.ts'
import { element, showIn } from './element.ts'
import { inlineText } from './hostile-text.ts'
import { renewSigns, signsOfConversation } from './signs.ts'
import { sourceText } from './source-name.ts'
import { turnView } from './turn-view.ts'
import { durationText, fill } from './words.ts'

export interface ConversationView {
  readonly element: HTMLLIElement
  readonly found: Found
  readonly isOpen: () => boolean
  /** Resolves when its turns are shown. */
  readonly open: () => Promise<void>
  /** For printing: with what is unpacked already. */
  readonly openAtOnce: () => void
  readonly close: () => void
  /** After something was marked. */
  readonly renewSigns: () => void
}

export function conversationView(found: Found, context: Context): ConversationView {
  const { store, speech } = context
  const { conversation, places } = found
  const rowsOf = (some: readonly number[]): PageRow[] =>
    some.flatMap((place) => {
      const row = store.rows[place]
      return row === undefined ? [] : [row]
    })
  const first = rowsOf(places)[0]
  const id = `conversation-${conversation.places[0] ?? 0}`
  const toggle = element(
    'button',
    { type: 'button', 'aria-expanded': 'false', 'aria-controls': id, class: 'toggle' },
    first === undefined || first.opening.trim() === '' ? speech.words.emptyText : inlineText(first.opening),
  )
  const dialogue = element('div', { id, class: 'dialogue', hidden: true })
  const under = element(
    'p',
    { class: 'under' },
    ...signsOfConversation(places, context),
    ...underlineOf(rowsOf(places), conversation.places.length, context),
  )
  const item = element('li', { class: 'conversation' }, element('h3', {}, toggle), under, dialogue)
  let isOpen = false
  const draw = (turns: readonly (PageTurn | undefined)[]): void => {
    const list = element('ol', { class: 'turns' })
    for (const [step, place] of conversation.places.entries()) {
      const turn = turns[step]
      const isFound = places.includes(place)
      if (turn !== undefined) list.append(turnView(turn, place, isFound, context))
      else list.append(element('li', { class: 'turn muted' }, speech.words.notUnpacked))
    }
    const numbers = rowsOf(conversation.places).map(({ turn }) => turn)
    const isWhole = numbers.every((number) => number === 1 || numbers.includes(number - 1))
    const missing = element('p', { class: 'muted' }, speech.words.missingTurns)
    showIn(dialogue, list, !isWhole && store.contents.leftOut.turns > 0 && missing)
  }
  const setOpen = (value: boolean): void => {
    isOpen = value
    toggle.setAttribute('aria-expanded', String(value))
    dialogue.hidden = !value
    item.classList.toggle('open', value)
  }
  let opening: Promise<void> | undefined
  const read = async (): Promise<void> => {
    const turns = await Promise.all(conversation.places.map(store.turn))
    if (isOpen) draw(turns)
  }
  const open = async (): Promise<void> => {
    if (isOpen) return opening
    setOpen(true)
    showIn(dialogue, element('p', { class: 'muted' }, speech.words.reading))
    opening = read()
    return opening
  }
  const close = (): void => {
    setOpen(false)
    showIn(dialogue)
  }
  toggle.addEventListener('click', () => void (isOpen ? close() : open()))
  return {
    element: item,
    found,
    isOpen: () => isOpen,
    open,
    openAtOnce: () => {
      if (isOpen) return
      setOpen(true)
      draw(conversation.places.map(store.turnAtOnce))
    },
    close,
    renewSigns: () => renewSigns(under, signsOfConversation(places, context)),
  }
}

/** Of one question where it stands, its source, its time; of several how many they are, and the slowest one's time. */
function underlineOf(rows: readonly PageRow[], turns: number, { speech, store }: Context): Node[] {
  const { words, number, plural } = speech
  const [row] = rows
  if (row === undefined) return []
  const latencies = rows.flatMap(({ latencyMs }) => latencyMs ?? [])
  const times = latencies.length === 0 ? [] : [durationText(Math.max(...latencies), speech)]
  const told =
    rows.length > 1
      ? [plural(words.questionCount, rows.length), ...times.map((time) => fill(words.slowest, { time }))]
      : [
          ...(turns > 1 ? [fill(words.turnOf, { turn: number(row.turn), count: number(turns) })] : []),
          ...times,
        ]
  const repeat = store.hasRepeats ? [fill(words.repeat, { repeat: number(row.repeat) })] : []
  const source = rows.every((one) => one.source === row.source) ? [sourceText(row.source, speech)] : []
  return [...source, ...[...told, ...repeat].map((text) => element('span', {}, text))]
}
