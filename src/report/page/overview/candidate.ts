// What changed from the baseline to one candidate, in sections: what became of the questions, gates, figures, sources, sets.
import type { ChangeListName } from '../../../domain/changes.ts'
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../../../domain/comparison/comparison.ts'
import { digits } from '../../../domain/text.ts'
import { comparisonTable } from '../../comparison-csv.ts'
import {
  changeLists,
  type ListedChanges,
  type SetList,
  setLists,
  whatChanged,
} from '../../comparison-lists.ts'
import {
  describeChanges,
  describeMonthly,
  describeOverlap,
  describeTotals,
  figureRows,
  gateRows,
  type Rows,
  settingRows,
  sourceRows,
  tagRows,
} from '../../comparison-tables.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { sinceBaseline } from './headline.ts'
import { type ListName, questionId, questionLink, sentence } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { WORDS } from './words.ts'

const MOST_ROWS = 40

/** In a run's page, filters of these hold what differs within the run, too. */
const filterOf = (name: ChangeListName, inRun: boolean): ListName | undefined =>
  (inRun && name === 'flaky') || name === 'contextLost' ? undefined : name

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
  const { runs, options } = comparison
  const lists = changeLists(candidate, details.shown[place])
  const file = comparisonTable(runs, candidate.run)
  const label = comparison.candidates.length > 1 ? `${runs[candidate.run]?.label ?? ''}: ` : ''
  const { sections } = WORDS
  return section(
    {
      id: 'changes',
      title: sentence(`${label}${WORDS.comparison.changes(sinceBaseline(runs, candidate.run))}`, 200),
    },
    html`${paragraph(describeChanges(candidate, lists))}${describeTotals(candidate, options).map(paragraph)}${paragraph(`${describeOverlap(candidate)}.`)}${lists.map(
      (list) => changeSection(list, inRun, file),
    )}${rowSection('gates', sections.gates, gateRows(candidate), [1, 2])}${rowSection('figures', sections.figures, figureRows(candidate, options.alpha), [4])}${paragraph(
      describeMonthly(candidate),
    )}${rowSection('sources', sections.transitions, sourceRows(candidate), [1, 2])}${rowSection('tags', sections.tags, tagRows(candidate))}${rowSection(
      'settings',
      sections.settings,
      settingRows(candidate),
      [1, 2],
    )}${setLists(candidate).map((list) => setSection(list, inRun))}${notes(candidate)}`,
  )
}

/** Nothing without a row under the header. */
export function rowSection(
  name: string,
  title: string,
  [header = [], ...rows]: Rows,
  words: readonly number[] = [],
): SafeHtml {
  if (rows.length === 0) return html``
  const left = rows.length - MOST_ROWS
  const shown = rows.slice(0, MOST_ROWS).map((row) => row.map((cell) => sentence(cell, 400)))
  return section(
    { id: `changes-${name}`, title, level: 3 },
    html`${table({ caption: title, rows: [header, ...shown], words, isCaptionHidden: true })}${
      left > 0 ? paragraph(WORDS.more(left, WORDS.inFile('comparison.json'))) : ''
    }`,
  )
}

/** Not every list has a filter of its own; `file` has what the page has not. */
function changeSection(list: ListedChanges, inRun: boolean, file: string): SafeHtml {
  const { name, label, tone, count, changes } = list
  const filter = filterOf(name, inRun)
  return section(
    { id: `changes-${name}`, title: `${label} (${digits(count)})`, level: 3 },
    foldedList({
      items: changes.slice(0, MOST_ITEMS).map(
        (change) =>
          html`${questionLink(change.id, change.message)}
            ${questionId(change.id)}${change.mustPass ? html` <strong class="must">must pass</strong>` : ''}
            <ul class="under">
              <li dir="auto">${shorten(whatChanged(change, list), 400)}</li>
            </ul>`,
      ),
      count,
      shownAtOnce: tone === 'same' ? 2 : 6,
      rest: filter === undefined ? { file } : { list: filter },
    }),
  )
}

/** The page of a run does not hold what it was not asked. */
function setSection({ name, label, questions }: SetList, inRun: boolean): SafeHtml {
  const isHere = name !== 'removed' || !inRun
  return section(
    { id: `changes-${name}`, title: `${label} (${digits(questions.length)})`, level: 3 },
    foldedList({
      items: questions
        .slice(0, MOST_ITEMS)
        .map(
          ({ id, message, before }) =>
            html`${isHere ? questionLink(id, message) : html`<span dir="auto">${shorten(message, 240)}</span>`}
            ${questionId(id)}${before === undefined ? '' : html` <small dir="auto">was: ${shorten(before, 240)}</small>`}`,
        ),
      count: questions.length,
      shownAtOnce: 3,
      rest: name === 'added' || !isHere ? { file: 'comparison.json' } : { list: name },
    }),
  )
}

function notes({ notes: all }: CandidateComparison): SafeHtml {
  if (all.length === 0) return html``
  return section(
    { id: 'changes-notes', title: WORDS.sections.notes, level: 3 },
    foldedList({
      items: all.slice(0, MOST_ITEMS).map(({ text }) => html`<span dir="auto">${sentence(text)}</span>`),
      count: all.length,
      shownAtOnce: 10,
      rest: { file: 'comparison.json' },
    }),
  )
}
