// A report in the browser: tabs by the address, local times, conversations.
import { render } from 'preact'
import { reviewsTable } from '../report/reviews-table.ts'
import { type Abilities, AbilitiesContext } from './abilities.ts'
import { Conversations } from './conversations.tsx'
import type { Marks } from './reviews.ts'
import { countReviews } from './query.ts'
import { readAddress } from './route.ts'
import { REVIEWS_ID, type PageContents, type PageStore } from './store.ts'
import { TableView } from './table.tsx'
import { hrefOf } from './text.tsx'

interface Loaded {
  readonly store: PageStore
  readonly marks: Marks
}

/**
 * Brings a rendered report to life. `marksOf` opens its reviews, and calls `changed` when one changes.
 * `loading` resolves to undefined for a report without conversations. Returns what ends it.
 */
export function openApp(
  loading: Promise<PageStore | undefined>,
  marksOf: (contents: PageContents, changed: () => void) => Marks,
  abilities: Abilities = {},
): () => void {
  const sections = [...document.querySelectorAll<HTMLElement>('main > section')]
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>('header.top nav a')]
  let loaded: Loaded | undefined

  const show = (): void => {
    const route = readAddress(sections)
    const { section } = route
    for (const element of sections) element.hidden = element.id !== section
    for (const tab of tabs) {
      if (tab.hash === `#${section}`) tab.setAttribute('aria-current', 'page')
      else tab.removeAttribute('aria-current')
    }
    const app = document.getElementById('conversations-app')
    if (section !== 'conversations' || app === null || loaded === undefined) return
    render(
      <AbilitiesContext.Provider value={abilities}>
        <Conversations {...loaded} route={route} search={search} />
      </AbilitiesContext.Provider>,
      app,
    )
  }
  /** Replaces the address, so that typing adds no steps to the history. */
  const search = (query: string): void => {
    history.replaceState(null, '', query === '' ? '#conversations' : hrefOf({ find: query }))
    show()
  }

  const ended = new AbortController()
  const onLink = (): void => {
    show()
    // A link shows the top of its section.
    scrollTo(0, 0)
  }
  addEventListener('hashchange', onLink, { signal: ended.signal })
  for (const time of document.querySelectorAll<HTMLTimeElement>('header.top time'))
    time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  show()
  void loading.then((store) => {
    if (store === undefined || ended.signal.aborted) return
    // A new object makes Preact render again.
    const marks = marksOf(store.contents, () => {
      loaded = { store, marks: { ...marks } }
      updateReviews(loaded)
      show()
    })
    loaded = { store, marks }
    // Those of an earlier visit.
    if (marks.count() > 0) updateReviews(loaded)
    show()
  })
  return () => ended.abort()
}

/** The overview was rendered before the reviews that are made here. */
function updateReviews({ store, marks }: Loaded): void {
  const place = document.getElementById(REVIEWS_ID)
  if (place !== null) render(<TableView table={reviewsTable(countReviews(store, marks))} />, place)
}
