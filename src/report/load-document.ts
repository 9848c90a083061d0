// The report of a load test: the offered load and the endpoint's response, in total and over time.
import type { LedgerResult } from '../domain/quota.ts'
import type { LoadReport, OverTime } from '../domain/load.ts'
import { digits, plural } from '../domain/text.ts'
import { chartOf, figuresOf, gateTable, sectionOf, verdictOf, warnings } from './blocks.ts'
import type { Block, Document, Figure, Section, Tone, Unit } from './document.ts'
import { duration, percent, perSecond, ratioOf } from './format.ts'
import { limitTable } from './limit-document.ts'
import {
  aboutTable,
  errorsFigure,
  factsOf,
  ledgerNote,
  mixTables,
  percentilesNote,
  quotaTable,
  shareFigure,
  timesTable,
  titleOf,
} from './recorded-blocks.ts'

export function loadDocument(report: LoadReport, ledger?: LedgerResult): Document {
  const { run, offered } = report
  return {
    title: ['Load: ', ...titleOf(run)],
    facts: factsOf(`${plural(offered.threads, 'conversation')} due`, run),
    at: run.startedAt,
    verdict: verdictOf(report.verdict, report.reason),
    sections: [
      mainSection(report, ledger),
      sectionOf('limits', limitTable(report.limit, []), quotaTable(report.quota, ledger)),
      about(report),
    ],
  }
}

const mainSection = (report: LoadReport, ledger: LedgerResult | undefined): Section =>
  sectionOf(
    'overview',
    figuresOf(...figuresOfLoad(report)),
    ...ledgerNote(ledger),
    ...warnings(report.warnings),
    gateTable(
      'Thresholds',
      report.thresholds.map(({ expression, ...result }) => ({ name: expression, ...result })),
    ),
    timesTable('Times', [
      ['Response (last byte − due)', report.responseMs],
      ['Service (request sent to last byte)', report.serviceMs],
      ['Waiting for a free slot', report.waitMs],
      ['Send lag', report.sendLagMs],
    ]),
    ...(report.overTime === null ? [] : charts(report.overTime, report.run.groundedSources)),
  )

function figuresOfLoad(report: LoadReport): Figure[] {
  const { offered, achieved, dropped, responseMs, pacing, errors, turns, coverage } = report
  return [
    { label: 'Offered', value: perSecond(offered.rate), note: `${digits(offered.threads)} conversations` },
    {
      label: 'Started',
      value: perSecond(achieved.rate),
      of: ratioOf(achieved.threads, offered.threads),
      note: `${perSecond(achieved.callsPerSecond)} calls`,
    },
    { label: 'Response p95', value: duration(responseMs.p95), note: percentilesNote(responseMs) },
    shareFigure('429s', pacing.rate429, pacing.rateLimited, achieved.calls, {
      tone: pacing.rateLimited > 0 ? 'warn' : undefined,
      link: { section: 'limits' },
    }),
    errorsFigure(errors),
    shareFigure('Dropped', dropped.rate, dropped.threads, offered.threads, {
      tone: dropped.threads > 0 ? 'warn' : undefined,
    }),
    {
      label: 'Answered',
      value: digits(turns.answered),
      of: `of ${digits(turns.total)}`,
      note: `grounded ${percent(coverage.rate)}`,
    },
  ]
}

function charts({ binMs, bins }: OverTime, groundedSources: readonly string[]): Block[] {
  type Of<T> = (bin: OverTime['bins'][number]) => T
  const columns = (title: string, ...series: readonly (readonly [string, Tone, Of<number>])[]): Block =>
    chartOf(title, {
      kind: 'columns',
      axis: 'elapsed',
      from: 0,
      binMs,
      series: series.map(([label, tone, of]) => [label, tone, bins.map(of)]),
    })
  const lines = (title: string, unit: Unit, ...series: readonly (readonly [string, Of<number | null>])[]) =>
    chartOf(title, {
      kind: 'line',
      axis: 'elapsed',
      unit,
      series: series.map(([label, of]) => [
        label,
        bins.map((bin, place) => ({ at: place * binMs, value: of(bin) })),
      ]),
    })
  const groundedOf: Of<number> = ({ contextSource }) =>
    groundedSources.reduce((sum, source) => sum + (contextSource[source] ?? 0), 0)
  return [
    columns(
      'Conversations due',
      ['started', 'good', ({ started }) => started],
      ['dropped', 'bad', ({ dropped }) => dropped],
    ),
    columns(
      'Calls ended',
      ['grounded', 'good', groundedOf],
      ['other answers', 'muted', (bin) => bin.answered - groundedOf(bin)],
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
  ]
}

const about = (report: LoadReport): Section =>
  sectionOf(
    'about',
    ...mixTables(report, false),
    aboutTable('Load test', report.run, [
      ['Seed', String(report.load.seed)],
      ['Maximum calls in flight', digits(report.load.maxInFlight)],
    ]),
  )
