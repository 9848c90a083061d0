// Tags whose coverage or verdicts moved by more than chance makes.
import type { CandidateComparison } from '../../../domain/comparison/comparison.ts'
import { tagDifferenceRows, testedTags } from '../../comparison-tables.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { filterLink } from './links.ts'
import { paragraph } from './parts.ts'
import { WORDS } from './words.ts'

const MOST_ROWS = 40

export function tagDifferences(candidate: CandidateComparison, level: number): SafeHtml | undefined {
  const tested = testedTags(candidate)
  if (tested === 0) return undefined
  const [header = [], ...rows] = tagDifferenceRows(candidate, level)
  if (rows.length === 0) return paragraph(WORDS.tags.none(tested))
  const left = rows.length - MOST_ROWS
  const shown = rows
    .slice(0, MOST_ROWS)
    .map(([tag = '', ...cells]) => [filterLink('tag', tag, shorten(tag, 60)), ...cells])
  return html`${table({ caption: WORDS.tags.caption, rows: [header, ...shown], words: [1] })}${
    left > 0 ? paragraph(WORDS.more(left, WORDS.inFile('comparison.json'))) : ''
  }`
}
