// The report of a run: what its figures are called, in what order they stand, how they are rounded.
import type { CandidateComparison, MeasuredDifference, ShownChange } from '../domain/comparison.ts'
import { message } from '../domain/messages.ts'
import type { LedgerResult } from '../domain/quota.ts'
import type { Summary, SummaryDetails } from '../domain/summary.ts'
import { digits } from '../domain/text.ts'
import { changeNote, changesSection } from './comparison-document.ts'
import {
  gateTable,
  overview,
  rowsOf,
  tableOfPairs,
  warnings,
  type Block,
  type Document,
  type Figure,
  type Pair,
  type Row,
  type Section,
  type Span,
  type Tone,
} from './document.ts'
import {
  duration,
  NONE,
  percent,
  percentRange,
  perSecond,
  points,
  range,
  ratioOf,
  signed,
  wholePercent,
} from './format.ts'
import { limitTable } from './limit-document.ts'

export interface RunReport {
  readonly summary: Summary
  readonly details: SummaryDetails
  /** The baseline's figures and what changed since, where there is one. */
  readonly baseline?:
    | {
        readonly summary: Summary
        readonly name: string
        readonly review: CandidateComparison
        readonly shown: readonly ShownChange[]
      }
    | undefined
}

export function runDocument({ summary, details, baseline }: RunReport): Document {
  const { run, turns, shard } = summary
  const took = run.endedAt === null ? [] : [duration(Date.parse(run.endedAt) - Date.parse(run.startedAt))]
  const [tone, word] = WORDS[summary.verdict]
  return {
    title: [
      { untrusted: run.datasets.map(({ path }) => path).join(', ') },
      ' · ',
      { untrusted: run.target },
      ...(shard === undefined ? [] : [` · shard ${shard.index}/${shard.of}`]),
    ],
    facts: [`${digits(turns.total)} questions in ${digits(details.threads)} conversations`, ...took].join(
      ' · ',
    ),
    at: run.startedAt,
    verdict: { tone, word, reason: { untrusted: summary.reason } },
    sections: [
      mainSection(summary, details, baseline),
      ...(baseline === undefined ? [] : [changesSection(baseline.review, baseline.shown)]),
      limits(summary),
      about(summary),
    ],
  }
}

const WORDS: Readonly<Record<Summary['verdict'], readonly [Tone, string]>> = {
  passed: ['good', 'Passed'],
  failed: ['bad', 'Failed'],
  incomplete: ['warn', 'Incomplete'],
  part: ['muted', 'Not judged yet'],
}

const mainSection = (summary: Summary, details: SummaryDetails, baseline: RunReport['baseline']): Section =>
  overview(
    { kind: 'figures', figures: mainFigures(summary, baseline) },
    ...(baseline === undefined ? [] : [changeNote(baseline.review, baseline.name)]),
    ...ledgerNote(summary.ledger),
    ...warnings(summary.warnings),
    gateTable('Gates', summary.gates, {
      isInVerdict: true,
      fold: summary.gates.every(({ passed }) => passed),
    }),
    failures(summary, details, baseline),
    {
      kind: 'list',
      title: 'Errors',
      total: details.errors.count,
      link: { find: 'is:error' },
      items: details.errors.items.map(({ id, message: text, why }) => ({
        text: [questionOf(id, text), ' ', { untrusted: why.join('; ') }],
        tone: 'bad',
      })),
    },
    leastGroundedTags(summary),
    gaps(details),
    {
      kind: 'list',
      title: 'Flaky questions',
      total: details.flaky.count,
      link: { find: 'is:flaky' },
      items: details.flaky.items.map(({ id, message: text, passRate, groundingRate }) => ({
        text: [
          questionOf(id, text),
          passRate === null ? '' : ` · passed ${wholePercent(passRate)}`,
          groundingRate === null ? '' : ` · grounded ${wholePercent(groundingRate)}`,
        ],
      })),
    },
    {
      kind: 'list',
      title: 'Needs review',
      total: summary.reviews?.changed ?? 0,
      link: { find: 'is:unreviewed' },
      items: details.awaited
        .filter(({ before }) => before !== undefined)
        .map(({ id, message: text, before, note }) => ({
          text: [questionOf(id, text), ` · was ${before}`, { untrusted: note === '' ? '' : ` (${note})` }],
        })),
    },
  )

