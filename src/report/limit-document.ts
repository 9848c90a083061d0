// The organization's limit as a block of reports, and the report of `load --find-limit`.
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

/** One sentence, with its confidence. */
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

/** The limit and its evidence. `isSearch`: the report is that of a search, so it does not suggest one. */
export function limitTable(finding: LimitFinding | null, isSearch = false): Table {
  const isKnown = finding !== null && 'explained' in finding
  const evidence: readonly Pair[] =
    finding === null
      ? []
      : [
          ['Rate', 'ratePerSecond' in finding ? perSecond(finding.ratePerSecond) : undefined],
          ['Option', optionOf(finding)],
          ['Highest accepted rate', perSecond(finding.acceptedPerSecond)],
          ['Times met', digits(finding.timesMet)],
          ['Calls explained', isKnown ? percent(finding.explained) : undefined],
        ]
  const pairs: readonly Pair[] = [
    ['The organization’s limit', finding === null ? 'never met: no call got 429' : limitSentence(finding)],
    ...evidence,
    ['To find it', isKnown || isSearch ? undefined : 'load --find-limit'],
  ]
  return tableOfPairs('Limit', pairs, { half: !isSearch })
}

/** The option that keeps to the limit; undefined if it is unknown. */
function optionOf(finding: LimitFinding): string | undefined {
  if ('inFlight' in finding) return `--concurrency ${finding.inFlight}`
  return 'ratePerSecond' in finding ? `--rate ${rateOption(finding.ratePerSecond)}` : undefined
}

/** Rounded down to a hundredth. The millionth corrects floating-point errors. */
function rateOption(rate: number): string {
  const [amount, unit] = rate >= 1 ? [rate, 's'] : [rate * 60, 'min']
  return `${Math.floor(amount * 100 + 1e-6) / 100}/${unit}`
}

function limitOf(finding: LimitFinding): string {
  if ('inFlight' in finding) return `${digits(finding.inFlight)} in flight`
  return 'ratePerSecond' in finding ? perSecond(finding.ratePerSecond) : 'unknown'
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
            { label: 'Limit', value: limitOf(finding), note: limitSentence(finding) },
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
