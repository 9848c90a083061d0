// The account of a run as lines of label and words: what the screen and the Markdown summary both show.
import { ENGLISH } from '../domain/page-words.ts'
import type { Summary } from '../domain/summary.ts'
import { describeQuota, describeUse, shareSpan } from './quota-words.ts'
import { limitLine } from './limit-words.ts'
import { describeReviews } from './reviews.ts'
import { describeShard } from './part.ts'
import { digits, plural } from '../domain/text.ts'
import { duration, percent } from './numbers.ts'
import { describeLedger } from './ledger.ts'

const OUTCOME_NAMES: Readonly<Record<string, string>> = ENGLISH.outcomes

export interface AccountLine {
  readonly label: string
  /** Values of the endpoint in it are still as they came: the renderer makes them safe. */
  readonly words: string
}

export function accountLines(summary: Summary): AccountLine[] {
  const limit = limitLine(summary.pacing)
  return [
    ...(summary.shard === undefined
      ? []
      : [{ label: 'Part', words: describeShard(summary.shard, summary.turns.total) }]),
    { label: 'Coverage', words: describeCoverage(summary.coverage) },
    ...(hasExpectations(summary.expectations)
      ? [{ label: 'Expectations', words: describeExpectations(summary) }]
      : []),
    { label: 'Sources', words: describeSources(summary) },
    { label: 'Turns', words: describeTurns(summary.turns) },
    { label: 'Errors', words: describeErrors(summary.errors) },
    { label: 'Latency', words: describeLatency(summary.latencyMs, 'answer') },
    ...(summary.failureLatencyMs.count === 0
      ? []
      : [{ label: 'of errors', words: describeLatency(summary.failureLatencyMs, 'error') }]),
    { label: 'Waiting', words: describeLatency(summary.waitMs, 'turn') },
    { label: 'Quota', words: describeUsage(summary) },
    ...describeRegularUse(summary),
    ...(summary.ledger === undefined ? [] : [{ label: 'Ledger', words: describeLedger(summary.ledger) }]),
    { label: '429s', words: describeRefusals(summary) },
    ...(limit === undefined ? [] : [{ label: 'Limit', words: limit }]),
    ...(summary.reviews === null ? [] : [{ label: 'Reviews', words: describeReviews(summary.reviews) }]),
  ]
}

export function describeCoverage(coverage: Summary['coverage']): string {
  const { rate, grounded, answered, low, high, cluster, lostToErrors, lostToContext, few } = coverage
  if (rate === null) return 'n/a: no answers with their context'
  // Turns of a thread agree more than others do: over threads the interval is the honest one.
  const interval =
    cluster === null
      ? `95 % interval ${percent(low)} to ${percent(high)}`
      : `95 % interval over ${plural(cluster.threads, 'thread')} ${percent(cluster.low)} to ${percent(cluster.high)}`
  const lost = [
    ...(lostToErrors > 0 ? [`${digits(lostToErrors)} lost to errors`] : []),
    ...(lostToContext > 0 ? [`${digits(lostToContext)} to lost context`] : []),
  ]
  const missing = lost.length === 0 ? '' : `; ${lost.join(', ')}`
  const caution = few ? '; few questions, so the rate says little' : ''
  return `${percent(rate)}: ${digits(grounded)} of ${plural(answered, 'answer')} came from the knowledge base (${interval})${missing}${caution}`
}

function hasExpectations({ passed, failed, notGraded, notAsked = 0 }: Summary['expectations']): boolean {
  return passed + failed + notGraded + notAsked > 0
}

function describeExpectations({ expectations, turns }: Summary): string {
  const { rate, passed, failed, notGraded, notAsked = 0 } = expectations
  // In a summary of a harness that counted them so.
  const areAmong = expectations.notAsked === undefined && turns.notAsked > 0
  const why = `${areAmong ? 'not asked, ' : ''}an error, or no context`
  const left = [
    ...(notGraded === 0 ? [] : [`, ${digits(notGraded)} not graded (${why})`]),
    ...(notAsked === 0 ? [] : [`, ${digits(notAsked)} not asked`]),
  ].join('')
  if (rate === null) return `n/a: nothing was graded${left}`
  return `${percent(rate)}: ${digits(passed)} of ${plural(passed + failed, 'question')} with expectations passed${left}`
}

/** All answers, as the endpoint named their sources; the shares leave out those without their conversation. */
function describeSources({ contextSource, coverage }: Summary): string {
  const sources = mix(contextSource)
  if (sources === '') return 'no answers'
  const { lostToContext } = coverage
  return lostToContext === 0
    ? sources
    : `${sources}; ${digits(lostToContext)} of them given without their conversation`
}

function describeTurns({ total, answered, skipped, contextLost, notAsked }: Summary['turns']): string {
  return countTurns(total, answered, [
    [skipped, 'skipped after an error in their thread'],
    [contextLost, 'lost their context'],
    [notAsked, 'without an outcome'],
  ])
}

/** `rest`: what else became of turns; what became of none is not named. */
export function countTurns(
  total: number,
  answered: number,
  rest: readonly (readonly [count: number, what: string])[],
): string {
  if (total === 0) return 'none'
  return [
    answered === total ? `${digits(total)}, all answered` : `${digits(total)}, ${digits(answered)} answered`,
    ...rest.flatMap(([count, what]) => (count > 0 ? [`${digits(count)} ${what}`] : [])),
  ].join(', ')
}