/** Those that fail the run first: what failed in the baseline already fails nothing, and is listed all the same. */
function failures(
  { reasons, mustPass }: Summary,
  { failures: { items, count } }: SummaryDetails,
  baseline: RunReport['baseline'],
): Block {
  const known = reasons.find(({ code }) => code === 'known-failures')?.values['known']
  const failedBefore = new Set(
    baseline?.review.changes.flatMap(({ id, kinds }) => (kinds.includes('failInBoth') ? [id] : [])),
  )
  for (const { id } of mustPass) failedBefore.delete(id)
  return {
    kind: 'list',
    title: typeof known === 'number' ? `Failed expectations (${digits(known)} known)` : 'Failed expectations',
    total: count,
    link: { find: 'is:failed' },
    items: items
      .toSorted((a, b) => Number(failedBefore.has(a.id)) - Number(failedBefore.has(b.id)))
      .map(({ id, message: text, why }) => ({
        text: questionOf(id, text),
        details: why.map((one) => ({ untrusted: one })),
        tone: 'bad',
      })),
  }
}

const questionOf = (id: string, text: string): Span => ({
  text: { untrusted: text.trim() === '' ? id : text },
  link: { question: id },
})

/** One row of tiles; with what changed since the baseline. */
function mainFigures(summary: Summary, baseline: RunReport['baseline']): Figure[] {
  const { summary: before, review } = baseline ?? {}
  const { coverage, expectations, errors, latencyMs, quota, pacing } = summary
  const changed = (
    now: number | null,
    was: number | null | undefined,
    say: (difference: number) => string,
    isBetter: 1 | -1,
    measured?: MeasuredDifference | null,
  ): Figure['change'] => {
    if (now === null || was === null || was === undefined) return undefined
    const difference = now - was
    const said = say(difference)
    // Rounded: what looks like no change is none.
    if (said.startsWith('±')) return { value: said, tone: 'muted' }
    return {
      value: `${difference > 0 ? '↑' : '↓'} ${said}`,
      tone: isNoise(measured) ? 'muted' : difference * isBetter > 0 ? 'good' : 'bad',
    }
  }
  const graded = expectations.passed + expectations.failed
  const interval = coverage.cluster ?? coverage
  return [
    {
      label: 'Grounded',
      value: percent(coverage.rate),
      of: ratioOf(coverage.grounded, coverage.answered),
      note: percentRange(interval.low, interval.high),
      bar: barOf(coverage.rate, interval),
      change: changed(coverage.rate, before?.coverage.rate, points, 1, review?.grounding.difference),
      link: { find: 'is:gap' },
    },
    graded + expectations.notGraded === 0
      ? { label: 'Passed', value: NONE, note: 'no expectations in this set' }
      : {
          label: 'Passed',
          value: percent(expectations.rate),
          of: ratioOf(expectations.passed, graded),
          bar: barOf(expectations.rate),
          note: expectations.notGraded === 0 ? undefined : `${digits(expectations.notGraded)} not graded`,
          tone: expectations.failed > 0 ? 'bad' : undefined,
          change: changed(
            expectations.rate,
            before?.expectations.rate,
            points,
            1,
            review?.verdicts.difference,
          ),
          link: { find: 'is:failed' },
        },
    {
      label: 'Errors',
      value: percent(errors.rate),
      of: ratioOf(errors.errors, errors.asked),
      tone: errors.errors > 0 ? 'bad' : undefined,
      note: mixOf(errors.byOutcome),
      change: changed(errors.rate, before?.errors.rate, points, -1),
      link: { find: 'is:error' },
    },
    {
      label: 'Latency p95',
      value: duration(latencyMs.p95),
      note: `p50 ${duration(latencyMs.p50)} · p99 ${duration(latencyMs.p99)}`,
      change: changed(
        latencyMs.p95,
        before?.latencyMs.p95,
        (ms) => `${signed(ms, 0)} ms`,
        -1,
        review?.latency.p95.difference,
      ),
      link: { find: 'sort:slow' },
    },
    {
      label: 'Calls counted',
      value: range(quota.min, quota.max),
      note: [
        `${ratioOf(pacing.rateLimited, quota.attempts)} got 429`,
        quota.shareOfQuota === null ? '' : ` · ${percent(quota.shareOfQuota)} of the quota`,
      ],
      change: changed(quota.max, before?.quota.max, (calls) => signed(calls, 0), -1),
      link: { section: 'limits' },
    },
  ]
}

