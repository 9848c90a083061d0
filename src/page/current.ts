// The current answer: the one that is marked, and that keys and clicks act on.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import { answerHref, replaceAddress } from './route.ts'
import type { Found, PageStore } from './store.ts'

interface Wanted {
  readonly query: string
  readonly id: string | undefined
  readonly repeat: number | undefined
}

export type Current = ReturnType<typeof useCurrent>

/**
 * The current answer is always one that is shown. It stays until another is chosen or another search begins:
 * a rating that takes its conversation out of what is found leaves it in the list until then.
 */
export function useCurrent({ conversations, places }: PageStore, found: readonly Found[], route: Wanted) {
  const address = JSON.stringify([route.query, route.id, route.repeat])
  const [last, setLast] = useState(places.get(address))
  const kept = last?.address === address ? last : undefined
  // Looked up by id: a report that is read again has other objects.
  const { id, repeat } = kept?.turn ?? route
  const isWanted = (turn: PageTurn): boolean =>
    turn.id === id && (repeat === undefined || turn.repeat === repeat)

  const at = found.findIndex(({ conversation }) => conversation.some(isWanted))
  // An address may name one that its filter no longer finds.
  const dropped = at === -1 && conversations.find((turns) => turns.some(isWanted))
  const index = dropped ? Math.min(kept?.index ?? 0, found.length) : Math.max(0, at)
  const listed = dropped ? found.toSpliced(index, 0, { conversation: dropped, turns: dropped }) : found
  const { conversation = [], turns = [] } = listed[index] ?? {}
  const marked = conversation.find(isWanted) ?? turns[0]
  const choose = (turn: PageTurn): void => {
    const place = { address, turn, index }
    places.set(address, place)
    setLast(place)
  }
  if (marked !== undefined && (marked !== kept?.turn || index !== kept.index)) choose(marked)

  const element = useRef<HTMLElement>(null)
  const takesFocus = useRef(false)
  /** The focus brings it into view: on a phone it is below the list. */
  const open = (turn: PageTurn | undefined): void => {
    if (turn === undefined) return
    // On a phone the answer is a screen of its own, from which "back" leads to the list.
    if (matchMedia(PHONE).matches) {
      if (route.id === undefined) location.hash = answerHref(route.query, turn)
      else replaceAddress(answerHref(route.query, turn))
      return
    }
    takesFocus.current = true
    choose(turn)
  }
  // Layout effects, since an effect would miss a key that is pressed right after a search.
  useLayoutEffect(() => {
    takesFocus.current = route.id !== undefined
  }, [address])
  useLayoutEffect(() => {
    // It may be far down in its conversation, and that in the list.
    element.current?.closest('.answers')?.scrollTo(0, element.current.offsetTop)
    // On a phone the page itself is what scrolls.
    if (matchMedia(PHONE).matches) element.current?.scrollIntoView()
    document.querySelector('.list [aria-current=true]')?.scrollIntoView({ block: 'nearest' })
  }, [conversation, address])
  useLayoutEffect(() => {
    if (takesFocus.current) element.current?.focus()
    takesFocus.current = false
  })
  const openConversation = (by: 1 | -1): void => open(listed[index + by]?.turns[0])
  const openAnswer = (by: 1 | -1): void => {
    const next = conversation[conversation.findIndex(isWanted) + by]
    if (next === undefined) openConversation(by)
    else open(next)
  }
  return { address, listed, index, turn: marked, element, choose, open, openConversation, openAnswer }
}

const PHONE = '(width < 720px)'
