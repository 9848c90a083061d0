// What is known of the organization's limit, in every report that tells of it; and the report of a search for it.
import { type Message, message } from '../domain/messages.ts'
import type { LimitFinding } from '../domain/limit.ts'
import type { LimitReport } from '../domain/load.ts'
import { digits } from '../domain/text.ts'
import {
  overview,
  tableOfPairs,
  verdictOf,
  warnings,
  type Document,
  type Pair,
  type Table,
} from './document.ts'
import { duration, percent, perSecond, range } from './format.ts'

/** One sentence, with how sure it is. */
export function limitSentence(finding: LimitFinding): string {
  const confidence = 'confidence' in finding ? ` (${finding.confidence} confidence)` : ''
  return `${messageOf(finding).text}${confidence}`
}

function messageOf(finding: LimitFinding): Message {
  switch (finding.kind) {
    case 'fixed-window':
      return message('limit-fixed-window', finding)
    case 'sliding-window':
      return message('limit-sliding-window', finding)
    case 'token-bucket':
      return message('limit-token-bucket', finding)
    case 'concurrency':
      return message('limit-concurrency', finding)
    case 'none-met':
      return message('limit-none-met', finding)
    case 'unknown':
      return message(`limit-${finding.code}`, finding)
  }
}

/**
 * What the calls show, and what that rests on; where they do not show the limit, how to find it. `isSearch`: they were sent to find it.
 */
export function limitTable(finding: LimitFinding | null, isSearch = false): Table {
  const pairs: Pair[] =
    finding === null
      ? [['Met', 'never: no call got 429'], TO_FIND_IT]
      : [
          ['The organization’s limit', limitSentence(finding)],
          ...usesOf(finding).filter((pair) => pair !== TO_FIND_IT || !isSearch),
          ['Highest accepted rate', perSecond(finding.acceptedPerSecond)],
          ['Times met', digits(finding.timesMet)],
          ['Calls explained', 'explained' in finding ? percent(finding.explained) : undefined],
        ]
  return tableOfPairs('Limit', pairs, { half: !isSearch })
}

const TO_FIND_IT: Pair = ['To find it', 'load --find-limit']

function usesOf(finding: LimitFinding): Pair[] {
  if ('inFlight' in finding) return [['Option', `--concurrency ${finding.inFlight}`]]
  if (!('ratePerSecond' in finding)) return [TO_FIND_IT]
  const { ratePerSecond } = finding
  return [
    ['Rate', perSecond(ratePerSecond)],
    ['Option', `--rate ${rateOption(ratePerSecond)}`],
  ]
}

const UNITS = [
  { seconds: 1, name: 's' },
  { seconds: 60, name: 'min' },
  { seconds: 3600, name: 'h' },
] as const

/** What `--rate` takes: three digits, rounded down. */
function rateOption(rate: number): string {
  const unit = UNITS.find(({ seconds }) => rate * seconds >= 1) ?? UNITS[2]
  const amount = rate * unit.seconds
  const step = 10 ** (Math.floor(Math.log10(amount)) - 2)
  // A tenth as computers have it is a little less, and would cost a step.
  return `${Number((Math.floor((amount / step) * (1 + 1e-9)) * step).toPrecision(3))}/${unit.name}`
}

/** `load --find-limit`. */
export function limitDocument(report: LimitReport): Document {
  const { run, verdict, reason, finding, calls, search, quota, tookMs, warnings: notes } = report
  return {
    title: ['Limit of ', { untrusted: run.target }],
    facts: tookMs === null ? '' : duration(tookMs),
    at: run.startedAt,
    verdict: verdictOf(verdict, { untrusted: reason }),
    sections: [
      overview(
        {
          kind: 'figures',
          figures: [
            verdict === 'known' && 'inFlight' in finding
              ? { label: 'Limit', value: `${digits(finding.inFlight)} in flight` }
              : {
                  label: 'Limit',
                  value: 'ratePerSecond' in finding ? perSecond(finding.ratePerSecond) : 'unknown',
                  note: limitSentence(finding),
                },
            { label: 'Calls', value: digits(calls.sent), note: `of at most ${digits(search.budget)}` },
            { label: 'Accepted', value: digits(calls.accepted) },
            { label: 'Refused (429)', value: digits(calls.refused) },
            { label: 'Calls counted', value: range(quota.min, quota.max) },
          ],
        },
        ...warnings(notes.map((text) => ({ text }))),
        limitTable(finding, true),
      ),
    ],
  }
}
