// The state that the address of the page holds.
import { useLayoutEffect, useState } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import type { Section } from '../report/document.ts'
import { hrefOf } from './text.tsx'

export const VIEWS = ['list', 'table'] as const
export type View = (typeof VIEWS)[number]

/** The desk with this filter, as a list beside its answers or as a table of them. */
export const deskHref = (find: string, view: View): string =>
  `${hrefOf({ find })}${view === 'table' ? '&view=table' : ''}`

/** One answer of those that the filter finds. */
export const answerHref = (find: string, { id, repeat }: PageTurn): string =>
  `${hrefOf({ find })}&${hrefOf({ question: id, repeat }).slice(1)}`

/** It adds no step to the history. */
export function replaceAddress(hash: string): void {
  history.replaceState(null, '', hash)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

export type Route = ReturnType<typeof readAddress>

/** Undefined in the first render, which is the one that was written. */
export function useRoute(sections: readonly Section[]): Route | undefined {
  const [route, setRoute] = useState<Route>()
  useLayoutEffect(() => {
    const read = (): void => {
      setRoute(readAddress(sections))
      scrollTo(0, 0)
    }
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [sections])
  useLayoutEffect(() => {
    // On a phone the tabs scroll sideways.
    const tab = document.querySelector<HTMLElement>('.tabs > [aria-current]')
    const tabs = tab?.parentElement
    if (tab && tabs) tabs.scrollLeft = tab.offsetLeft - tabs.clientWidth / 2
    const part = route?.part === undefined ? null : document.getElementById(route.part)
    if (part instanceof HTMLDetailsElement) part.open = true
    part?.scrollIntoView()
  }, [route])
  return route
}

/**
 * `#overview`, `#find=is:failed`, `#q=vpn-1&repeat=2`, `#article=vpn`. Any other address shows the first
 * section.
 */
function readAddress(sections: readonly Section[]) {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const [first] = parameters.keys()
  const article = parameters.get('article') ?? undefined
  const wanted =
    first === 'find' || first === 'q' ? 'conversations' : article === undefined ? first : 'articles'
  const repeat = parameters.get('repeat')
  const id = parameters.get('q') ?? undefined
  return {
    section: (sections.find((section) => section.id === wanted) ?? sections[0])?.id ?? '',
    /** Undefined where the address names none: the list begins with what is to do. */
    query: parameters.get('find') ?? (id === undefined ? undefined : ''),
    view: VIEWS.find((name) => name === parameters.get('view')) ?? 'list',
    id,
    article,
    /** A block that stands open, at the top. */
    part: parameters.get('part') ?? undefined,
    repeat: repeat === null ? undefined : Number(repeat),
  }
}
