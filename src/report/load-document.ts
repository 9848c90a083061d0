// The report of a load test: what was offered, what the endpoint did, over time.
import type { LedgerResult } from '../domain/quota.ts'
import { message } from '../domain/messages.ts'
import type { LoadReport, OverTime } from '../domain/load.ts'
import { digits } from '../domain/text.ts'
import {
  tableOfPairs,
  type Block,
  type Document,
  type Figure,
  type Row,
  type Section,
  type Tone,
} from './document.ts'
import { duration, percent, perSecond, range, ratioOf } from './format.ts'
import { limitTable } from './limit-document.ts'
import { mixBlock, pathRows } from './run-document.ts'

const VERDICTS: Readonly<Record<LoadReport['verdict'], readonly [Tone, string]>> = {
  done: ['good', 'Done'],
  passed: ['good', 'Passed'],
  failed: ['bad', 'Failed'],
  incomplete: ['warn', 'Incomplete'],
}

export function loadDocument(report: LoadReport, ledger?: LedgerResult): Document {
  const { run, verdict, reason } = report
  const [tone, word] = VERDICTS[verdict]
  const took = run.endedAt === null ? '' : duration(Date.parse(run.endedAt) - Date.parse(run.startedAt))
  return {
    title: [
      'Load: ',
      { untrusted: run.datasets.map(({ path }) => path).join(', ') },
      ' · ',
      { untrusted: run.target },
    ],
    facts: [`${digits(report.offered.threads)} conversations due`, took]
      .filter((one) => one !== '')
      .join(' · '),
    at: run.startedAt,
    verdict: { tone, word, reason: { untrusted: reason } },
    sections: [overview(report), limits(report, ledger), about(report)],
  }
}

const overview = (report: LoadReport): Section => ({
  id: 'overview',
  title: 'Overview',
  blocks: [
    { kind: 'figures', figures: figuresOf(report) },
    ...report.warnings.map(({ text }): Block => ({ kind: 'note', tone: 'warn', text: { untrusted: text } })),
    thresholdTable(report),
    {
      kind: 'table',
      title: 'Times',
      columns: ['', 'p50', 'p90', 'p95', 'p99', 'max'].map((label) => ({ label })),
      rows: timeRows(report),
    },
    ...(report.overTime === null ? [] : charts(report.overTime)),
  ],
})

function figuresOf({
  offered,
  achieved,
  dropped,
  responseMs,
  pacing,
  errors,
  turns,
  coverage,
}: LoadReport): Figure[] {
  return [
    { label: 'Offered', value: perSecond(offered.rate), note: `${digits(offered.threads)} conversations` },
    {
      label: 'Started',
      value: perSecond(achieved.rate),
      of: ratioOf(achieved.threads, offered.threads),
      note: `${perSecond(achieved.callsPerSecond)} calls`,
    },
    {
      label: 'Response p95',
      value: duration(responseMs.p95),
      note: `p50 ${duration(responseMs.p50)} · p99 ${duration(responseMs.p99)}`,
    },
    {
      label: '429s',
      value: percent(pacing.rate429),
      of: ratioOf(pacing.rateLimited, achieved.calls),
      tone: pacing.rateLimited > 0 ? 'warn' : undefined,
    },
    {
      label: 'Errors',
      value: percent(errors.rate),
      of: ratioOf(errors.errors, errors.asked),
      tone: errors.errors > 0 ? 'bad' : undefined,
    },
    {
      label: 'Dropped',
      value: percent(dropped.rate),
      of: ratioOf(dropped.threads, offered.threads),
      tone: dropped.threads > 0 ? 'warn' : undefined,
    },
    {
      label: 'Answered',
      value: digits(turns.answered),
      of: `of ${digits(turns.total)}`,
      note: `grounded ${percent(coverage.rate)}`,
    },
  ]
}

const thresholdTable = ({ thresholds }: LoadReport): Block => ({
  kind: 'table',
  title: 'Thresholds',
  columns: [{ label: '' }, { label: 'Gate', align: 'left' }, { label: '', align: 'left' }],
  rows: thresholds.map(({ expression, passed, reason }): Row => ({
    cells: [passed ? '✓' : '✗', { untrusted: expression }, { untrusted: reason.text }],
    tone: passed ? undefined : 'bad',
  })),
})