/** Its interval holds no change. */
const isNoise = (difference: MeasuredDifference | null | undefined): boolean =>
  difference !== null &&
  difference !== undefined &&
  difference.low !== null &&
  difference.high !== null &&
  difference.low <= 0 &&
  difference.high >= 0

const barOf = (
  rate: number | null,
  { low, high }: { readonly low?: number | null; readonly high?: number | null } = {},
): Figure['bar'] => (rate === null ? undefined : { rate, low: low ?? undefined, high: high ?? undefined })

const mixOf = (counts: Readonly<Record<string, number>>): string | undefined =>
  Object.keys(counts).length === 0
    ? undefined
    : Object.entries(counts)
        .map(([name, count]) => `${name.replaceAll('_', ' ')} ${digits(count)}`)
        .join(', ')

function leastGroundedTags({ tags }: Summary): Block {
  const rows = Object.entries(tags)
    .filter(([, { coverage }]) => coverage.rate !== null)
    .sort(([, a], [, b]) => (a.coverage.rate ?? 0) - (b.coverage.rate ?? 0))
    .map(([tag, { coverage }]): Row => ({
      cells: [
        { text: { untrusted: tag }, link: { find: `tag:"${tag}"` } },
        wholePercent(coverage.rate),
        ratioOf(coverage.grounded, coverage.answered),
      ],
      bar: barOf(coverage.rate, coverage.cluster ?? coverage),
    }))
  return {
    kind: 'table',
    title: 'Least grounded tags',
    half: true,
    columns: ['Tag', 'Grounded', 'Answers'],
    rows,
  }
}

const gaps = ({ gaps: { items, count } }: SummaryDetails): Block => ({
  kind: 'list',
  title: `Gaps by topic (${digits(count)} questions)`,
  unit: 'topics',
  half: true,
  link: { find: 'is:gap' },
  items: items.map(({ name, questions }) => {
    const [only, ...others] = questions
    const isOne = only !== undefined && others.length === 0
    return {
      text: isOne ? questionOf(only.id, only.message) : { untrusted: name },
      count: questions.length,
      details: isOne ? [] : questions.map(({ id, message: text }) => questionOf(id, text)),
      tone: 'warn',
    }
  }),
})

const limits = (summary: Summary): Section => ({
  id: 'limits',
  title: 'Limits & quota',
  blocks: [
    tableOfPairs('Quota account', accountRows(summary.quota, summary.ledger, runRows(summary)), {
      half: true,
    }),
    limitTable(summary.pacing.limit),
    {
      kind: 'table',
      title: 'Latency and waiting',
      half: true,
      columns: ['', 'p50', 'p95', 'p99', 'max'],
      rows: latencyRows(summary),
    },
    ...charts(summary),
  ],
})

/** A mean month of the Gregorian calendar. */
const NIGHTS_A_MONTH = 365.25 / 12

/** Of a run. */
const runRows = ({ quota, pacing, run }: Summary): Pair[] => [
  ['429s', `${digits(pacing.rateLimited)} (${percent(pacing.rate429)})`],
  [
    'Run nightly, calls a month',
    range(Math.round(quota.min * NIGHTS_A_MONTH), Math.round(quota.max * NIGHTS_A_MONTH)),
  ],
  ['Monthly quota', run.quota === null ? undefined : digits(run.quota.calls)],
  [
    'Share of the quota, run nightly',
    quota.shareOfQuota === null ? undefined : percent(quota.shareOfQuota * NIGHTS_A_MONTH),
  ],
]

/** The account of any calls, with what a kind of report adds. */
export const accountRows = (
  quota: Summary['quota'],
  ledger: Summary['ledger'],
  more: readonly Pair[] = [],
): Pair[] => [
  ['Calls counted', range(quota.min, quota.max)],
  ['Attempts', digits(quota.attempts)],
  ['Certain: a 2xx arrived', digits(quota.certain)],
  ['Possible: no answer, perhaps processed', digits(quota.possible)],
  ['Not counted: refused, or never arrived', digits(quota.notCounted)],
  ...more,
  ['Share of the quota, these calls', quota.shareOfQuota === null ? undefined : percent(quota.shareOfQuota)],
  ['Ledger', ledger && textOfLedger(ledger)],
]

const textOfLedger = (ledger: LedgerResult): Span => ({
  untrusted: message(`ledger-${ledger.verdict}`, ledger).text,
})

/** What `--ledger` asks for: it stands on the screen, too. */
export const ledgerNote = (ledger: Summary['ledger']): Block[] =>
  ledger === undefined
    ? []
    : [
        {
          kind: 'note',
          tone: ledger.verdict === 'within' ? 'good' : 'warn',
          text: ['Ledger: ', textOfLedger(ledger)],
        },
      ]

