// A history on the screen and as a table for spreadsheets.
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { makeHistory } from '../../src/analysis/history.ts'
import { type History, recordedSummarySchema } from '../../src/domain/history.ts'
import { message } from '../../src/domain/messages.ts'
import { renderHistoryCsv } from '../../src/report/history-csv.ts'
import { renderHistoryScreen } from '../../src/report/history.ts'
import { nightOf, nightSummary, type Night } from '../support/nights.ts'

const historyOf = (nights: readonly Partial<Night>[]): History =>
  makeHistory(
    {
      runs: nights.map((night, number) => ({
        folder: `n${number}`,
        hasPage: false,
        summary: recordedSummarySchema.parse(nightSummary({ startedAt: nightOf(number), ...night })),
      })),
      leftOut: [{ folder: 'load', reason: message('history-no-summary', { file: 'summary.json' }) }],
    },
    {},
    '0',
  )
const screenOf = (nights: readonly Partial<Night>[]): string[] =>
  renderHistoryScreen(historyOf(nights), ({ folder }) => folder).split('\n')

test('two runs: their figures, what changed, the months, and what is left out', () => {
  const lines = screenOf([
    { grounded: 78, passed: 70, p95: 1200, quota: { calls: 1000, period: 'month' } },
    { digest: 'sha256:1', errors: 25, calls: [100, 130], quota: { calls: 1000, period: 'month' } },
  ])
  expect(lines).toEqual([
    'set.csv of staging (2 runs)',
    'started (UTC)     verdict         grounded  passed  errors      p95    calls',
    '2026-01-01 02:00  passed    78.0 % (69–85)  70.0 %   0.0 %    1.2 s      100',
    '2026-01-02 02:00  passed *  80.0 % (71–87)  80.0 %  20.0 %   900 ms  100–130',
    'latest change                           +2     +10     +20  −300 ms      +30',
    '* other questions than in the run before',
    'Compare: npx assist-harness compare n0 n1',
    '',
    'month (UTC)  organization  runs    calls  of the quota',
    '2026-01      acme             2  200–230  23.0 % of 1,000 calls a month',
    '',
    'Changes are since the complete run before, of shares in points. A change may be',
    'noise: compare tells, question by question.',
    '',
    'Left out (1):',
    'load: summary.json is missing: a load test has none. For a run, the report',
    '  command writes it.',
  ])
})

test('a value that a run has not is an empty cell, never a 0', () => {
  expect(screenOf([{ answered: 0, grounded: 0 }])[2]).toMatch(/^2026-01-01 02:00 {2}passed +0$/)
  const [row] = parse(
    [...renderHistoryCsv(historyOf([{ answered: 0, grounded: 0, calls: [0, 0] }]))].join(''),
    {
      columns: true,
    },
  ) as Record<string, string>[]
  expect(row).toMatchObject({
    series: 'set.csv of staging',
    run: 'run-2026-01-01T02:00:00.000Z',
    folder: 'n0',
    answered: '0',
    coverage: '',
    coverage_low: '',
    passed: '',
    errors: '',
    latency_p95_ms: '',
    usage_max: '0',
    quota_calls: '',
    questions_changed: 'false',
  })
})

test('many runs and long names fit 80 columns; the last twenty runs stand', () => {
  const nights = Array.from({ length: 30 }, (_, night) => ({
    set: `${'long-name-'.repeat(20)}.csv`,
    state: night === 29 ? ('interrupted' as const) : ('complete' as const),
  }))
  const lines = screenOf(nights)
  expect(lines.filter((line) => line.startsWith('2026-01-'))).toHaveLength(20)
  expect(lines[0]).toContain('(30 runs, the last 20 shown)')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})
