// What became of the questions: how many of each kind, and the first of each list with what happened to it.
import type { ListKey } from '../../comparison-list-rules.ts'
import { whatChanged } from '../../comparison-change.ts'
import type { ChangeList, ListedChange } from '../../comparison-lists.ts'
import { digits } from '../../../domain/text.ts'
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
  sourceChanged: 'sourceChanged',
  noAnswer: 'noAnswer',
  answeredAgain: 'answeredAgain',
  contextRegained: 'contextRegained',
  flaky: 'flaky',
  failInBoth: 'failInBoth',
}

/** In a run's page this list holds what differs within the run, too. */
const filterOf = (key: ListKey, inRun: boolean): ListName | undefined =>
  inRun && key === 'flaky' ? undefined : FILTERS[key]

/** `inRun`: whether the page's list of conversations is of a run; `file` has what it has not. */
export function changeSection(
  id: string,
  lists: readonly ChangeList[],
  inRun: boolean,
  file: string,
): SafeHtml {
  if (lists.length === 0) return html``
  const { caption, header, signs, meanings } = WORDS.changes
  const rows = lists.map(({ key, title, tone, count }) => {
    const filter = filterOf(key, inRun)
    const sign = html`<span class="tone ${tone}" aria-hidden="true">${signs[tone]}</span
      ><span class="unseen">${meanings[tone]}: </span>`
    const name = filter === undefined ? title : html`<a href="${listAddress(filter)}">${title}</a>`
    return [html`${sign}${name}`, digits(count)]
  })
  return html`${table({ caption, rows: [header, ...rows] })}${lists.map((list) => listSection(id, list, filterOf(list.key, inRun), file))}`
}

function listSection(
  id: string,
  { key, title, tone, count, changes }: ChangeList,
  filter: ListName | undefined,
  file: string,
): SafeHtml {
  const rest: FoldedList['rest'] = filter === undefined ? { file } : { list: filter }
  return section(
    { id: `${id}-${key}`, title: `${title} (${digits(count)})`, level: 3 },
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
