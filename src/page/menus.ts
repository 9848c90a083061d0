// The menus of the filters: what there is to choose, how many questions each choice takes, and what stands chosen.
import type { PageRow } from '../domain/page-data.ts'
import { element } from './element.ts'
import { outcomeName, type FilterKey } from './filter.ts'
import { isListName, LIST_NAMES, LISTS } from './lists.ts'
import { visibleText } from './visible.ts'
import type { Speech } from './words.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

/** Value of the entry that takes everything; sources and tags may be called anything, so others carry a sign before them. */
const ANY = ''
const asValue = (text: string): string => `=${text}`

export interface FilterMenu {
  readonly key: FilterKey
  readonly label: string
  readonly select: HTMLSelectElement
}

/** In their order on the page. */
export function filterMenus(rows: readonly PageRow[], speech: Speech): readonly FilterMenu[] {
  const { words, number } = speech
  const outcomes = words.outcomes as Readonly<Record<string, string>>
  const counted = (valuesOf: (row: PageRow) => readonly string[], name = visibleText): Choice[] =>
    [...countValues(rows, valuesOf)].map(([value, count]) => ({
      value,
      label: `${name(value)} (${number(count)})`,
    }))
  const tags = counted((row) => row.tags)
  const sources = counted((row) => [row.source])
  const endings = counted(
    (row) => [outcomeName(row)],
    (name) => outcomes[name] ?? name,
  )
  return [
    { key: 'list', label: words.show, select: menu('list', words.everything, listChoices(rows, speech)) },
    { key: 'tag', label: words.tag, select: menu('tag', words.anyTag, tags) },
    { key: 'source', label: words.source, select: menu('source', words.anySource, sources) },
    { key: 'outcome', label: words.outcome, select: menu('outcome', words.anyOutcome, endings) },
  ]
}

/** Undefined where nothing is chosen. */
export const chosenIn = ({ value }: HTMLSelectElement): string | undefined =>
  value === ANY ? undefined : value.slice(1)

function menu(id: string, any: string, choices: readonly Choice[]): HTMLSelectElement {
  const select = element('select', { id }, element('option', { value: ANY }, any))
  select.append(...choices.map(({ value, label }) => optionOf(value, label)))
  return select
}

/** Values are set as they are: an attribute would show steering signs, and so be another value. */
function optionOf(value: string, label: string): HTMLOptionElement {
  const option = element('option', { dir: 'auto' }, label)
  option.value = asValue(value)
  return option
}

/** A link may choose what no question has. */
export function choosePresent(select: HTMLSelectElement, value: string | undefined, { words }: Speech): void {
  const wanted = value === undefined ? ANY : asValue(value)
  const isThere = [...select.options].some((option) => option.value === wanted)
  if (!isThere && value !== undefined) {
    const name = select.id === 'list' && isListName(value) ? words.lists[value] : visibleText(value)
    select.append(optionOf(value, `${name} (0)`))
  }
  select.value = wanted
}

function listChoices(rows: readonly PageRow[], { words, number }: Speech): Choice[] {
  return LIST_NAMES.flatMap((name) => {
    const count = rows.reduce((sum, row) => sum + (LISTS[name](row) ? 1 : 0), 0)
    return count === 0 ? [] : [{ value: name, label: `${words.lists[name]} (${number(count)})` }]
  })
}

/** In the order of their names. */
function countValues(
  rows: readonly PageRow[],
  valuesOf: (row: PageRow) => readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) for (const value of valuesOf(row)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return new Map([...counts].sort(([some], [other]) => (some < other ? -1 : 1)))
}
