// The report of a load test: the offered load and the endpoint's response, in total and over time.
import type { LedgerResult } from '../domain/quota.ts'
import type { LoadModel, LoadReport, OverTime } from '../domain/load.ts'
import { chartOf, figuresOf, gatesOf, perBin, sectionOf, verdictOf, warnings } from './blocks.ts'
import type { Block, Document, Figure, Section } from './document.ts'
import { digits, duration, percent, perSecond, plural, ratioOf } from '../domain/format.ts'
import { ownValue } from '../domain/text.ts'
import {
  aboutTable,
  callsFigure,
  errorsFigure,
  factsOf,
  latencyFigure,
  ledgerNote,
  mixTables,
  quotaTable,
  seenTable,
  shareFigure,
  timesTable,
  titleOf,
} from './recorded-blocks.ts'

export function loadDocument(report: LoadReport, ledger?: LedgerResult): Document {
  const { run, offered, load } = report
  const judged = verdictOf(report.verdict, report.reason)
  const isShort = report.shortfalls.length > 0
  return {
    title: ['Load: ', ...titleOf(run)],
    facts: factsOf(`${loadOf(load.model)} · ${plural(offered.threads, 'conversation')} due`, run),
    at: run.startedAt,
    verdict: { ...judged, tone: isShort && judged.tone === 'good' ? 'warn' : judged.tone },
    sections: [
      mainSection(report, ledger),
      sectionOf('limits', seenTable(report.pacing), quotaTable(report.quota, ledger)),
      about(report),
    ],
  }
}

/** Writes `5/s for 30 s`, `0/s → 5/s in 30 s → 5/s in 1 min 0 s`, `10 users for 5 min 0 s`. */
function loadOf(model: LoadModel): string {
  if (model.kind === 'closed') return `${plural(model.users, 'user')} for ${duration(model.durationMs)}`
  const [first, ...others] = model.stages
  if (first !== undefined && others.length === 0 && first.from === first.to)
    return `${perSecond(first.to)} for ${duration(first.durationMs)}`
  const stages = model.stages.map(({ to, durationMs }) => `${perSecond(to)} in ${duration(durationMs)}`)
  return [perSecond(first?.from ?? 0), ...stages].join(' → ')
}

const mainSection = (report: LoadReport, ledger: LedgerResult | undefined): Section =>
  sectionOf(
    'overview',
    figuresOf(...figuresOfLoad(report)),
    ...ledgerNote(ledger),
    ...warnings(report.warnings),
    gatesOf(report.gates, report.verdict === 'incomplete'),
    timesTable('Times', [
      ['Response (last byte − due)', report.responseMs],
      ['Service (request sent to last byte)', report.serviceMs],
      ['Waiting for a free slot', report.waitMs],
      ['Send lag', report.sendLagMs],
    ]),
    ...(report.overTime === null ? [] : charts(report.overTime, report.run.groundedSources)),
  )

function figuresOfLoad(report: LoadReport): Figure[] {
  const { offered, achieved, dropped, responseMs, pacing, errors, turns, coverage, quota } = report
  const skipped = turns.skipped === 0 ? '' : `, ${digits(turns.skipped)} skipped`
  return [
    {
      label: 'Started',
      value: perSecond(achieved.rate),
      of: ratioOf(achieved.threads, offered.threads),
      note: `${perSecond(offered.rate)} offered, ${plural(achieved.calls, 'call')}`,
    },
    latencyFigure('Response p95', responseMs),
    shareFigure('429s', pacing.rate429, pacing.rateLimited, achieved.calls, {
      tone: pacing.rateLimited > 0 ? 'warn' : 'muted',
      link: { section: 'limits' },
    }),
    errorsFigure(errors),
    shareFigure('Dropped', dropped.rate, dropped.threads, offered.threads, {
      tone: dropped.threads > 0 ? 'warn' : 'muted',
    }),
    {
      label: 'Answered',
      value: digits(turns.answered),
      of: `of ${digits(turns.total)}`,
      note: `grounded ${percent(coverage.rate)}${skipped}`,
    },
    callsFigure(quota, [], false),
  ]
}

function charts({ binMs, bins }: OverTime, groundedSources: readonly string[]): Block[] {
  const columns = { kind: 'columns', axis: 'elapsed', from: 0, binMs } as const
  const lines = { kind: 'line', axis: 'elapsed' } as const
  // In the middle of their bins, on the time scale of the columns.
  const pointsOf = (values: readonly (number | null)[]) =>
    [null, ...values, null].map((value, index, all) => ({
      at: Math.min(all.length - 2, Math.max(0, index - 0.5)) * binMs,
      value,
    }))
  const grounded = bins.map(({ contextSource }) =>
    groundedSources.reduce((sum, source) => sum + (ownValue(contextSource, source) ?? 0), 0),
  )
  return [
    chartOf(perBin('Conversations due', binMs), {
      ...columns,
      series: [
        ['started', 'good', bins.map(({ started }) => started)],
        ['dropped', 'bad', bins.map(({ dropped }) => dropped)],
      ],
    }),
    chartOf(perBin('Calls ended', binMs), {
      ...columns,
      series: [
        ['grounded', 'good', grounded],
        ['other answers', 'muted', bins.map(({ answered }, index) => answered - (grounded[index] ?? 0))],
        ['429', 'warn', bins.map(({ refused }) => refused)],
        ['errors', 'bad', bins.map(({ errors }) => errors)],
      ],
    }),
    chartOf('Response time', {
      ...lines,
      unit: 'milliseconds',
      series: [
        ['p50', pointsOf(bins.map(({ responseMs }) => responseMs.p50))],
        ['p95', pointsOf(bins.map(({ responseMs }) => responseMs.p95))],
      ],
    }),
    chartOf('Maximum calls in flight', {
      ...lines,
      unit: 'count',
      series: [['in flight', pointsOf(bins.map(({ inFlight }) => inFlight))]],
    }),
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
