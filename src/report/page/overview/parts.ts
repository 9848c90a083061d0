// What the overview is put together from: sections with their headings, and lists that fold away what is long.
import { html, type SafeHtml } from '../html.ts'
import { listAddress, type ListName } from './links.ts'
import { WORDS } from './words.ts'

type Level = 2 | 3

export interface SectionParts {
  /** Unique in the page. */
  readonly id: string
  readonly title: string
  /** 2 for those of the page, 3 for those within one. */
  readonly level?: Level
}

export function section({ id, title, level = 2 }: SectionParts, body: SafeHtml): SafeHtml {
  const heading = `overview-${id}`
  return html`<section class="part-${level}" aria-labelledby="${heading}">
    ${
      level === 2
        ? html`<h2 id="${heading}" dir="auto">${title}</h2>`
        : html`<h3 id="${heading}" dir="auto">${title}</h3>`
    }${body}
  </section>`
}

export interface FoldedList {
  readonly items: readonly SafeHtml[]
  /** How many there are in all; the items may be fewer. */
  readonly count: number
  readonly shownAtOnce: number
  /** The list of conversations that holds them all, and what its link says of that; or the file. */
  readonly rest: { readonly list: ListName; readonly words?: string } | { readonly file: string }
  readonly isOrdered?: boolean
}

/** Items beyond these stand in the list of conversations, or in a file. */
export const MOST_ITEMS = 100

export function foldedList({ items, count, shownAtOnce, rest, isOrdered = false }: FoldedList): SafeHtml {
  const shown = items.slice(0, MOST_ITEMS)
  const [first, further] = [shown.slice(0, shownAtOnce), shown.slice(shownAtOnce)]
  const left = count - shown.length
  const list = (of: readonly SafeHtml[], start: number): SafeHtml =>
    isOrdered
      ? html`<ol class="items" start="${start}">
          ${of.map((item) => html`<li>${item}</li>`)}
        </ol>`
      : html`<ul class="items">
          ${of.map((item) => html`<li>${item}</li>`)}
        </ul>`
  return html`${first.length === 0 ? '' : list(first, 1)}${onPaper(count - first.length)}${
    further.length === 0
      ? ''
      : html`<details>
          <summary>${WORDS.showMore(further.length)}</summary>
          ${list(further, first.length + 1)}
        </details>`
  }${left > 0 ? restLine(left, rest) : 'list' in rest && count > shownAtOnce ? listLine(rest) : ''}`
}

/** What is folded or linked to is not on paper: how much that is, is. */
const onPaper = (left: number): SafeHtml =>
  left <= 0 ? html`` : html`<p class="paper rest">${WORDS.moreInPage(left)}</p>`

function restLine(left: number, rest: FoldedList['rest']): SafeHtml {
  if ('file' in rest) return html`<p class="rest">${WORDS.more(left, WORDS.inFile(rest.file))}</p>`
  const words = WORDS.more(left, rest.words ?? WORDS.inList)
  return html`<p class="rest unprinted"><a href="${listAddress(rest.list)}">${words}</a></p>`
}

const listLine = ({ list, words = WORDS.inList }: { list: ListName; words?: string }): SafeHtml =>
  html`<p class="rest unprinted"><a href="${listAddress(list)}">${words}</a></p>`

export const paragraph = (text: string | undefined): SafeHtml =>
  text === undefined || text === '' ? html`` : html`<p dir="auto">${text}</p>`