const latencyRows = ({ latencyMs, failureLatencyMs, waitMs }: Summary): Row[] =>
  (
    [
      ['Answers', latencyMs],
      ['Errors', failureLatencyMs],
      ['Waiting for the limiter', waitMs],
    ] as const
  )
    .filter(([, { count }]) => count > 0)
    .map(([label, { p50, p95, p99, max }]) => ({
      cells: [label, ...[p50, p95, p99, max].map((value) => duration(value))],
    }))

function charts({ pacing: { calls, changes } }: Summary): Block[] {
  const paces = changes.map(({ at, pace: value }) => ({ at: Date.parse(at), value }))
  const hasPace = paces.filter(({ value }) => value !== null).length > 1
  const blocks: Block[] = []
  if (calls !== null)
    blocks.push({
      kind: 'chart',
      title: 'Calls over time',
      half: hasPace,
      chart: {
        kind: 'columns',
        axis: 'time',
        from: Date.parse(calls.from),
        binMs: calls.binMs,
        series: [
          { label: 'accepted', tone: 'good', counts: calls.taken },
          { label: '429', tone: 'warn', counts: calls.refused },
          { label: 'failed', tone: 'bad', counts: calls.failed },
        ],
      },
    })
  if (hasPace)
    blocks.push({
      kind: 'chart',
      title: `Pace, at the end ${perSecond(paces.at(-1)?.value ?? null)}`,
      half: true,
      chart: { kind: 'line', axis: 'time', unit: 'perSecond', series: [{ label: 'pace', points: paces }] },
    })
  return blocks
}

const about = ({ run, contextSource, status, tags, reviews }: Summary): Section => ({
  id: 'about',
  title: 'About',
  blocks: [
    mixBlock('Sources of answers', contextSource, run.groundedSources, 'source'),
    mixBlock('Status of answers', status, ['success'], 'status'),
    ...(reviews === null
      ? []
      : [
          tableOfPairs(
            'Reviews',
            [
              ['Answers reviewed', digits(reviews.reviewed)],
              ['Good', digits(reviews.good)],
              ['Acceptable', digits(reviews.acceptable)],
              ['Poor', digits(reviews.poor)],
              ['Changed since their review', digits(reviews.changed)],
              ['Not reviewed yet', digits(reviews.new)],
            ],
            { half: true },
          ),
        ]),
    tableOfPairs('Run', [
      ...pathRows(run),
      ['Sessions', digits(run.sessions)],
      ['Grounded sources', { untrusted: run.groundedSources.join(', ') }],
    ]),
    {
      kind: 'table',
      title: 'Figures by tag',
      columns: ['Tag', 'Questions', 'Grounded', 'Passed', 'Errors', 'p95', 'Calls'],
      rows: rowsOf(
        Object.entries(tags).map(([tag, { turns, coverage, expectations, errors, latencyMs, quota }]) => [
          { text: { untrusted: tag }, link: { find: `tag:"${tag}"` } },
          digits(turns.total),
          percent(coverage.rate),
          percent(expectations.rate),
          percent(errors.rate),
          duration(latencyMs.p95),
          range(quota.min, quota.max),
        ]),
      ),
    },
  ],
})

/** What a report says of the run itself. */
export const pathRows = (run: Summary['run']): Pair[] => [
  ['Id', { untrusted: run.id }],
  ['Target', { untrusted: run.target }],
  ['Address', { untrusted: run.origin }],
  ['Organization', { untrusted: run.organization }],
  ['Harness', { untrusted: run.harnessVersion }],
  ...run.datasets.map(({ path, digest, turns }): Pair => [
    { untrusted: path },
    [`${digits(turns)} questions · `, { untrusted: digest }],
  ]),
]

/** `filter`: of the page's search, where its conversations can be found by these values. */
export function mixBlock(
  title: string,
  counts: Readonly<Record<string, number>>,
  good: readonly string[],
  filter?: string,
): Block {
  const parts = Object.entries(counts).map(([value, count]) => ({
    label: { untrusted: value },
    count,
    tone: good.includes(value) ? ('good' as const) : ('warn' as const),
    ...(filter === undefined ? {} : { link: { find: `${filter}:"${value}"` } }),
  }))
  return { kind: 'chart', title, half: true, chart: { kind: 'share', parts } }
}
