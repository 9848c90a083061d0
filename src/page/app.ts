// The conversations of the page: what is filtered is found, sorted, shown, and stands in the address.
import { listAddress, readAddress, wellFormed } from './address.ts'
import type { Context } from './context.ts'
import type { ConversationView } from './conversation-view.ts'
import type { Found } from './conversations.ts'
import { createFinder, isSame, type Chosen } from './finder.ts'
import { controls } from './controls.ts'
import { downloadFound } from './download-found.ts'
import { button, element, find, showIn } from './element.ts'
import { isEmpty } from './filter.ts'
import { listenToKeys } from './keys.ts'
import { leftOutNote } from './left-out.ts'
import { listView } from './list-view.ts'
import { missingNote } from './missing-note.ts'
import { MOST_PRINTED, prepareForPrint } from './print.ts'
import { reviewsBar } from './reviews-bar.ts'
import { statusLine } from './status-line.ts'
import { refreshMark, turnId } from './turn-view.ts'
import { visibleText } from './visible.ts'
import { fill } from './words.ts'

export function startApp(parent: HTMLElement, context: Context): void {
  const { speech, store, marks } = context
  const { words, number } = speech
  const { rows, contents } = store
  const search = createFinder(store, marks)
  const hasChanges = rows.some(({ changed }) => changed !== null)
  let chosen: Chosen = { filter: {}, sort: 'set' }
  let found: readonly Found[] = []
  let isAllRead = false
  /** The browser leaves no time for it once a person prints. */
  let preparing: ReturnType<typeof setTimeout> | undefined

  const list = listView(context)
  const missing = missingNote()
  const status = statusLine(context)
  const printed = element(
    'p',
    { class: 'paper', hidden: true },
    fill(words.printed, { count: number(MOST_PRINTED) }),
  )
  const choose = (next: Chosen): void => {
    chosen = next
    const address = listAddress(chosen.filter, chosen.sort)
    // Each letter typed into the search is no step to go back.
    replaceAddress(address)
    show()
  }
  const filters = controls(context, choose)

  const refind = (): void => {
    found = search(chosen)
  }
  const say = (): void => status.say(found, chosen, isAllRead)
  let isShown = false
  const show = (first = 0): void => {
    refind()
    missing.hide()
    filters.show(chosen)
    list.show(found, first)
    say()
    clearTimeout(preparing)
    // While somebody types it can wait; a page that is printed as it opens needs it at once.
    preparing = setTimeout(() => void store.prepare(placesToPrint()), isShown ? 500 : 0)
    isShown = true
  }
  const placesToPrint = (): readonly number[] =>
    found.slice(0, MOST_PRINTED).flatMap(({ conversation }) => conversation.places)
  const goTo = async (id: string, repeat: number | undefined): Promise<void> => {
    const place = rows.findIndex(
      (row) => wellFormed(row.id) === id && (repeat === undefined || row.repeat === repeat),
    )
    missing.hide()
    if (place === -1) return missing.tell(fill(words.unknownQuestion, { id: visibleText(id) }))
    const holds = (one: Found): boolean => one.places.includes(place)
    const drawn = (): ConversationView | undefined => list.views().find((view) => holds(view.found))
    if (!found.some(holds)) {
      chosen = { filter: {}, sort: chosen.sort }
      refind()
    }
    // What is open beside it stays open where it can.
    if (drawn() === undefined) show(Math.max(0, found.findIndex(holds) - 3))
    await drawn()?.open()
    const turn = document.getElementById(turnId(place))
    turn?.scrollIntoView({ block: 'start' })
    turn?.focus({ preventScroll: true })
  }
  const follow = (): void => {
    const address = readAddress(location.hash)
    if (address.kind === 'question') void goTo(address.id, address.repeat)
    if (address.kind === 'list') {
      chosen = { filter: address.filter, sort: address.sort }
      show()
      find('conversations').scrollIntoView({ block: 'start' })
    }
  }

  const setAll = (act: 'open' | 'close'): void => {
    for (const view of list.views()) void view[act]()
  }
  const keys = listenToKeys({ views: list.views, focusSearch: filters.focusSearch }, speech)
  const actions = element(
    'div',
    { class: 'actions' },
    button(words.downloadCsv, () => void downloadFound(found, context), {
      'aria-describedby': 'download-hint',
    }),
    button(words.openAll, () => setAll('open')),
    button(words.closeAll, () => setAll('close')),
    element(
      'span',
      { class: 'muted', id: 'download-hint' },
      `${words.downloadHint}${hasChanges ? ` ${words.downloadHintChanges}` : ''}`,
    ),
  )
  showIn(
    parent,
    leftOutNote(contents, speech),
    missing.element,
    filters.element,
    keys,
    ...status.elements,
    printed,
    actions,
    list.element,
  )
  document.body.append(reviewsBar(context))
  let recounting: ReturnType<typeof setTimeout> | undefined
  marks.watch((places) => {
    const marked = new Set(places.flatMap(marks.placesWith))
    for (const place of marked) refreshMark(place)
    for (const view of list.views())
      if (view.found.places.some((place) => marked.has(place))) view.renewSigns()
    clearTimeout(recounting)
    recounting = setTimeout(() => {
      filters.recount()
      say()
    }, 200)
  })
  prepareForPrint(list, printed)
  show()
  follow()
  addEventListener('hashchange', () => {
    // Back to where nothing was filtered; the browser itself scrolls to where that was.
    const isPlain = isEmpty(chosen.filter) && chosen.sort === 'set'
    if (location.hash === '' && !isPlain) choose({ filter: {}, sort: 'set' })
    else follow()
  })
  // A link that is followed twice changes no address.
  addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.hash !== undefined && link.hash !== '' && link.hash === location.hash) follow()
  })
  void store.readAll((isAll) => {
    isAllRead = isAll
    if (chosen.filter.search === undefined) return
    const before = found
    refind()
    // What a person reads stays where it is while nothing more was found.
    if (isSame(before, found)) found = before
    else list.show(found)
    say()
  })
}

/** Where the page stands in a frame that forbids it, the address stays as it is. */
function replaceAddress(fragment: string): void {
  try {
    history.replaceState(null, '', fragment === '' ? location.pathname + location.search : `#${fragment}`)
  } catch {
    // The filters work without it.
  }
}
