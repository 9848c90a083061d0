// The report of a run: its sections and blocks, in order.
import { RUNS_A_MONTH } from '../domain/quota.ts'
import type { Change, Row } from '../domain/changes.ts'
import { RATINGS } from '../domain/review.ts'
import type { Summary, SummaryDetails } from '../domain/summary.ts'
import { changedFactsLists, changeNote, changesSection } from './comparison-document.ts'
import {
  chartOf,
  figuresOf,
  gatesOf,
  listOf,
  namedQuestion,
  perBin,
  questionOf,
  sectionOf,
  tableOf,
  tableOfPairs,
  verdictOf,
  warnings,
  type Pair,
} from './blocks.ts'
import { searchFor, type Block, type Document, type Item, type List, type Section } from './document.ts'
import { commandLine } from './escape.ts'
import type { Failures } from './failures.ts'
import { digits, duration, percent, range, ratioOf, sizeOf } from '../domain/format.ts'
import {
  aboutTable,
  factsOf,
  ledgerNote,
  mixTables,
  quotaTable,
  seenTable,
  timesTable,
  titleOf,
} from './recorded-blocks.ts'
import {
  articlesSection,
  contradictionList,
  doubtfulList,
  gapList,
  lineNote,
  misfitList,
} from './article-blocks.ts'
import { firstLines, nightLines } from './night.ts'
import { barOf, runFigures, type Baseline } from './run-figures.ts'

export interface RunReport {
  readonly summary: Summary
  readonly details: SummaryDetails
  readonly failures: Failures
  readonly baseline?: Baseline | undefined
  readonly backAgain: readonly Change[]
  readonly rows: readonly Row[]
  /** It sends what is left or, of a complete run, what ended in an error; null where that is nothing. */
  readonly resume?: readonly string[] | null
}

export function runDocument(report: RunReport): Document {
  const { summary, details, failures, baseline, backAgain, resume = null } = report
  const { run, turns, shard } = summary
  return {
    title: [...titleOf(run), ...(shard === undefined ? [] : [` · shard ${shard.index}/${shard.of}`])],
    facts: factsOf(sizeOf(turns.total / details.repeat, details.threads, details.repeat), run),
    at: run.startedAt,
    verdict: verdictOf(summary.verdict, summary.reason),
    lead:
      baseline === undefined
        ? firstLines(summary, details, failures)
        : nightLines(baseline.compared, baseline, run.startedAt, backAgain),
    resume: resume === null ? undefined : commandLine('run', resume),
    sections: [
      overview(report),
      ...(baseline === undefined ? [] : [changesSection(baseline.compared, report.rows)]),
      // The page adds each question here.
      sectionOf('conversations'),
      ...articlesSection(summary, details),
      limits(summary),
      about(summary),
    ],
  }
}

function overview({ summary, details, failures, baseline, rows }: RunReport): Section {
  const { reviews } = summary
  const listed = new Set(failures.items.map(({ question }) => question.id))
  const flaky = summary.flaky.filter(({ id }) => !listed.has(id))
  return sectionOf(
    'overview',
    figuresOf(...runFigures(summary, baseline)),
    ...(baseline === undefined ? [] : [changeNote(baseline.compared, baseline.name)]),
    ...ledgerNote(summary.ledger),
    ...warnings(summary.warnings),
    failureList(failures),
    ...(baseline === undefined ? [] : changedFactsLists(baseline.compared, rows)),
    doubtfulList(details),
    misfitList(summary, details),
    gapList(summary, details),
    ...lineNote(summary),
    contradictionList(summary, 3),
    tagTable(summary),
    sentAgainList(summary),
    listOf('Flaky questions', flaky.map(itemOfFlaky), foundBy('is:flaky')),
    listOf(
      'Needs review',
      details.awaited.map(({ before, note, ...question }) => ({
        text: [questionOf(question), ` · was ${before}`, { untrusted: note && ` (${note})` }],
      })),
      foundBy('is:needs-review', reviews?.changed),
    ),
    reviewsTable(reviews),
    gatesOf(summary.gates, summary.verdict === 'incomplete'),
  )
}

const foundBy = (find: string, total?: number): Partial<List> => ({ link: { find }, total })

/** A question is listed once, however it failed. */
function failureList({ items, failed, errored, known }: Failures): List {
  const count = failed + errored
  return listOf(
    'Failed questions',
    items.map(({ question, unmet, rank }) => ({
      text: namedQuestion(question),
      details: [
        ...(rank === 'known' ? ['known'] : rank === 'newly' ? ['newly failing'] : []),
        ...unmet.map(({ sentence }) => ({ untrusted: sentence })),
      ],
      tone: rank === 'known' ? 'muted' : 'bad',
    })),
    {
      total: count,
      count: known === 0 ? undefined : `${digits(count)}, known: ${digits(known)}`,
      link: { find: failed === 0 ? 'is:error' : errored === 0 ? 'is:failed' : 'is:wrong' },
    },
  )
}

