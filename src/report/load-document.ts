// The report of a load test: what was offered, what the endpoint did, over time.
import type { LedgerResult } from '../domain/quota.ts'
import type { LoadReport, OverTime } from '../domain/load.ts'
import { digits } from '../domain/text.ts'
import {
  gateTable,
  overview,
  tableOfPairs,
  warnings,
  type Block,
  type Chart,
  type Document,
  type Figure,
  type Row,
  type Section,
  type Text,
  type Tone,
  type Unit,
} from './document.ts'
import { duration, percent, perSecond, ratioOf } from './format.ts'
import { limitTable } from './limit-document.ts'
import { accountRows, ledgerNote, mixBlock, pathRows } from './run-document.ts'

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
    sections: [mainSection(report, ledger), limits(report, ledger), about(report)],
  }
}

const mainSection = (report: LoadReport, ledger: LedgerResult | undefined): Section =>
  overview(
    { kind: 'figures', figures: figuresOf(report) },
    ...ledgerNote(ledger),
    ...warnings(report.warnings),
    gateTable(
      'Thresholds',
      report.thresholds.map(({ expression, ...result }) => ({ name: expression, ...result })),
    ),
    {
      kind: 'table',
      title: 'Times',
      columns: ['', 'p50', 'p90', 'p95', 'p99', 'max'],
      rows: timeRows(report),
    },
    ...(report.overTime === null ? [] : charts(report.overTime)),
  )

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
      link: { section: 'limits' },
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

const timeRows = ({ responseMs, serviceMs, waitMs, sendLagMs }: LoadReport): Row[] =>
  (
    [
      ['Response (last byte − due)', responseMs],
      ['Service (request sent to last byte)', serviceMs],
      ['Waiting for a free slot', waitMs],
      ['Send lag', sendLagMs],
    ] as const
  )
    .filter(([, { count }]) => count > 0)
    .map(([label, { p50, p90, p95, p99, max }]) => ({
      cells: [label, ...[p50, p90, p95, p99, max].map((value) => duration(value))],
    }))

function charts({ binMs, bins }: OverTime): Block[] {
  type Of<T> = (bin: OverTime['bins'][number]) => T
  const half = (title: string, chart: Chart): Block => ({ kind: 'chart', title, half: true, chart })
  const columns = (title: string, ...series: readonly (readonly [Text, Tone, Of<number>])[]): Block =>
    half(title, {
      kind: 'columns',
      axis: 'elapsed',
      from: 0,
      binMs,
      series: series.map(([label, tone, of]) => ({ label, tone, counts: bins.map(of) })),
    })
  const lines = (title: string, unit: Unit, ...series: readonly (readonly [string, Of<number | null>])[]) =>
    half(title, {
      kind: 'line',
      axis: 'elapsed',
      unit,
      series: series.map(([label, of]) => ({
        label,
        points: bins.map((bin, place) => ({ at: place * binMs, value: of(bin) })),
      })),
    })
  const sources = mostFrequentSources(bins)
  return [
    columns(
      'Conversations due',
      ['started', 'good', ({ started }) => started],
      ['dropped', 'bad', ({ dropped }) => dropped],
    ),
    columns(
      'Calls ended',
      ['answered', 'good', ({ answered }) => answered],
      ['429', 'warn', ({ refused }) => refused],
      ['errors', 'bad', ({ errors }) => errors],
    ),
    lines(
      'Response time',
      'ms',
      ['p50', ({ responseMs }) => responseMs.p50],
      ['p95', ({ responseMs }) => responseMs.p95],
    ),
    lines('Maximum calls in flight', 'count', ['in flight', ({ inFlight }) => inFlight]),
    ...(sources.length === 0
      ? []
      : [
          columns(
            'Sources of answers',
            ...sources.map(
              (source, place) =>
                [
                  { untrusted: source },
                  SOURCE_TONES[place] ?? 'muted',
                  ({ contextSource }: OverTime['bins'][number]) => contextSource[source] ?? 0,
                ] as const,
            ),
          ),
        ]),
  ]
}

const SOURCE_TONES: readonly Tone[] = ['good', 'warn', 'muted', 'bad']

/** The `contextSource` of answers. */
function mostFrequentSources(bins: OverTime['bins']): string[] {
  const totals = new Map<string, number>()
  for (const { contextSource } of bins)
    for (const [source, count] of Object.entries(contextSource))
      totals.set(source, (totals.get(source) ?? 0) + count)
  const inOrder = [...totals].sort(([, a], [, b]) => b - a)
  return inOrder.slice(0, SOURCE_TONES.length).map(([source]) => source)
}

const limits = ({ quota, refusals, limit }: LoadReport, ledger: LedgerResult | undefined): Section => ({
  id: 'limits',
  title: 'Limits & quota',
  blocks: [
    tableOfPairs('Quota account', accountRows(quota, ledger), { half: true }),
    limitTable(limit),
    tableOfPairs(
      '429s by error code',
      Object.entries(refusals.byCode).map(([code, count]) => [{ untrusted: code }, digits(count)]),
      { half: true },
    ),
  ],
})

const about = ({ run, load, contextSource, status }: LoadReport): Section => ({
  id: 'about',
  title: 'About',
  blocks: [
    mixBlock('Sources of answers', contextSource, run.groundedSources),
    mixBlock('Status of answers', status, ['success']),
    tableOfPairs('Load test', [
      ...pathRows(run),
      ['Seed', String(load.seed)],
      ['Maximum calls in flight', digits(load.maxInFlight)],
    ]),
  ],
})
