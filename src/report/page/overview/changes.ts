// What became of the questions: how many of each kind, and the first of each list with what happened to it.
import type { ListKey } from '../../comparison-list-rules.ts'
import { whatChanged } from '../../comparison-change.ts'
import type { ChangeList, ListedChange } from '../../comparison-lists.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { listAddress, questionId, questionLink, type ListName } from './links.ts'
import { foldedList, MOST_ITEMS, section, type FoldedList } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 6
/** What fails in both is no change: it takes no room from what changed. */
const SHOWN_OF_SAME = 2

/** Not every list has a filter of its own. */
const FILTERS: Readonly<Partial<Record<ListKey, ListName>>> = {
  lost: 'lost',
  gained: 'gained',
  newlyFailing: 'newlyFailing',
  mended: 'mended',
  factsChanged: 'factsChanged',
  otherAnswer: 'otherAnswer',
  noAnswer: 'noAnswer',
  answeredAgain: 'answeredAgain',
  flaky: 'flaky',
  failInBoth: 'failInBoth',
}

/** `isListed`: whether the page's list of conversations is of this candidate. */
export function changeSection(id: string, lists: readonly ChangeList[], isListed: boolean): SafeHtml {
  if (lists.length === 0) return html``
  const { caption, header, signs, meanings } = WORDS.changes
  const rows = lists.map(({ key, title, tone, count }) => {
    const filter = isListed ? FILTERS[key] : undefined
    const sign = html`<span class="tone ${tone}" aria-hidden="true">${signs[tone]}</span
      ><span class="unseen">${meanings[tone]}: </span>`
    const name = filter === undefined ? title : html`<a href="${listAddress(filter)}">${title}</a>`
    return [html`${sign}${name}`, String(count)]
  })
  return html`${table({ caption, rows: [header, ...rows] })}${lists.map((list) => listSection(id, list, isListed))}`
}

function listSection(
  id: string,
  { key, title, tone, count, changes }: ChangeList,
  isListed: boolean,
): SafeHtml {
  const filter = isListed ? FILTERS[key] : undefined
  const rest: FoldedList['rest'] = filter === undefined ? { file: 'comparison.csv' } : { list: filter }
  return section(
    { id: `${id}-${key}`, title: `${title} (${count})`, level: 3 },
    foldedList({
      items: changes.slice(0, MOST_ITEMS).map((change) => changeItem(change, key)),
      count,
      shownAtOnce: tone === 'same' ? SHOWN_OF_SAME : SHOWN_AT_ONCE,
      rest,
    }),
  )
}

const changeItem = (change: ListedChange, key: ListKey): SafeHtml =>
  html`${questionLink(change.id, change.message)}
    ${questionId(change.id)}${
      change.mustPass ? html` <strong class="must">${WORDS.changes.mustPass}</strong>` : ''
    }
    <ul class="under">
      <li dir="auto">${shorten(whatChanged(change, key), 400)}</li>
    </ul>`
