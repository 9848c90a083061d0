// Blocks that the reports of a run and of a load test share.
import { type LedgerResult, RUNS_A_MONTH } from '../domain/quota.ts'
import type { LoadReport } from '../domain/load.ts'
import type { Latency, Summary } from '../domain/summary.ts'
import { noteOf, setsOf, tableOf, tableOfPairs, type Pair } from './blocks.ts'
import { searchFor, type Block, type Figure, type Row, type Span, type Table } from './document.ts'
import { digits, duration, listCounts, percent, plural, range, rateText, ratioOf } from '../domain/format.ts'

type Run = Summary['run']

export const titleOf = (run: Run): Span[] => [setsOf(run.datasets), ' · ', targetSpan(run)]

/** The config file names it; undefined for a typed address, and for the sandbox. */
export const namedTarget = (target: string): string | undefined =>
  target === 'default' || target === 'sandbox' ? undefined : target

/** A target without a name is shown as its host. */
export const targetSpan = ({ target, origin }: Run): Span => ({
  untrusted: target === 'default' && URL.canParse(origin) ? new URL(origin).host : target,
})

/** The duration of several sessions is left out: they have time between them. */
export const factsOf = (size: string, { startedAt, endedAt, sessions }: Run): string =>
  endedAt === null || sessions > 1
    ? size
    : `${size} · ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`

export const shareFigure = (
  label: string,
  rate: number | null,
  part: number,
  whole: number,
  more: Partial<Figure> = {},
): Figure => ({ label, value: percent(rate), of: ratioOf(part, whole), ...more })

export const errorsFigure = (
  { rate, errors, sent, byOutcome }: Summary['errors'],
  more?: Partial<Figure>,
): Figure =>
  shareFigure('Errors', rate, errors, sent, {
    tone: errors > 0 ? 'bad' : 'muted',
    note: listCounts(Object.entries(byOutcome)) || undefined,
    ...more,
  })

export const latencyFigure = (label: string, { p50, p95, p99 }: Latency, more?: Partial<Figure>): Figure => ({
  label,
  value: duration(p95),
  note: `p50 ${duration(p50)}, p99 ${duration(p99)}`,
  ...more,
})

/** The `notes` stand before the share of the quota. */
export function callsFigure(
  { min, max, shareOfQuota: share }: Summary['quota'],
  notes: readonly string[],
  isNightly: boolean,
): Figure {
  const nightly = isNightly && share !== null ? `, ${percent(share * RUNS_A_MONTH)} if run every night` : ''
  return {
    label: 'Calls counted',
    value: range(min, max),
    note: [...notes, ...(share === null ? [] : [`${percent(share)} of the quota${nightly}`])].join(' · '),
    link: { section: 'limits' },
  }
}

export const timesTable = (title: string, times: readonly (readonly [label: string, Latency])[]): Table =>
  tableOf(
    title,
    ['', 'p50', 'p90', 'p95', 'p99', 'max'],
    times
      .filter(([, { count }]) => count > 0)
      .map(([label, { p50, p90, p95, p99, max }]) => [label, ...[p50, p90, p95, p99, max].map(duration)]),
  )

/** The `paceAtEnd` is that of a run's limiter, calls a second. */
export const seenTable = (
  { policy, accepted }: LoadReport['pacing'],
  paceAtEnd: number | null = null,
): Table =>
  tableOfPairs('Limit', [
    ['Announced by the endpoint', policy === undefined ? null : { untrusted: policy }],
    [
      'Accepted',
      accepted &&
        `${rateText(accepted.perSecond)} for ${duration(accepted.forMs)}; other traffic may use the rest`,
    ],
    ['Pace at the end', paceAtEnd === null ? null : rateText(paceAtEnd)],
    ['To find the limit', policy === undefined ? 'a load test searches for it (load --find-limit)' : null],
  ])

export const quotaTable = (
  quota: Summary['quota'],
  ledger: LedgerResult | undefined,
  more: readonly Pair[] = [],
): Table =>
  tableOfPairs('Quota account', [
    ['Calls counted', range(quota.min, quota.max)],
    ['Attempts', digits(quota.attempts)],
    ['Certain: a 2xx arrived', digits(quota.certain)],
    ['Possible: no answer, perhaps processed', digits(quota.possible)],
    ['Not counted: refused, or never arrived', digits(quota.notCounted)],
    ...more,
    ['Share of the quota, these calls', quota.shareOfQuota === null ? null : percent(quota.shareOfQuota)],
    ['Ledger', ledger && ledgerText(ledger)],
  ])

function ledgerText(ledger: LedgerResult): string {
  const { matchedBy, counted, others, duplicates, min, max, verdict, by } = ledger
  const matched =
    matchedBy === 'id'
      ? `${digits(counted)} calls with an id of this run (${digits(others)} others in its time)`
      : `${digits(counted)} calls in the time of this run, none with an id of it`
  const distance = verdict === 'within' ? verdict : `${digits(by)} ${verdict}`
  const text = [`${matched}: ${distance} the account (${range(min, max)})`]
  if (verdict === 'below') text.push('It lacks calls that were answered')
  // Duplicates may explain all that is too much.
  if (verdict === 'above' && duplicates < by)
    text.push(matchedBy === 'id' ? 'It counts refused calls' : 'It counts refused calls or other traffic')
  if (duplicates > 0) text.push(`Duplicates: ${digits(duplicates)} rows repeat another row`)
  return text.join('. ')
}

export const ledgerNote = (ledger: LedgerResult | undefined): Block[] =>
  ledger === undefined
    ? []
    : [noteOf(ledger.verdict === 'within' ? 'good' : 'warn', `Ledger: ${ledgerText(ledger)}`)]

/** The page has conversations to search by, if `isSearchable`. */
export function mixTables(
  { run, contextSource, status }: Summary | LoadReport,
  isSearchable: boolean,
): Table[] {
  const mixTable = (
    title: string,
    filter: string,
    counts: Summary['status'],
    good: readonly string[],
  ): Table => {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const rows = Object.entries(counts).map(([value, count]): Row => {
      const text = { untrusted: value }
      const shown = isSearchable ? { text, link: searchFor(filter, value) } : text
      const tone = good.includes(value) ? undefined : 'warn'
      return { cells: [shown, digits(count)], bar: { rate: count / all }, tone }
    })
    return tableOf(title, ['', ''], rows)
  }
  return [
    mixTable('Sources of answers', 'source', contextSource, run.groundedSources),
    mixTable('Status of answers', 'status', status, ['success']),
  ]
}

export const aboutTable = (title: string, run: Run, more: readonly Pair[]): Table =>
  tableOfPairs(title, [
    ['Id', { untrusted: run.id }],
    ['Target', { untrusted: run.target }],
    ['Address', { untrusted: run.origin }],
    ['Organization', { untrusted: run.organization }],
    ['Harness', { untrusted: run.harnessVersion }],
    ...run.datasets.map(({ path, digest, turns }): Pair => [
      { untrusted: path },
      [`${plural(turns, 'question')} · `, { untrusted: digest }],
    ]),
    ...more,
  ])
