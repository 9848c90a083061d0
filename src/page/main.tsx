// The script of the page: tabs, local times, changes and conversations.
import { render } from 'preact'
import { Changes } from './changes.tsx'
import { Conversations, type Route } from './conversations.tsx'
import { createMarks, type Marks } from './reviews.ts'
import { loadStore, type Store } from './store.ts'

const sections = [...document.querySelectorAll<HTMLElement>('main > section')]
const tabs = [...document.querySelectorAll<HTMLAnchorElement>('header nav a')]

interface Place {
  readonly section: string
  readonly route: Route
}

/** `#overview`, `#find=is:failed`, `#q=vpn-1&repeat=2`. Any other address shows the first section. */
function readAddress(): Place {
  const hash = location.hash.slice(1)
  const parameters = new URLSearchParams(hash)
  const [query, id] = [parameters.get('find'), parameters.get('q')]
  if (query !== null) return { section: 'conversations', route: { query } }
  if (id !== null) {
    const repeat = parameters.get('repeat')
    const question = { id, repeat: repeat === null ? undefined : Number(repeat) }
    return { section: 'conversations', route: { query: '', question } }
  }
  const known = sections.some((section) => section.id === hash)
  return { section: known ? hash : (sections[0]?.id ?? ''), route: { query: '' } }
}

let loaded: { readonly store: Store; readonly marks: Marks } | undefined
let lastQuery = ''

function show(): void {
  const { section, route } = readAddress()
  for (const one of sections) one.hidden = one.id !== section
  for (const tab of tabs) {
    if (tab.hash === `#${section}`) tab.setAttribute('aria-current', 'page')
    else tab.removeAttribute('aria-current')
  }
  const app = document.getElementById(`${section}-app`)
  if (app === null || loaded === undefined) return
  if (section === 'conversations') render(<Conversations {...loaded} route={route} search={search} />, app)
  else render(<Changes {...loaded} />, app)
}

/** Replaces the address, so that typing adds no steps to the history. */
function search(query: string): void {
  history.replaceState(null, '', query === '' ? '#conversations' : `#find=${encodeURIComponent(query)}`)
  lastQuery = query
  show()
}

function localTimes(): void {
  for (const time of document.querySelectorAll('time'))
    time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
}

addEventListener('hashchange', () => {
  show()
  // A link shows the top of its section.
  if (lastQuery === '') scrollTo(0, 0)
  lastQuery = ''
})
localTimes()
show()
void loadStore().then((store) => {
  if (store === undefined) return
  // A new object makes Preact render again.
  const marks = createMarks(store.contents.runId, () => {
    loaded = { store, marks: { ...marks } }
    show()
  })
  loaded = { store, marks }
  show()
})