export function describeErrors({
  rate,
  errors,
  asked,
  byOutcome,
  byHttpStatus,
  byCode,
}: Summary['errors']): string {
  if (rate === null) return 'n/a: nothing was asked'
  if (errors === 0) return `none of ${plural(asked, 'turn')} asked`
  const statuses = mix(
    Object.fromEntries(Object.entries(byHttpStatus).filter(([status]) => status !== 'none')),
  )
  const codes = mix(Object.fromEntries(Object.entries(byCode).filter(([code]) => code !== 'none')))
  const named = Object.fromEntries(
    Object.entries(byOutcome).map(([outcome, count]) => [OUTCOME_NAMES[outcome] ?? outcome, count]),
  )
  const details = [mix(named), statuses && `HTTP ${statuses}`, codes && `code ${codes}`].filter(Boolean)
  return `${percent(rate)}: ${digits(errors)} of ${plural(asked, 'turn')} asked (${details.join('; ')})`
}

export function describeLatency(
  { p50, p90, p95, p99, max, count }: Summary['latencyMs'],
  what: string,
): string {
  if (count === 0) return 'n/a'
  const parts = [
    `p50 ${duration(p50)}`,
    `p90 ${duration(p90)}`,
    `p95 ${duration(p95)}`,
    `p99 ${duration(p99)}`,
    `max ${duration(max)}`,
  ]
  return `${parts.join(', ')} (${plural(count, what)})`
}

export function describeUsage({ quota, run }: Pick<Summary, 'quota' | 'run'>): string {
  const { attempts, min, max, notCounted } = quota
  const usage = min === max ? plural(min, 'call') : `${digits(min)} to ${digits(max)} calls`
  const rest = notCounted === 0 ? '' : `, ${digits(notCounted)} of them taken as not counted (assumed)`
  const share = run.quota === null ? '' : `; ${shareSpan(quota, run.quota)} of ${describeQuota(run.quota)}`
  return `${usage} counted, from ${plural(attempts, 'attempt')}${rest}${share}`
}

/** With an allowance, and of a run that came to its end: what half a set costs is no cost of a night. */
function describeRegularUse({ quota, run, state, turns }: Summary): AccountLine[] {
  if (run.quota === null || state !== 'complete' || turns.notAsked > 0) return []
  return [{ label: 'This set', words: describeUse(quota, turns.total, run.quota) }]
}

function describeRefusals({ pacing, quota }: Summary): string {
  if (pacing.rate429 === null) return 'n/a: nothing was sent'
  return `${digits(pacing.rateLimited)} of ${plural(quota.attempts, 'attempt')} (${percent(pacing.rate429)})`
}

export function mix(counts: Readonly<Record<string, number>>): string {
  const shown = Object.entries(counts).slice(0, 8)
  const hidden = Object.keys(counts).length - shown.length
  const parts = shown.map(([value, count]) => `${value === '' ? '(empty)' : value} ${digits(count)}`)
  return [...parts, ...(hidden > 0 ? [`${digits(hidden)} more`] : [])].join(', ')
}

/** Rows of the table by tag, its header first. */
type TagColumn = readonly [name: string, cell: (tag: string, figures: Summary['tags'][string]) => string]

const OF_QUOTA = 'of the quota'

const TAG_COLUMNS: readonly TagColumn[] = [
  ['tag', (tag) => tag],
  ['turns', (_, { turns }) => digits(turns.total)],
  [
    'grounded',
    (_, { coverage }) =>
      coverage.rate === null ? 'n/a' : `${digits(coverage.grounded)}/${digits(coverage.answered)}`,
  ],
  ['coverage', (_, { coverage }) => percent(coverage.rate)],
  ['95 % interval', (_, { coverage }) => describeInterval(coverage)],
  [
    'passed',
    (_, { expectations: { rate, passed, failed } }) =>
      rate === null ? '' : `${digits(passed)}/${digits(passed + failed)}`,
  ],
  ['errors', (_, { errors }) => digits(errors.errors)],
  ['p95', (_, { latencyMs }) => duration(latencyMs.p95)],
  [
    'calls counted',
    (_, { quota }) =>
      quota.min === quota.max ? digits(quota.min) : `${digits(quota.min)}–${digits(quota.max)}`,
  ],
  [OF_QUOTA, (_, { quota }) => percent(quota.shareOfQuota)],
]

/** What the table's marks mean, where it has any. */
export function tagLegend({ tags }: Summary): string[] {
  const isFew = Object.values(tags).some(({ coverage }) => coverage.rate !== null && coverage.few)
  return isFew
    ? [
        '(few): too few questions, or threads, for the rate to say much; the interval counts questions, by thread',
      ]
    : []
}

/** The header, then a row a tag; what no tag has is left out. */
export function tagRows({ tags, run }: Summary): string[][] {
  const isGraded = Object.values(tags).some(({ expectations }) => expectations.rate !== null)
  const columns = TAG_COLUMNS.filter(([name]) => name !== 'passed' || isGraded).filter(
    ([name]) => name !== OF_QUOTA || run.quota !== null,
  )
  return [
    columns.map(([name]) => name),
    ...Object.entries(tags).map(([tag, figures]) => columns.map(([, cell]) => cell(tag, figures))),
  ]
}

function describeInterval({ rate, low, high, cluster, few }: Summary['coverage']): string {
  if (rate === null) return ''
  const interval = cluster ?? { low, high }
  return `${percent(interval.low)} to ${percent(interval.high)}${few ? ' (few)' : ''}`
}
