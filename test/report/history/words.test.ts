// A history in words: what is said of the latest run, of changes and steps, and what is left unsaid.
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { makeHistory } from '../../../src/analysis/history/make-history.ts'
import type { HistorySeries } from '../../../src/domain/history.ts'
import { renderHistoryCsv } from '../../../src/report/history/csv.ts'
import { renderHistoryScreen } from '../../../src/report/history/screen.ts'
import { inShort, seriesWords } from '../../../src/report/history/series-words.ts'
import { nightOf, type Night } from '../../support/nights.ts'
import { recordedNight } from '../../support/recorded-nights.ts'
import { manifest } from '../../support/summaries.ts'

const historyOf = (nights: readonly Partial<Night>[]) =>
  makeHistory(
    {
      runs: nights.map((night, number) =>
        recordedNight({ startedAt: nightOf(number), ...night }, { folder: `n${number}` }),
      ),
      loads: [],
      leftOut: [],
    },
    { harnessVersion: '0', since: undefined, targets: undefined },
  )
const seriesOf = (nights: readonly Partial<Night>[]): HistorySeries => {
  const [series] = historyOf(nights).series
  if (series === undefined) throw new Error('no series')
  return series
}
const wordsOf = (nights: readonly Partial<Night>[]) => seriesWords(seriesOf(nights), ({ folder }) => folder)
const said = (nights: readonly Partial<Night>[], name: string): string =>
  wordsOf(nights)
    .paragraphs.find((one) => one.name === name)
    ?.sentences.join(' ') ?? ''

test('one run: its figures, and nothing that it could be held against', () => {
  expect(inShort(wordsOf([{ errors: 2 }]))).toBe(
    'Latest run (1 January): coverage 80.0 % (71.1 to 86.7 %), 80.0 % passed, 2 errors; verdict: passed.',
  )
  expect(wordsOf([{}]).commands).toEqual([])
  expect(said([{}], 'Coverage')).toBe('')
})

test('a row of the CSV has the organization of its own run, whatever key the latest one had', () => {
  const keys = ['0000000a', '0000000b', '0000000a']
  const called = keys.map((key) => `https://desk.example.com ${key}`)
  const history = historyOf(
    keys.map((keyFingerprint, place) => ({
      target: { ...manifest.target, organization: called[place] ?? '', keyFingerprint },
    })),
  )
  expect(history.series).toHaveLength(1)
  const rows = parse([...renderHistoryCsv(history)].join(''), { columns: true, bom: true })
  expect(rows.map((row) => (row as Record<string, string>)['organization'])).toEqual(called)
})

test('a run without answers has no figures', () => {
  expect(wordsOf([{ answered: 0, grounded: 0 }]).latest).toBe(
    'Latest run (1 January): no answers; verdict: passed.',
  )
})

test('what is complete is told; later runs that are not are counted', () => {
  const nights: Partial<Night>[] = [{}, { grounded: 81 }, { state: 'incomplete' }, { state: 'interrupted' }]
  expect(wordsOf(nights).latest).toMatch(/^Latest run \(2 January\): .* 2 later runs are not complete\.$/)
  expect(wordsOf(nights).commands.map(({ command }) => command)).toEqual(['npx assist-harness compare n0 n1'])
  expect(wordsOf([{ state: 'interrupted' }]).latest).toMatch(/^Latest run, interrupted \(1 January\)/)
})

describe('changes', () => {
  test.each<[string, Partial<Night>[], string]>([
    ['none', [{}, {}], 'As in the run before (1 January).'],
    [
      'within the noise',
      [{}, { grounded: 79 }],
      '−1.0 point since the run before (1 January): within the noise of two runs (',
    ],
    ['more', [{}, { grounded: 50 }], '−30.0 points since the run before (1 January): more than noise ('],
    [
      'of other questions',
      [{}, { digest: 'sha256:9' }],
      'As in the run before (1 January); questions were changed in between, so it is not plainly of the same.',
    ],
  ])('%s', (_, nights, words) => {
    expect(said(nights, 'Coverage')).toContain(words)
  })

  test('two runs of one day are told apart by their time, and of two years by the year', () => {
    const day = '2026-01-01T'
    expect(
      said([{ startedAt: `${day}02:00:00.000Z` }, { startedAt: `${day}03:00:00.000Z` }], 'Coverage'),
    ).toBe('As in the run before (1 January, 02:00 UTC).')
    expect(said([{ startedAt: '2025-12-31T02:00:00.000Z' }, {}], 'Coverage')).toBe(
      'As in the run before (31 December 2025).',
    )
  })

  test('missing is not 0: errors and latency of a run before that had none are left unsaid', () => {
    const nights: Partial<Night>[] = [{ answered: 0, grounded: 0 }, {}]
    expect(said(nights, 'Latency')).not.toContain('before')
    expect(said(nights, 'Errors')).toBe('0.0 %.')
  })
})

