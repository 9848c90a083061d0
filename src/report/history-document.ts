// The report of many runs over time: a series for each target and its sets.
import type { History, HistoryRun, HistorySeries } from '../domain/history.ts'
import { chartOf, listOf, sectionOf, tableOf, verdictOf } from './blocks.ts'
import type { Block, Document, Row } from './document.ts'
import { digits, duration, minute, NONE, percent, range, signed } from '../domain/format.ts'

/** `pageOf`: the path from the history's page to a run's page, with `/`; undefined if the run has none. */
export function historyDocument(
  { series, leftOut }: History,
  name: string,
  pageOf: (run: HistoryRun) => string | undefined,
): Document {
  const runs = series.reduce((sum, one) => sum + one.runs.length, 0)
  const latest = series.flatMap((one) => one.runs.at(-1) ?? [])
  const failed = latest.filter(({ verdict }) => verdict === 'failed').length
  return {
    title: ['History of ', { untrusted: name }],
    facts: `${digits(runs)} runs in ${digits(series.length)} series`,
    at: null,
    // A history is not judged.
    verdict: verdictOf('done', `latest runs that failed: ${digits(failed)} of ${digits(latest.length)}`),
    sections: [
      sectionOf(
        'overview',
        ...series.flatMap((one) => seriesBlocks(one, pageOf)),
        listOf(
          'Left out',
          leftOut.map(({ folder, reason }) => ({
            text: [{ untrusted: folder }, ': ', { untrusted: reason.text }],
          })),
          { fold: true },
        ),
      ),
    ],
  }
}

type PageOf = Parameters<typeof historyDocument>[2]

function seriesBlocks({ name, runs }: HistorySeries, pageOf: PageOf): Block[] {
  const grounded = runs.map(({ run, coverage }) => {
    const { low, high } = coverage.cluster ?? coverage
    return { at: Date.parse(run.startedAt), value: coverage.rate, low, high }
  })
  const passed = runs.map(({ run, expectations }) => ({
    at: Date.parse(run.startedAt),
    value: expectations.rate,
  }))
  const chart = chartOf(
    { untrusted: name },
    {
      kind: 'line',
      axis: 'time',
      unit: 'share',
      series: [
        ['grounded', grounded],
        ['expectations met', passed],
      ],
    },
  )
  const table = tableOf(
    { untrusted: name },
    ['Run (UTC)', 'Grounded', 'Change', 'Expectations met', 'Errors', 'p95', 'Calls'],
    // Latest first.
    runs.toReversed().map((run) => rowOf(run, pageOf(run))),
  )
  return [table, ...(runs.length > 1 ? [chart] : [])]
}

function rowOf(run: HistoryRun, page: string | undefined): Row {
  const { verdict, coverage, expectations, errors, latencyMs, quota, questionsChanged, groundedChange } = run
  const isFine = verdict === 'passed' || verdict === 'done'
  const at = minute(run.run.startedAt)
  return {
    cells: [
      [
        page === undefined ? at : { text: at, link: { file: page } },
        `${isFine ? '' : ` · ${verdict}`}${questionsChanged ? ' · other questions' : ''}`,
      ],
      percent(coverage.rate),
      groundedChange === null ? NONE : signed(groundedChange * 100, 1),
      percent(expectations.rate),
      percent(errors.rate),
      duration(latencyMs.p95),
      range(quota.min, quota.max),
    ],
    tone: isFine ? undefined : verdictOf(verdict, '').tone,
  }
}