/** A confirmed failure is listed among the failed questions, with how often it failed. */
function sentAgainList({ confirmations = [] }: Summary): List {
  const others = confirmations.filter(({ confirmed, failed }) => !confirmed || failed === 0)
  return listOf(
    'Sent again',
    others.map(({ confirmed, answers, failed, ungrounded, ...question }) => {
      const times = failed > 0 ? `failed ${digits(failed)}` : `not grounded ${digits(ungrounded)}`
      return {
        text: questionOf(question),
        details: [`${confirmed ? 'confirmed' : 'flaky'}: ${times} of ${digits(answers)}`],
        tone: confirmed ? 'bad' : 'warn',
      }
    }),
    foundBy('is:sent-again'),
  )
}

const itemOfFlaky = (question: Summary['flaky'][number]): Item => ({
  text: [
    questionOf(question),
    question.passRate === null ? '' : ` · passed ${percent(question.passRate)}`,
    question.groundingRate === null ? '' : ` · grounded ${percent(question.groundingRate)}`,
  ],
})

/** The worst rating comes first. */
function reviewsTable(reviews: Summary['reviews']): Block {
  const row = (label: string, find: string, count: number | undefined): Pair => [
    { text: label, link: { find } },
    count === undefined ? null : digits(count),
  ]
  return tableOfPairs('Reviews', [
    ...RATINGS.toReversed().map((word) => row(word, `review:${word}`, reviews?.[word])),
    row('not reviewed', 'review:none', reviews?.new),
  ])
}

/** The least grounded tags come first. */
function tagTable({ tags, coverage: all, errors: { sent } }: Summary): Block {
  const ofDemand = ({ weighted }: Summary['coverage']): string[] =>
    all.weighted === undefined ? [] : [percent(weighted?.rate ?? null)]
  const demand = all.weighted === undefined ? [] : ['Demand']
  return tableOf(
    'Tags',
    ['', 'Grounded', 'Answers', ...demand, 'Expectations met', 'Errors', 'p95', 'Calls'],
    Object.entries(sent === 0 ? {} : tags)
      .sort(
        ([, { coverage: a }], [, { coverage: b }]) =>
          (a.rate ?? 1) - (b.rate ?? 1) || b.answered - a.answered,
      )
      .map(([tag, { coverage, expectations, errors, latencyMs, quota }]) => ({
        cells: [
          { text: { untrusted: tag }, link: searchFor('tag', tag) },
          percent(coverage.rate),
          ratioOf(coverage.grounded, coverage.answered),
          ...ofDemand(coverage),
          percent(expectations.rate),
          percent(errors.rate),
          duration(latencyMs.p95),
          range(quota.min, quota.max),
        ],
        bar: barOf(coverage.rate, coverage.cluster ?? coverage),
      })),
  )
}

const limits = (summary: Summary): Section =>
  sectionOf(
    'limits',
    seenTable(summary.pacing, summary.pacing.changes.at(-1)?.pace),
    quotaTable(summary.quota, summary.ledger, nightlyRows(summary)),
    ...charts(summary),
    timesTable('Latency and waiting', [
      ['Answers', summary.latencyMs],
      ['Errors', summary.failureLatencyMs],
      ['Waiting for the limiter', summary.waitMs],
    ]),
  )

function nightlyRows({ quota, pacing, run, state }: Summary): Pair[] {
  const aMonth = (calls: number): number => Math.round(calls * RUNS_A_MONTH)
  const share = quota.shareOfQuota
  // A part of the set says nothing of what it costs.
  const isWhole = state === 'complete'
  return [
    ['429s', `${digits(pacing.rateLimited)} (${percent(pacing.rate429)})`],
    ['Every night, calls a month', isWhole ? range(aMonth(quota.min), aMonth(quota.max)) : null],
    ['Monthly quota', run.quota && digits(run.quota.calls)],
    ['Every night, share of the quota', isWhole && share !== null ? percent(share * RUNS_A_MONTH) : null],
  ]
}

function charts({ pacing: { calls, changes }, run }: Summary): Block[] {
  const overTime =
    calls &&
    chartOf(`${perBin('Calls', calls.binMs)} (UTC)`, {
      kind: 'columns',
      axis: 'time',
      from: Date.parse(calls.from),
      binMs: calls.binMs,
      series: [
        ['answered', 'good', calls.answered],
        ['429', 'warn', calls.refused],
        ['failed', 'bad', calls.failed],
      ],
    })
  // Of one process: the last pace holds until the end.
  const whole = [...changes, ...changes.slice(-1).map((last) => ({ ...last, at: run.endedAt ?? last.at }))]
  const paces = whole.map(({ at, pace: value }) => ({ at: Date.parse(at), value }))
  const isChart = run.sessions === 1 && paces.filter(({ value }) => value !== null).length > 2
  const series = [['pace', paces]] as const
  const pace =
    isChart &&
    chartOf('Pace, calls a second (UTC)', { kind: 'line', axis: 'time', unit: 'perSecond', series })
  return [overTime, pace].filter((chart) => chart !== null && chart !== false)
}

const about = (summary: Summary): Section =>
  sectionOf(
    'about',
    ...mixTables(summary, true),
    aboutTable('Run', summary.run, [
      ['Sessions', digits(summary.run.sessions)],
      ['Grounded sources', { untrusted: summary.run.groundedSources.join(', ') }],
    ]),
  )
