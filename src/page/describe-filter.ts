// What is filtered, in words: for paper.
import type { Filter } from './filter.ts'
import { isListName } from './lists.ts'
import { sourceName } from './source-name.ts'
import { visibleText } from './visible.ts'
import type { Speech } from './words.ts'

export function describeFilter({ list, tag, source, outcome, search }: Filter, speech: Speech): string {
  const { words } = speech
  const outcomes = words.outcomes as Readonly<Record<string, string>>
  const said = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${name}: ${visibleText(value)}`]
  return [
    ...said(words.show, list !== undefined && isListName(list) ? words.lists[list] : list),
    ...said(words.tag, tag),
    ...said(words.source, source === undefined ? undefined : sourceName(source, speech)),
    ...said(words.outcome, outcome === undefined ? undefined : (outcomes[outcome] ?? outcome)),
    ...said(words.search, search),
  ].join('; ')
}
