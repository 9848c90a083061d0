// The script of the page: tabs, local times, changes and conversations.
import { render } from 'preact'
import { RATINGS } from '../domain/review.ts'
import { digits } from '../domain/format.ts'
import { Changes } from './changes.tsx'
import { Conversations, type Route } from './conversations.tsx'
import { createMarks, type Marks } from './reviews.ts'
import { countReviews } from './query.ts'
import { loadStore, type Store } from './store.ts'
import { hrefOf } from './text.tsx'

const sections = [...document.querySelectorAll<HTMLElement>('main > section')]
const tabs = [...document.querySelectorAll<HTMLAnchorElement>('header nav a')]

/**
 * `#overview`, `#changes=lost`, `#find=is:failed`, `#q=vpn-1&repeat=2`. Any other address shows the first
 * section.
 */
function readAddress(): Route {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const [first] = parameters.keys()
  const wanted = first === 'find' || first === 'q' ? 'conversations' : first
  const repeat = parameters.get('repeat')
  return {
    section: (sections.find(({ id }) => id === wanted) ?? sections[0])?.id ?? '',
    kind: parameters.get('changes') ?? '',
    query: parameters.get('find') ?? '',
    id: parameters.get('q') ?? undefined,
    repeat: repeat === null ? undefined : Number(repeat),
  }
}

let loaded: { readonly store: Store; readonly marks: Marks } | undefined

function show(): void {
  const route = readAddress()
  const { section } = route
  for (const one of sections) one.hidden = one.id !== section
  for (const tab of tabs) {
    if (tab.hash === `#${section}`) tab.setAttribute('aria-current', 'page')
    else tab.removeAttribute('aria-current')
  }
  const app = document.getElementById(`${section}-app`)
  if (app === null || loaded === undefined) return
  if (section === 'conversations') render(<Conversations {...loaded} route={route} search={search} />, app)
  else render(<Changes {...loaded} route={route} />, app)
}

/** Replaces the address, so that typing adds no steps to the history. */
function search(query: string): void {
  history.replaceState(null, '', query === '' ? '#conversations' : `#find=${encodeURIComponent(query)}`)
  show()
}

addEventListener('hashchange', () => {
  show()
  // A link shows the top of its section.
  scrollTo(0, 0)
})
for (const time of document.querySelectorAll('time'))
  time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
show()
void loadStore().then((store) => {
  if (store === undefined) return
  // A new object makes Preact render again.
  const marks = createMarks(store.contents, () => {
    loaded = { store, marks: { ...marks } }
    updateReviews(loaded)
    show()
  })
  loaded = { store, marks }
  // Those of an earlier visit.
  if (marks.count() > 0) updateReviews(loaded)
  show()
})

/** The overview was rendered before the reviews that are made here. */
function updateReviews({ store, marks }: NonNullable<typeof loaded>): void {
  const counts = countReviews(store, marks)
  for (const word of [...RATINGS, 'none']) {
    const link = document.querySelector(`#overview tr a[href="${hrefOf({ find: `review:${word}` })}"]`)
    const cell = link?.closest('tr')?.lastElementChild
    if (cell) cell.textContent = digits(counts.get(word) ?? 0)
  }
}
