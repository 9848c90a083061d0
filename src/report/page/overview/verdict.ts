// Why the run passed or failed: thresholds with their reasons. And at the end: notes, and what was asked of whom.
import type { Summary } from '../../../domain/summary.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { sentence } from './links.ts'
import { foldedList, MOST_ITEMS, section } from './parts.ts'
import { formatMoment } from './format.ts'
import { WORDS } from './words.ts'

const MOST_THRESHOLDS = 100
const MOST_SETS = 20

/** Nothing where the run had no threshold. */
export function verdictSection({ thresholds }: Pick<Summary, 'thresholds'>): SafeHtml {
  if (thresholds.length === 0) return html``
  const { caption, header, passed: good, failed: bad } = WORDS.thresholds
  const rows = thresholds
    .slice(0, MOST_THRESHOLDS)
    .map(({ expression, passed, value, reason }) => [
      html`<code>${shorten(expression, 120)}</code>`,
      verdictWord(passed, passed ? good : bad),
      value === null ? 'n/a' : String(Number(value.toPrecision(4))),
      sentence(reason),
    ])
  return section(
    { id: 'verdict', title: WORDS.sections.verdict },
    table({ caption, rows: [header, ...rows], words: [1, 3] }),
  )
}

export const verdictWord = (passed: boolean, word: string): SafeHtml =>
  html`<span class="${passed ? 'passed' : 'failed'}">${passed ? '✓' : '✗'} ${word}</span>`

/** Nothing without notes. `file` holds them all. */
export function noteSection(notes: readonly string[], file = 'summary.json'): SafeHtml {
  if (notes.length === 0) return html``
  return section(
    { id: 'notes', title: WORDS.sections.notes },
    foldedList({
      items: notes.slice(0, MOST_ITEMS).map((note) => html`<span dir="auto">${sentence(note)}</span>`),
      count: notes.length,
      shownAtOnce: 10,
      rest: { file },
    }),
  )
}

export function aboutSection({ run }: Pick<Summary, 'run'>): SafeHtml {
  const words = WORDS.about
  const left = run.datasets.length - MOST_SETS
  const sets = [
    ...run.datasets
      .slice(0, MOST_SETS)
      .map(({ path, turns }) => `${shorten(path, 120)} (${words.turns(turns)})`),
    ...(left > 0 ? [WORDS.more(left, WORDS.inFile('summary.json'))] : []),
  ]
  const ended = formatMoment(run.endedAt)
  const facts: [string, string][] = [
    [words.target, run.origin === run.target ? run.target : `${run.target} (${run.origin})`],
    [words.organization, run.organization],
    [words.sets, sets.join(', ')],
    [words.started, formatMoment(run.startedAt)],
    [words.ended, run.sittings > 1 ? `${ended}, ${words.sittings(run.sittings)}` : ended],
    [words.grounded, run.groundedSources.join(', ')],
    [words.run, run.id],
    [words.harness, `assist-harness ${run.harnessVersion}`],
  ]
  return section(
    { id: 'about', title: WORDS.sections.about },
    html`<dl class="about">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd dir="auto">${sentence(value, 2000)}</dd>
          </div>`,
      )}
    </dl>`,
  )
}
