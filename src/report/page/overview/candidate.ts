// What changed from the baseline to one candidate, in sections: what became of the questions, gates, figures, sources, sets.
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../../../domain/comparison/comparison.ts'
import { figureRows } from '../../comparison-figures.ts'
import { changeLists } from '../../comparison-lists.ts'
import { describeBase, describeLevel, describeSensitivity } from '../../comparison-trust.ts'
import {
  describeChanges,
  describeLowOverlap,
  describeMonthly,
  describeOverlap,
} from '../../comparison-words.ts'
import { comparisonTable } from '../../comparison-table-name.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { changeSection } from './changes.ts'
import { gateTable } from './gates.ts'
import { sinceBaseline } from './headline.ts'
import { sentence } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { setSection, settingTable } from './sets.ts'
import { tagDifferences } from './tag-differences.ts'
import { transitions } from './transitions.ts'
import { WORDS } from './words.ts'

/**
 * `place`: which of the candidates; the page's list of conversations is of it. `inRun`: whether that is the list of its
 * run, with all that differs within the run. Sections of level 2, parts of them of level 3.
 */
export function candidateSections(
  comparison: Comparison,
  details: ComparisonDetails,
  place = 0,
  inRun = false,
): SafeHtml {
  const candidate = comparison.candidates[place]
  if (candidate === undefined) return html``
  const lists = changeLists(candidate, details.shown[place])
  const since = sinceBaseline(comparison.runs, candidate.run)
  const id = 'changes'
  const file = comparisonTable(comparison.runs, candidate.run)
  const low = describeLowOverlap(candidate, comparison.options)
  const sub = (name: string, title: string, body: SafeHtml | undefined): SafeHtml =>
    body === undefined ? html`` : section({ id: `${id}-${name}`, title, level: 3 }, body)
  const { sections } = WORDS
  const label = comparison.runs[candidate.run]?.label ?? ''
  const whole =
    comparison.candidates.length > 1
      ? `${label}: ${WORDS.comparison.changes(since)}`
      : WORDS.comparison.changes(since)
  return section(
    { id, title: sentence(whole, 200) },
    html`${paragraph(low)}${paragraph(`${describeOverlap(candidate)}.`)}${describeChanges(candidate, lists).map((one) => paragraph(one))}${changeSection(
      id,
      lists,
      inRun,
      file,
    )}${sub('gates', sections.gates, gateTable(candidate))}${sub('figures', sections.figures, figures(candidate, comparison))}${sub(
      'transitions',
      sections.transitions,
      transitions(candidate, comparison.options.groundedSources),
    )}${sub('tags', sections.tags, tagDifferences(candidate, comparison.options.alpha))}${sub(
      'settings',
      sections.settings,
      settingTable(candidate),
    )}${sub('set', sections.set, setSection(candidate, inRun))}${sub('notes', sections.notes, notes(candidate))}`,
  )
}

function figures(candidate: CandidateComparison, comparison: Comparison): SafeHtml | undefined {
  const rows = figureRows(candidate, comparison.options.alpha)
  if (rows.length < 2) return undefined
  const monthly = describeMonthly(candidate)
  const sentences = [
    ...(candidate.overlap.isLow ? [] : [describeBase(candidate)]),
    ...(monthly === undefined ? [] : [monthly]),
    ...describeSensitivity(candidate),
  ].map((one) => `${one}.`)
  return html`${table({ caption: WORDS.figures.caption, rows, words: [4] })}${paragraph(sentences.join(' '))}${paragraph(describeLevel(comparison))}`
}

function notes({ notes: all }: CandidateComparison): SafeHtml | undefined {
  if (all.length === 0) return undefined
  return foldedList({
    items: all.slice(0, MOST_ITEMS).map((note) => html`<span dir="auto">${sentence(note)}</span>`),
    count: all.length,
    shownAtOnce: 10,
    rest: { file: 'comparison.json' },
  })
}
