// The report of a run: its sections and blocks, in order.
import { RUNS_A_MONTH } from '../domain/quota.ts'
import type { Confirmation, Summary, SummaryDetails } from '../domain/summary.ts'
import { withoutAnswer } from '../domain/turn.ts'
import { changedFacts, changeNote, changesSection } from './comparison-document.ts'
import {
  chartOf,
  figuresOf,
  gateTables,
  listOf,
  perBin,
  questionOf,
  sectionOf,
  tableOf,
  verdictOf,
  warnings,
  type Pair,
} from './blocks.ts'
import { searchFor, type Block, type Document, type Item, type List, type Section } from './document.ts'
import { commandLine } from './escape.ts'
import type { FailedQuestion, Failures } from './standing.ts'
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
  bringingMost,
  doubtfulList,
  gapList,
  lineNote,
  misfitList,
} from './article-blocks.ts'
import { reviewsTable } from './reviews-table.ts'
import { barOf, runFigures, type Baseline } from './run-figures.ts'

export interface RunReport {
  readonly summary: Summary
  readonly details: SummaryDetails
  readonly failures: Failures
  readonly baseline?: Baseline | undefined
  /** Arguments of `run` that finish it; null where nothing is left to send. */
  readonly resume?: readonly string[] | null
}

export function runDocument(report: RunReport): Document {
  const { summary, details, baseline } = report
  const { run, turns, shard } = summary
  return {
    title: [...titleOf(run), ...(shard === undefined ? [] : [` · shard ${shard.index}/${shard.of}`])],
    facts: factsOf(sizeOf(turns.total, details.threads), run),
    at: run.startedAt,
    verdict: verdictOf(summary.verdict, summary.reason, summary.gates, baseline?.compared.overlap.edited),
    sections: [
      mainSection(report),
      ...(baseline === undefined ? [] : [changesSection(baseline.compared)]),
      // The page adds each question here.
      sectionOf('conversations'),
      ...articlesSection(summary, details),
      limits(summary),
      about(summary),
    ],
  }
}

function mainSection(report: RunReport): Section {
  const { summary, details, baseline, resume = null } = report
  const { failed, errored } = report.failures
  const { reviews, confirmations = [] } = summary
  const confirmed = confirmations.filter((question) => question.confirmed)
  const flaky = confirmations.filter((question) => !question.confirmed)
  const [failedGates, passedGates] = gateTables(summary.gates)
  return sectionOf(
    'overview',
    figuresOf(...runFigures(summary, baseline)),
    ...(baseline === undefined ? [] : [changeNote(baseline.compared, baseline.name)]),
    ...(resume === null ? [] : [resumeNote(resume)]),
    ...ledgerNote(summary.ledger),
    ...warnings(summary.warnings),
    failedGates,
    listOf('Failed expectations', failed.items.map(itemOfFailure), {
      ...foundBy('is:failed', failed.count),
      count: failed.known === 0 ? undefined : `${digits(failed.count)}, known: ${digits(failed.known)}`,
    }),
    ...(baseline === undefined ? [] : changedFacts(baseline.compared).blocks),
    listOf('Errors', errored.items.map(itemOfFailure), foundBy('is:error', errored.count)),
    doubtfulList(details),
    misfitList(summary, details),
    // Topics of gaps stand beside the tags; causes come first, since they say what to do.
    ...(summary.articles === undefined
      ? [leastGroundedTags(summary), gapList(summary, details)]
      : [
          bringingMost(summary, details),
          gapList(summary, details),
          leastGroundedTags(summary),
          ...lineNote(summary),
        ]),
    listOf('Sent again, confirmed', confirmed.map(itemOfConfirmation), foundBy('is:sent-again')),
    listOf('Sent again, flaky', flaky.map(itemOfConfirmation), foundBy('is:flaky')),
    listOf('Flaky questions', summary.flaky.map(itemOfFlaky), foundBy('is:flaky')),
    listOf(
      'Needs review',
      details.awaited.map(({ before, note, ...question }) => ({
        text: [questionOf(question), ` · was ${before}`, { untrusted: note && ` (${note})` }],
      })),
      foundBy('is:needs-review', reviews?.changed),
    ),
    reviewsTable(reviews && { ...reviews, none: reviews.new }),
    listOf(
      'Slowest answers',
      details.slowest.map(({ ms, ...question }) => ({ text: [`${duration(ms)} · `, questionOf(question)] })),
      { ...foundBy('sort:slow'), role: 'minor' },
    ),
    // An incomplete run has passed nothing yet.
    ...(summary.verdict === 'incomplete' ? [] : [passedGates]),
  )
}