test('a step is dated, with the comparison that tells what changed then', () => {
  const nights = Array.from({ length: 20 }, (_, night) => ({
    grounded: (night < 12 ? 84 : 78) + (night % 2),
    passed: 70,
  }))
  expect(wordsOf(nights).news).toMatch(
    /^Coverage fell with the run of 13 January \(84\.5 % before, 78\.5 % since\)\.$/,
  )
  expect(wordsOf(nights).commands).toContainEqual({
    why: 'What changed when coverage moved',
    command: 'npx assist-harness compare n11 n12',
  })
})

test('coverage and pass rate that moved together are one sentence', () => {
  const nights = Array.from({ length: 20 }, (_, night) => ({
    grounded: (night < 12 ? 84 : 78) + (night % 2),
    passed: (night < 12 ? 74 : 68) + (night % 2),
  }))
  expect(wordsOf(nights).news).toMatch(
    /^Coverage fell with the run of 13 January \(.*\); pass rate fell with the run of 13 January \(.*\)\.$/,
  )
})

test('usage is held against the allowance where one is on record', () => {
  expect(said([{ quota: { calls: 1000, period: 'month' } }], 'Usage')).toBe(
    '100 calls by this run; 100 calls in January 2026 until then, 10.0 % of 1,000 calls a month.',
  )
  expect(said([{ calls: [90, 100] }], 'Usage')).toBe(
    '90 to 100 calls by this run; 90 to 100 calls in January 2026 until then.',
  )
})

test('the screen shows marks with what they mean, and missing figures as nothing', () => {
  const screen = renderHistoryScreen(
    historyOf([{}, { digest: 'sha256:9', answered: 0, grounded: 0, errors: 5 }]),
    {
      pathOf: ({ folder }) => folder,
      now: nightOf(1),
    },
  )
  expect(screen).toMatch(/^2026-01-02 02:00 {2}passed +100\.0 % +0\.0 % +0 {2}Q$/m)
  expect(screen).toContain('Q: the questions were changed before this run')
})

describe('on the screen, which knows what year it is', () => {
  const screenOf = (nights: readonly Partial<Night>[], now: string): string =>
    renderHistoryScreen(historyOf(nights), { pathOf: ({ folder }) => folder, now }).replaceAll(/\s+/g, ' ')
  const future = '2031-01-01T02:00:00.000Z'

  test('dates of another year carry it, the latest among them', () => {
    expect(screenOf([{}, { startedAt: future }], nightOf(1))).toMatch(
      /Latest run \(1 January 2031\).*As in the run before \(1 January\)/,
    )
    expect(screenOf([{}], '2027-02-01T00:00:00.000Z')).toContain('Latest run (1 January 2026)')
  })

  test('without a year to hold it against, a series of several years has it in each date', () => {
    expect(wordsOf([{}, { startedAt: future }]).latest).toMatch(/^Latest run \(1 January 2031\)/)
    expect(said([{}, { startedAt: future }], 'Coverage')).toBe('As in the run before (1 January 2026).')
  })

  test('a start in the future is said, a day off is not', () => {
    const note =
      /n1 was begun in the future \(1 January 2031, 02:00 UTC\): the clock of the machine .* leave it out\./
    expect(screenOf([{}, { startedAt: future }], nightOf(1))).toMatch(note)
    expect(screenOf([{}, { startedAt: future }, { startedAt: '2031-02-01' }], nightOf(1))).toContain(
      'n1 and 1 other were begun in the future',
    )
    expect(screenOf([{}, {}], nightOf(0))).not.toContain('future')
    expect(screenOf([{}, { startedAt: future }], '2031-01-01T00:00:00.000Z')).not.toContain('future')
  })
})

test('the table has empty cells for what is missing, and never a 0', () => {
  const [header = '', row = ''] = [...renderHistoryCsv(historyOf([{ answered: 0, grounded: 0 }]))]
    .join('')
    .split('\n')
  const cells = new Map(header.split(',').map((name, place) => [name, row.split(',')[place]]))
  for (const name of [
    'coverage',
    'coverage_low',
    'coverage_high',
    'passed',
    'passed_high',
    'errors',
    'latency_p50_ms',
    'flaky',
    'month_quota_share',
    'quota_calls',
  ])
    expect(cells.get(name), name).toBe('')
})
