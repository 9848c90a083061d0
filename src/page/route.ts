// The state that the address of the page holds.
import { hrefOf } from './text.tsx'
import type { Section } from '../report/document.ts'

export const VIEWS = ['list', 'table'] as const
export type View = (typeof VIEWS)[number]

/** The desk with this filter, as a list beside its answers or as a table of them. */
export const deskHref = (find: string, view: View): string =>
  `${hrefOf({ find })}${view === 'table' ? '&view=table' : ''}`

export type Route = ReturnType<typeof readAddress>

/**
 * `#overview`, `#find=is:failed`, `#q=vpn-1&repeat=2`, `#article=vpn`. Any other address shows the first
 * section.
 */
export function readAddress(sections: readonly Section[]) {
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
