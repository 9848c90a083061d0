// The keyboard on the tab of conversations.
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { type Rating, RATINGS } from '../domain/review.ts'
import type { Found } from './query.ts'
import type { Marks } from './reviews.ts'

interface Keyboard {
  readonly box: RefObject<HTMLInputElement | null>
  readonly view: RefObject<HTMLDivElement | null>
  readonly found: readonly Found[]
  readonly index: number
  readonly setIndex: (index: number) => void
  readonly marks: Marks
}

/** `/` searches, `j` and `k` choose a conversation, `n` and `p` a question, `1` to `3` rate it. */
export function useKeys({ box, view, found, index, setIndex, marks }: Keyboard): void {
  useLayoutEffect(() => {
    const move = (by: 1 | -1): void => setIndex(Math.max(0, Math.min(found.length - 1, index + by)))
    const step = (by: 1 | -1): void => {
      if (!focusNext(view.current, by)) move(by)
    }
    const onKey = (event: KeyboardEvent): void => {
      if (box.current?.closest('section')?.hidden !== false || event.ctrlKey || event.metaKey || event.altKey)
        return
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (event.key === 'Escape' && isTyping) (event.target as HTMLElement).blur()
      if (isTyping) return
      const rating = RATINGS[Number(event.key) - 1]
      if (event.key === '/') box.current?.focus()
      else if (event.key === 'j') move(1)
      else if (event.key === 'k') move(-1)
      else if (event.key === 'n') step(1)
      else if (event.key === 'p') step(-1)
      else if (event.key === 'Enter' && document.activeElement === document.body)
        currentTurn(view.current)?.focus()
      else if (rating !== undefined) rate(view.current, found[index], marks, rating)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [found, index, marks])
}

/** The focused turn, or else the first that is meant. */
function currentTurn(view: HTMLElement | null): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('.turn') ?? null
  if (focused !== null && view?.contains(focused) === true) return focused
  return (view?.querySelector('.turn.meant') ?? view?.querySelector('.turn')) as HTMLElement | undefined
}

/** Focuses the turn after (1) or before (-1) the current one. False if the conversation has none. */
function focusNext(view: HTMLElement | null, by: 1 | -1): boolean {
  const all = [...(view?.querySelectorAll<HTMLElement>('.turn') ?? [])]
  const next = all[all.findIndex((one) => one === currentTurn(view)) + by]
  next?.focus()
  return next !== undefined
}

function rate(view: HTMLElement | null, found: Found | undefined, marks: Marks, rating: Rating): void {
  const id = currentTurn(view)?.dataset['id']
  const turn = found?.conversation.find((one) => one.id === id)
  if (turn?.answer === null || turn === undefined) return
  marks.set(turn, { ...marks.of(turn), word: rating })
}
