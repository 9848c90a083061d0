// The page of a load test: the answer first, then what was offered, how long it took, where answers came from, what failed, what it cost.
import type { LoadReport } from '../../../domain/load.ts'
import { digits } from '../../../domain/text.ts'
import { sourceName } from '../../comparison-lists.ts'
import { headlineSentence, LATENCY_HEADER, latencyRows, loadLines } from '../../load-account.ts'
import { duration, perSecond } from '../../numbers.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { errorTables } from '../overview/errors.ts'
import { wholePercent } from '../overview/format.ts'
import { limitSection } from '../overview/limit.ts'
import { sentence } from '../overview/links.ts'
import { reasonLine } from '../overview/opening.ts'
import { quotaTable } from '../overview/operations.ts'
import { paragraph, section } from '../overview/parts.ts'
import { aboutSection, noteSection, verdictSection } from '../overview/verdict.ts'
import { WORDS } from '../overview/words.ts'
import { loadCharts } from './charts.ts'

const MOST_VALUES = 20

/** Sections whose headings are of level 2 and 3; ids in it begin with `overview-`. */
export function renderLoadOverview(report: LoadReport): SafeHtml {
  const charts = loadCharts(report)
  const { errors, contextSource, status, turns } = report
  const times = latencyRows(report)
  const notes = report.warnings.map(({ text }) => text)
  return html`<div class="overview">
    ${opening(report)}${verdictSection(report)}${section(
      { id: 'offered', title: 'What was offered, and what came through' },
      charts?.offered ?? paragraph('No thread was due before the test ended.'),
    )}${section(
      { id: 'latency', title: 'How long answers took' },
      times.length === 0
        ? paragraph('No call ended, so there is nothing to measure.')
        : html`${turns.answered > 0 ? charts?.latency : ''}${table({
            caption: 'All times',
            rows: [[...LATENCY_HEADER], ...times],
            words: [LATENCY_HEADER.length - 1],
          })}`,
    )}${section(
      { id: 'grounding', title: 'Where answers came from' },
      turns.answered === 0
        ? paragraph('No turn was answered.')
        : html`${charts?.sources}${valueTable('Answers by their source', contextSource)}${valueTable(
            'Answers by their status',
            status,
          )}`,
    )}${section(
      { id: 'failures', title: `Turns that failed (${digits(errors.errors)})` },
      errors.errors === 0
        ? paragraph('No turn failed otherwise than by a 429.')
        : errorTables(errors, (outcome) => WORDS.errors.outcomes[outcome] ?? outcome),
    )}${section(
      { id: 'operations', title: 'Quota and all figures' },
      html`${limitSection({ finding: report.limit, limit: null })}${quotaTable(report)}${table({
        caption: 'All figures of the test',
        rows: [
          ['figure', 'this load test'],
          ...loadLines(report).map(({ label, words }) => [label, sentence(words)]),
        ],
        words: [1],
      })}${paragraph('Every call stands with its question and answer in journal.ndjson, beside this page.')}`,
    )}${noteSection(notes, 'load.json')}${aboutSection(report)}
  </div>`
}

function opening(report: LoadReport): SafeHtml {
  const { state, verdict, achieved, responseMs, dropped, pacing, errors, coverage } = report
  const isWhole = state === 'complete' && verdict !== 'incomplete'
  const notice = `This load test ${state === 'interrupted' ? 'was interrupted' : 'is not complete'}.`
  const facts: readonly (readonly [figure: string, words: string, part: string])[] = [
    [perSecond(achieved.rate), 'threads a second were started', 'offered'],
    [duration(responseMs.p95), 'p95 response time', 'latency'],
    [digits(dropped.threads), 'threads dropped', 'offered'],
    [wholePercent(pacing.rate429), 'of calls got 429', 'offered'],
    [digits(errors.errors), 'turns failed', 'failures'],
    [wholePercent(coverage.rate), 'of answers grounded', 'grounding'],
  ]
  return html`${
    isWhole
      ? ''
      : html`<p class="notice" role="note">
          <strong>${notice}</strong> The figures are of what came until then.
        </p>`
  }${section(
    { id: 'opening', title: 'In short' },
    html`<p class="lead" dir="auto">${sentence(headlineSentence(report), 1000)}</p>
      ${reasonLine(report)}
      <ul class="facts">
        ${facts.map(
          ([figure, words, part]) =>
            html`<li>
              <a href="#overview-${part}"><strong>${figure}</strong> <span>${words}</span></a>
            </li>`,
        )}
      </ul>`,
  )}`
}

/** The most frequent values; the endpoint chooses them. */
function valueTable(caption: string, counts: Readonly<Record<string, number>>): SafeHtml {
  const whole = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const rows = Object.entries(counts)
    .slice(0, MOST_VALUES)
    .map(([value, count]) => [shorten(sourceName(value), 40), digits(count), wholePercent(count / whole)])
  return table({ caption, rows: [['value', 'answers', 'share'], ...rows] })
}
