// The menus of the filters: what there is to choose, how many questions each choice takes, and what stands chosen.
import type { PageRow } from '../domain/page-data.ts'
import { element } from './element.ts'
import { outcomeName, type FilterKey } from './filter.ts'
import type { KeptMarks } from './kept-marks.ts'
import { isListName, LIST_NAMES, LISTS, MARK_LISTS, type ListName } from './lists.ts'
import { countByValue } from './question-count.ts'
import { sourceName } from './source-name.ts'
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

export interface FilterMenus {
  /** In their order on the page. */
  readonly menus: readonly FilterMenu[]
  /** After something was marked: the counts of the lists that know of it. */
  readonly recount: () => void
}

/** Counts are of questions: repeats of one are one. */
export function filterMenus(
  rows: readonly PageRow[],
  speech: Speech,
  marks: Pick<KeptMarks, 'at'>,
): FilterMenus {
  const { words, number } = speech
  const outcomes = words.outcomes as Readonly<Record<string, string>>
  const counted = (valuesOf: (row: PageRow) => readonly string[], name = visibleText): Choice[] =>
    [...countByValue(rows, valuesOf)]
      .sort(([some], [other]) => (some < other ? -1 : 1))
      .map(([value, count]) => ({ value, label: `${name(value)} (${number(count)})` }))
  const tags = counted((row) => row.tags)
  const sources = counted(
    (row) => [row.source],
    (source) => sourceName(source, speech),
  )
  const endings = counted(
    (row) => [outcomeName(row)],
    (name) => outcomes[name] ?? name,
  )
  const inLists = (lists: readonly ListName[]): ReadonlyMap<string, number> =>
    countByValue(rows, (row, place) => lists.filter((name) => LISTS[name](row, marks.at(place))))
  const counts = inLists(LIST_NAMES)
  const lists = menu('list', words.everything, listChoices(counts, speech))
  return {
    menus: [
      { key: 'list', label: words.show, select: lists },
      { key: 'tag', label: words.tag, select: menu('tag', words.anyTag, tags) },
      { key: 'source', label: words.source, select: menu('source', words.anySource, sources) },
      { key: 'outcome', label: words.outcome, select: menu('outcome', words.anyOutcome, endings) },
    ],
    recount: () => {
      const stood = chosenIn(lists)
      const now = new Map([...counts].filter(([name]) => !MARK_LISTS.some((list) => list === name)))
      for (const [name, count] of inLists(MARK_LISTS)) now.set(name, count)
      showChoices(lists, words.everything, listChoices(now, speech))
      choosePresent(lists, stood, speech)
    },
  }
}

/** Undefined where nothing is chosen. */
export const chosenIn = ({ value }: HTMLSelectElement): string | undefined =>
  value === ANY ? undefined : value.slice(1)

function menu(id: string, any: string, choices: readonly Choice[]): HTMLSelectElement {
  const select = element('select', { id })
  showChoices(select, any, choices)
  return select
}

function showChoices(select: HTMLSelectElement, any: string, choices: readonly Choice[]): void {
  const options = choices.map(({ value, label }) => optionOf(value, label))
  select.replaceChildren(element('option', { value: ANY }, any), ...options)
}

/** Values are set as they are: an attribute would show steering signs, and so be another value. */
function optionOf(value: string, label: string): HTMLOptionElement {
  const option = element('option', { dir: 'auto' }, label)
  option.value = asValue(value)
  return option
}

/** A link may choose what no question has. */
export function choosePresent(select: HTMLSelectElement, value: string | undefined, speech: Speech): void {
  const wanted = value === undefined ? ANY : asValue(value)
  const isThere = [...select.options].some((option) => option.value === wanted)
  if (!isThere && value !== undefined) {
    select.append(optionOf(value, `${choiceName(select.id, value, speech)} (0)`))
  }
  select.value = wanted
}

function choiceName(menuId: string, value: string, speech: Speech): string {
  if (menuId === 'list' && isListName(value)) return speech.words.lists[value]
  return menuId === 'source' ? sourceName(value, speech) : visibleText(value)
}

const listChoices = (counts: ReadonlyMap<string, number>, { words, number }: Speech): Choice[] =>
  LIST_NAMES.flatMap((name) => {
    const count = counts.get(name) ?? 0
    return count === 0 ? [] : [{ value: name, label: `${words.lists[name]} (${number(count)})` }]
  })
