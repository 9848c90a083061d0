// The list of conversations: a stretch of what was found, drawn as it is needed, longer at both ends on demand.
import type { Context } from './context.ts'
import { conversationView, type ConversationView } from './conversation-view.ts'
import type { Found } from './conversations.ts'
import { button, element, showIn } from './element.ts'
import { fill } from './words.ts'

const focusOn = (view: ConversationView | undefined): void =>
  view?.element.querySelector<HTMLElement>('.toggle')?.focus()

/** Conversations that are drawn at once. */
const STEP = 50

export interface ListView {
  readonly element: HTMLElement
  /** Draws anew, from `first` on. */
  readonly show: (found: readonly Found[], first?: number) => void
  /** Those drawn, in their order. */
  readonly views: () => readonly ConversationView[]
  /** Of all that were found, drawn or not. */
  readonly count: () => number
  /** For printing: more than fit the screen. */
  readonly grow: (atLeast: number) => void
}

export function listView(context: Context): ListView {
  const { words, number } = context.speech
  const list = element('ol', { class: 'conversations' })
  const [before, after] = [element('p', { class: 'more' }), element('p', { class: 'more' })]
  let [found, views, from, to]: [readonly Found[], ConversationView[], number, number] = [[], [], 0, 0]
  const draw = (some: readonly Found[]): ConversationView[] =>
    some.map((one) => conversationView(one, context))

  const growUp = (): void => {
    const start = Math.max(0, from - STEP)
    const added = draw(found.slice(start, from))
    const first = views[0]
    list.prepend(...added.map((view) => view.element))
    views = [...added, ...views]
    from = start
    showButtons()
    first?.element.scrollIntoView({ block: 'nearest' })
    // The button is gone; the next one up is what was asked for.
    focusOn(added.at(-1))
  }
  const growDown = (count = STEP): void => {
    const added = draw(found.slice(to, to + count))
    list.append(...added.map((view) => view.element))
    views.push(...added)
    to += added.length
    showButtons()
  }
  const showButtons = (): void => {
    const [above, below] = [Math.min(STEP, from), Math.min(STEP, found.length - to)]
    showIn(before, above > 0 && button(fill(words.earlier, { count: number(above) }), growUp))
    showIn(
      after,
      below > 0 &&
        button(fill(words.more, { count: number(below) }), () => {
          const next = to
          growDown()
          focusOn(views[next - from])
        }),
    )
  }
  // A person who scrolls need not press the button.
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting) && to < found.length) growDown()
    },
    { rootMargin: '600px' },
  )
  observer.observe(after)
  return {
    element: element('div', {}, before, list, after),
    show: (shown, first = 0) => {
      found = shown
      from = Math.max(0, Math.min(first, found.length - 1))
      to = Math.min(found.length, from + STEP)
      views = draw(found.slice(from, to))
      list.replaceChildren(...views.map((view) => view.element))
      showButtons()
    },
    views: () => views,
    count: () => found.length,
    grow: (atLeast) => {
      if (to - from < atLeast && to < found.length) growDown(atLeast - (to - from))
    },
  }
}
