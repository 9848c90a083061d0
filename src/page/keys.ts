// Keys: to the search, through the conversations and their questions, and to mark an answer; can be switched off.
import type { ConversationView } from './conversation-view.ts'
import { element } from './element.ts'
import { chooseIn } from './turn-view.ts'
import type { Speech } from './words.ts'

export interface KeyActions {
  readonly views: () => readonly ConversationView[]
  readonly focusSearch: () => void
}

/** An object would put the digits first. */
const ORDER = ['/', 'j', 'k', 'o', 'n', 'p', '1', '2', '3', '0'] as const

/** Returns the explanation, with the switch. */
export function listenToKeys({ views, focusSearch }: KeyActions, { words }: Speech): HTMLElement {
  const shortcuts = element('input', { type: 'checkbox' })
  shortcuts.checked = true
  const acts: Readonly<Record<keyof typeof words.keys, () => void>> = {
    '/': focusSearch,
    j: () => stepTo(views(), 1),
    k: () => stepTo(views(), -1),
    o: () => {
      const view = views().find((one) => one.element.contains(document.activeElement))
      if (view === undefined) return
      if (!view.isOpen()) void view.open()
      else {
        toggleOf(view)?.focus()
        view.close()
      }
    },
    n: () => stepInto(1),
    p: () => stepInto(-1),
    '1': () => choose('good'),
    '2': () => choose('acceptable'),
    '3': () => choose('poor'),
    '0': () => choose(null),
  }
  addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element &&
      event.target.matches('textarea, select, input:not([type=radio], [type=checkbox])')
    if (event.key === 'Escape' && isTyping && document.activeElement instanceof HTMLElement) {
      // A browser's own way is to empty a search: what is shown would go by words that stand nowhere.
      event.preventDefault()
      return document.activeElement.blur()
    }
    if (isTyping || !shortcuts.checked || event.ctrlKey || event.metaKey || event.altKey) return
    if (!Object.hasOwn(acts, event.key)) return
    event.preventDefault()
    acts[event.key as keyof typeof acts]()
  })
  const explained = ORDER.flatMap((key) => [
    element('dt', {}, element('kbd', {}, key)),
    element('dd', {}, words.keys[key]),
  ])
  return element(
    'details',
    { class: 'keys' },
    element('summary', {}, words.keyboard),
    element('p', {}, element('label', {}, shortcuts, ` ${words.shortcuts}`)),
    element('dl', {}, ...explained),
  )
}

const toggleOf = (view: ConversationView | undefined): HTMLElement | null =>
  view?.element.querySelector<HTMLElement>('.toggle') ?? null

function stepTo(views: readonly ConversationView[], step: 1 | -1): void {
  const now = views.findIndex((view) => view.element.contains(document.activeElement))
  const next = now === -1 ? (step === 1 ? 0 : views.length - 1) : now + step
  toggleOf(views[next])?.focus()
}

const turnNow = (): Element | null => document.activeElement?.closest('.turn') ?? null

/** Within a conversation that is open. */
function stepInto(step: 1 | -1): void {
  const turns = [
    ...(document.activeElement?.closest('.conversation')?.querySelectorAll<HTMLElement>('.turn') ?? []),
  ]
  const now = turns.findIndex((turn) => turn.contains(document.activeElement))
  turns[now === -1 ? (step === 1 ? 0 : turns.length - 1) : now + step]?.focus()
}

function choose(word: 'good' | 'acceptable' | 'poor' | null): void {
  const turn = turnNow()
  if (turn !== null) chooseIn(turn, word)
}