const timeRows = ({ responseMs, serviceMs, waitMs, sendLagMs }: LoadReport): Row[] =>
  (
    [
      ['Response (last byte − due)', responseMs],
      ['Service (request sent to last byte)', serviceMs],
      ['Waiting for room in flight', waitMs],
      ['Send lag', sendLagMs],
    ] as const
  )
    .filter(([, { count }]) => count > 0)
    .map(([label, { p50, p90, p95, p99, max }]) => ({
      cells: [label, ...[p50, p90, p95, p99, max].map((value) => duration(value))],
    }))

function charts({ binMs, bins }: OverTime): Block[] {
  const counts = (of: (bin: OverTime['bins'][number]) => number): number[] => bins.map((bin) => of(bin))
  const columns = { kind: 'columns', axis: 'elapsed', from: 0, binMs } as const
  const points = (of: (bin: OverTime['bins'][number]) => number | null) =>
    bins.map((bin, place) => ({ at: place * binMs, value: of(bin) }))
  return [
    {
      kind: 'chart',
      title: 'Conversations due',
      half: true,
      chart: {
        ...columns,
        series: [
          { label: 'started', tone: 'good', counts: counts(({ started }) => started) },
          { label: 'dropped', tone: 'bad', counts: counts(({ dropped }) => dropped) },
        ],
      },
    },
    {
      kind: 'chart',
      title: 'Calls ended',
      half: true,
      chart: {
        ...columns,
        series: [
          { label: 'answered', tone: 'good', counts: counts(({ answered }) => answered) },
          { label: '429', tone: 'warn', counts: counts(({ refused }) => refused) },
          { label: 'errors', tone: 'bad', counts: counts(({ errors }) => errors) },
        ],
      },
    },
    {
      kind: 'chart',
      title: 'Response time',
      half: true,
      chart: {
        kind: 'line',
        axis: 'elapsed',
        unit: 'ms',
        series: [
          { label: 'p50', points: points(({ responseMs }) => responseMs.p50) },
          { label: 'p95', points: points(({ responseMs }) => responseMs.p95) },
        ],
      },
    },
    {
      kind: 'chart',
      title: 'Calls in flight at most',
      half: true,
      chart: {
        kind: 'line',
        axis: 'elapsed',
        unit: 'count',
        series: [{ label: 'in flight', points: points(({ inFlight }) => inFlight) }],
      },
    },
    ...sourceChart(bins, binMs),
  ]
}

const MOST_SOURCES = 4

/** The `contextSource` of answers over time; the most frequent ones. */
function sourceChart(bins: OverTime['bins'], binMs: number): Block[] {
  const totals = new Map<string, number>()
  for (const { contextSource } of bins)
    for (const [source, count] of Object.entries(contextSource))
      totals.set(source, (totals.get(source) ?? 0) + count)
  if (totals.size === 0) return []
  const tones: readonly Tone[] = ['good', 'warn', 'muted', 'bad']
  const series = [...totals]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_SOURCES)
    .map(([source], place) => ({
      label: { untrusted: source },
      tone: tones[place] ?? 'muted',
      counts: bins.map(({ contextSource }) => contextSource[source] ?? 0),
    }))
  const chart = { kind: 'columns', axis: 'elapsed', from: 0, binMs, series } as const
  return [{ kind: 'chart', title: 'Sources of answers', half: true, chart }]
}

const limits = ({ quota, refusals, limit }: LoadReport, ledger: LedgerResult | undefined): Section => ({
  id: 'limits',
  title: 'Limits & quota',
  blocks: [
    tableOfPairs('Quota account', true, [
      ['Calls counted', range(quota.min, quota.max)],
      ['Attempts', digits(quota.attempts)],
      ...(quota.shareOfQuota === null
        ? []
        : ([['Share of the quota', percent(quota.shareOfQuota)]] as const)),
      ...(ledger === undefined
        ? []
        : ([['Ledger', { untrusted: message(`ledger-${ledger.verdict}`, ledger).text }]] as const)),
    ]),
    ...limitTable(limit),
    tableOfPairs(
      '429s by error code',
      true,
      Object.entries(refusals.byCode).map(([code, count]) => [{ untrusted: code }, digits(count)]),
    ),
  ],
})

const about = ({ run, load, contextSource, status }: LoadReport): Section => ({
  id: 'about',
  title: 'About',
  blocks: [
    mixBlock('Sources of answers', contextSource, run.groundedSources),
    mixBlock('Status of answers', status, ['success']),
    tableOfPairs('Load test', false, [
      ...pathRows(run),
      ['Seed', String(load.seed)],
      ['Calls in flight at most', digits(load.maxInFlight)],
    ]),
  ],
})