const resumeNote = (words: readonly string[]): Block => ({
  kind: 'note',
  tone: 'warn',
  text: ['Resume: ', { untrusted: commandLine('run', words) }],
  role: 'verdict',
})

const foundBy = (find: string, total?: number): Partial<List> => ({ link: { find }, total })

const itemOfFailure = ({ question, failure: { sentences }, rank }: FailedQuestion): Item => ({
  text: questionOf(question),
  details: [
    ...(rank === 'known' ? ['known'] : []),
    ...sentences.map((sentence) => ({ untrusted: withoutAnswer(sentence) })),
  ],
  tone: rank === 'known' ? 'muted' : 'bad',
})

const itemOfConfirmation = ({ confirmed, answers, failed, ungrounded, ...question }: Confirmation): Item => ({
  text: questionOf(question),
  details: [
    (failed > 0 ? `failed ${digits(failed)}` : `not grounded ${digits(ungrounded)}`) +
      ` of ${digits(answers)}`,
  ],
  tone: confirmed ? 'bad' : 'muted',
})

const itemOfFlaky = (question: Summary['flaky'][number]): Item => ({
  text: [
    questionOf(question),
    question.passRate === null ? '' : ` · passed ${percent(question.passRate)}`,
    question.groundingRate === null ? '' : ` · grounded ${percent(question.groundingRate)}`,
  ],
})

const leastGroundedTags = ({ tags, coverage: { weighted } }: Summary): Block =>
  tableOf(
    'Least grounded tags',
    ['Tag', 'Grounded', ...ofDemand(weighted, 'Demand'), 'Answers'],
    Object.entries(tags)
      .filter(([, { coverage }]) => coverage.rate !== null)
      .sort(
        ([, { coverage: a }], [, { coverage: b }]) =>
          (a.rate ?? 0) - (b.rate ?? 0) || b.answered - a.answered,
      )
      .map(([tag, { coverage }]) => ({
        cells: [
          tagOf(tag),
          percent(coverage.rate),
          ...ofDemand(coverage.weighted, percent(coverage.weighted?.rate ?? null)),
          ratioOf(coverage.grounded, coverage.answered),
        ],
        bar: barOf(coverage.rate, coverage.cluster ?? coverage),
      })),
    { role: 'narrow' },
  )

const ofDemand = (weighted: Summary['coverage']['weighted'], cell: string): string[] =>
  weighted === undefined ? [] : [cell]

const tagOf = (tag: string) => ({ text: { untrusted: tag }, link: searchFor('tag', tag) })

const limits = (summary: Summary): Section =>
  sectionOf(
    'limits',
    seenTable(summary.pacing, summary.pacing.changes.at(-1)?.pace),
    quotaTable(summary.quota, summary.ledger, nightlyRows(summary)),
    ...charts(summary),
    timesTable(
      'Latency and waiting',
      [
        ['Answers', summary.latencyMs],
        ['Errors', summary.failureLatencyMs],
        ['Waiting for the limiter', summary.waitMs],
      ],
      { role: 'narrow' },
    ),
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

function about(summary: Summary): Section {
  const { run, tags, coverage: all } = summary
  const figures = tableOf(
    'Figures by tag',
    [
      'Tag',
      'Questions',
      'Grounded',
      ...ofDemand(all.weighted, 'Demand'),
      'Expectations met',
      'Errors',
      'p95',
      'Calls',
    ],
    Object.entries(tags).map(([tag, { turns, coverage, expectations, errors, latencyMs, quota }]) => [
      tagOf(tag),
      digits(turns.total),
      percent(coverage.rate),
      ...ofDemand(coverage.weighted, percent(coverage.weighted?.rate ?? null)),
      percent(expectations.rate),
      percent(errors.rate),
      duration(latencyMs.p95),
      range(quota.min, quota.max),
    ]),
  )
  const table = aboutTable('Run', run, [
    ['Sessions', digits(run.sessions)],
    ['Grounded sources', { untrusted: run.groundedSources.join(', ') }],
  ])
  return sectionOf('about', ...mixTables(summary, true), table, figures)
}
