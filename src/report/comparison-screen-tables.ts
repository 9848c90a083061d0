// Tables of the comparison's screen: cells made visible and cut, so that a line stays within a terminal.
import stringWidth from 'string-width'
import type { CandidateComparison } from '../domain/comparison/comparison.ts'
import { keptSources, tagDifferenceRows, testedTags, transitionRows } from './comparison-tables.ts'
import { digits, plural } from '../domain/text.ts'
import { alignTable } from './table.ts'
import { shorten, visible } from './visible.ts'
import { fit, LINE_WIDTH, wrap } from './wrap.ts'

const MOST_TRANSITIONS = 8
const MOST_TAGS = 10
const MOST_GATE_COLUMNS = 85
/** Of a sentence. */
const LONGEST = 1_000

/** A blank line and what follows. */
export const section = (title: string): string[] => ['', title]

export const paragraph = (sentence: string): string[] => wrap(shorten(visible(sentence), LONGEST))

/**
 * Rows of any text; `widths`: the most columns that a cell may take, the last one what is left of the line if that is
 * more. `align`: of all columns but the first.
 */
export function screenTable(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  { align = 'left', indent = '' }: { readonly align?: 'left' | 'right'; readonly indent?: string } = {},
): string[] {
  const [header = []] = rows
  const last = header.length - 1
  const safe = rows.map((row) =>
    row.map((cell, column) => (column === last ? visible(cell) : fit(visible(cell), widths[column] ?? 20))),
  )
  const taken = header
    .slice(0, last)
    .map((_, column) => 2 + Math.max(...safe.map((row) => stringWidth(row[column] ?? ''))))
    .reduce((sum, width) => sum + width, 0)
  const room = Math.max(widths[last] ?? 20, LINE_WIDTH - indent.length - taken)
  return alignTable(
    safe.map((row) => row.map((cell, column) => (column === last ? fit(cell, room) : cell))),
    header.map((_, column) => (column === 0 ? 'left' : align)),
  ).map((line) => indent + line)
}

export function screenTransitions(candidate: CandidateComparison): string[] {
  const [header = [], ...rows] = transitionRows(candidate)
  const kept = keptSources(candidate)
  if (rows.length === 0 && kept.length === 0) return []
  const left = rows.slice(MOST_TRANSITIONS)
  const turns = left.reduce((sum, [count]) => sum + Number(count), 0)
  const inLine = ([count = '', before = '', now = '']: readonly string[]): string[] => [
    count,
    before,
    '→',
    now,
  ]
  return [
    ...section('Where the answers came from, and come from now:'),
    ...(rows.length === 0
      ? []
      : screenTable([inLine(header), ...rows.slice(0, MOST_TRANSITIONS).map(inLine)], [7, 40, 1, 40], {
          indent: '  ',
        })),
    ...(left.length > 0
      ? [`  and ${plural(left.length, 'more move')} of ${plural(turns, 'turn')}: see comparison.json`]
      : []),
    ...(kept.length > 0
      ? wrap(visible(`from the same as before: ${listed(kept)}`), '  ', LINE_WIDTH - 2)
      : []
    ).map((line) => `  ${line}`),
  ]
}

function listed(names: readonly string[]): string {
  const left = names.length - MOST_TRANSITIONS
  return [
    ...names.slice(0, MOST_TRANSITIONS).map((name) => shorten(name, 60)),
    ...(left > 0 ? [`${digits(left)} more`] : []),
  ].join(', ')
}

export function screenTags(candidate: CandidateComparison, level: number): string[] {
  const tested = testedTags(candidate)
  if (tested === 0) return []
  const [header = [], ...rows] = tagDifferenceRows(candidate, level)
  if (rows.length === 0) return ['', `By tag: none of ${plural(tested, 'tag')} differs by more than noise.`]
  const left = rows.length - MOST_TAGS
  return [
    ...section('Tags that differ by more than noise:'),
    ...screenTable([header, ...rows.slice(0, MOST_TAGS)], [20, 8, 9, 9, 44, 10], { indent: '  ' }),
    ...(left > 0 ? [`  and ${plural(left, 'more', 'more')}: see comparison.json`] : []),
  ]
}

/** `isWhole`: those that passed, too. */
export function screenGates({ gates }: CandidateComparison, isWhole: boolean): string[] {
  if (gates.length === 0) return []
  const failed = gates.filter(({ passed }) => !passed)
  if (!isWhole && failed.length === 0)
    return ['', `Gates: ${gates.length === 1 ? 'it passed' : `all ${digits(gates.length)} passed`}`]
  return [
    ...section('Gates:'),
    ...(isWhole ? gates : failed).flatMap(({ passed, rule, reason }) => {
      const [first = '', ...rest] = wrap(shorten(visible(reason), LONGEST), '', MOST_GATE_COLUMNS)
      return [
        `  ${passed ? 'passed' : 'FAILED'}  ${rule.padEnd(12)}  ${first}`.trimEnd(),
        ...rest.map((line) => `${' '.repeat(24)}${line}`),
      ]
    }),
  ]
}
