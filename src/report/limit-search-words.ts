// A search for the organization's limit in words: before it, while it goes on, and what it took.
import type { FindLimitSettings, LimitReport } from '../domain/load.ts'
import { describeUsage, type AccountLine } from './account.ts'
import { confidenceWords, findingWords } from './limit-words.ts'
import { digits, plural } from '../domain/text.ts'
import { duration, perSecond } from './numbers.ts'

/** Lines for people, before the first call. */
export function describeSearch({ budget, maxMs, maxInFlight, maxPerSecond }: FindLimitSettings): string[] {
  return [
    `Seeks the organization's limit: at most ${plural(budget, 'call')} count toward the quota; at most ${perSecond(maxPerSecond)} a second, ${digits(maxInFlight)} in flight at once, within ${duration(maxMs)}. It ends as soon as it knows.`,
    'It uses the limit up again and again: others of the organization may be refused (429) meanwhile.',
  ]
}

export function limitReportLines(report: LimitReport): AccountLine[] {
  const { finding, calls, search, tookMs, verdict } = report
  const rate = rateToSay(report)
  const { sent, letThrough, refused, lost, latestMs } = calls
  return [
    {
      label: 'Limit',
      words: calls.letThrough + calls.refused === 0 ? 'nothing is known of it' : findingWords(finding),
    },
    ...(finding.kind === 'none-met' ? [] : [{ label: 'How sure', words: confidenceWords(finding) }]),
    ...(verdict === 'known'
      ? [
          {
            label: 'Beyond',
            words: `a further limit, of an hour or a day perhaps, would show only if ${plural(calls.sent, 'call')} in ${duration(tookMs)} met it`,
          },
        ]
      : []),
    ...(rate === undefined
      ? []
      : [{ label: 'To use it', words: `npx assist-harness run <sets> --rate ${rate}` }]),
    {
      label: 'Calls',
      words:
        `${digits(sent)} of at most ${digits(search.budget)}: ${digits(letThrough)} let through, ${digits(refused)} refused with 429` +
        (lost === 0 ? '' : `, ${digits(lost)} without an answer that tells`),
    },
    { label: 'Quota', words: describeUsage(report) },
    {
      label: 'Time',
      words: `${duration(tookMs)}${latestMs === null ? '' : `; a call left at most ${duration(latestMs)} late`}`,
    },
  ]
}

const UNITS = [
  { seconds: 1, name: 's' },
  { seconds: 60, name: 'min' },
  { seconds: 3600, name: 'h' },
] as const
const SIGNS = 3

/** What `--rate` takes: rounded down to three digits; undefined where no rate is known well enough to say it. */
function rateToSay({ verdict, finding }: LimitReport): string | undefined {
  const value = finding.sustainedPerSecond?.value
  if (verdict !== 'known' || value === undefined || value <= 0) return undefined
  const unit = UNITS.find(({ seconds }) => value * seconds >= 1) ?? UNITS[2]
  const amount = value * unit.seconds
  const step = 10 ** (Math.floor(Math.log10(amount)) + 1 - SIGNS)
  // A tenth as computers have it is a little less, and would cost a step.
  const rounded = Math.floor((amount / step) * (1 + 1e-9)) * step
  return `${Number(rounded.toPrecision(SIGNS))}/${unit.name}`
}
