// The organization's limit as a block of reports, and the report of `load --find-limit`.
import { limitRuleText, limitSentence, type LimitFinding } from '../domain/limit.ts'
import type { LimitReport } from '../domain/load.ts'
import { figuresOf, noteOf, sectionOf, tableOfPairs, verdictOf, warnings, type Pair } from './blocks.ts'
import type { Document, Table } from './document.ts'
import { digits, duration, percent, rateText, range } from '../domain/format.ts'
import { targetSpan } from './recorded-blocks.ts'

/**
 * The limit and its evidence. `pace`: how fast the run was, which comes first if the limit is unknown;
 * undefined for a search, which does not suggest one.
 */
export function limitTable(finding: LimitFinding | null, pace: readonly Pair[] | undefined): Table {
  const isKnown = finding !== null && 'explained' in finding
  const accepted = finding?.acceptedPerSecond ?? null
  const rates: readonly Pair[] = [
    ['Accepted rate', accepted === null ? null : rateText(accepted)],
    ...(pace ?? []),
  ]
  const evidence: readonly Pair[] = [
    ['Option', finding && optionOf(finding)],
    ['Times met', finding && digits(finding.timesMet)],
    ['Calls explained', isKnown ? percent(finding.explained) : null],
  ]
  if (pace === undefined) return tableOfPairs('Limit', evidence)
  const found: readonly Pair[] = [
    ['The organization’s limit', finding === null ? 'never met: no call got 429' : limitSentence(finding)],
    ['Rate', isKnown && 'ratePerSecond' in finding ? rateText(finding.ratePerSecond) : null],
    ...evidence,
    ['To find it', isKnown ? null : 'load --find-limit'],
  ]
  return tableOfPairs('Limit', isKnown ? [...found, ...rates] : [...rates, ...found], { role: 'narrow' })
}

/** The option that keeps to the limit; undefined if it is unknown. */
function optionOf(finding: LimitFinding): string | undefined {
  if ('inFlight' in finding) return `--concurrency ${finding.inFlight}`
  if (!('ratePerSecond' in finding)) return undefined
  const rate = finding.ratePerSecond
  const [amount, unit] = rate >= 1 ? [rate, 's'] : [rate * 60, 'min']
  // Rounded down to a hundredth. The millionth corrects floating-point errors.
  return `--rate ${Math.floor(amount * 100 + 1e-6) / 100}/${unit}`
}

export function limitDocument(report: LimitReport): Document {
  const { run, verdict, reason, finding, faster, secondRule, calls, search, quota, tookMs } = report
  const isKnown = 'explained' in finding
  const rate = 'ratePerSecond' in finding ? rateText(finding.ratePerSecond) : 'unknown'
  const limit = 'inFlight' in finding ? `${digits(finding.inFlight)} in flight` : rate
  return {
    title: ['Limit of ', targetSpan(run)],
    facts: tookMs === null ? '' : duration(tookMs),
    at: run.startedAt,
    verdict: verdictOf(verdict, reason),
    sections: [
      sectionOf(
        'overview',
        figuresOf(
          { label: 'Limit', value: limit, note: isKnown ? undefined : limitSentence(finding) },
          { label: 'Calls', value: digits(calls.sent), note: `of at most ${digits(search.budget)}` },
          { label: 'Accepted', value: digits(calls.accepted) },
          { label: 'Refused (429)', value: digits(calls.refused) },
          { label: 'Calls counted', value: range(quota.min, quota.max) },
        ),
        ...warnings(report.warnings),
        ...(isKnown
          ? [
              noteOf(verdict === 'known' ? 'good' : 'warn', limitSentence(finding)),
              limitTable(finding, undefined),
            ]
          : []),
        tableOfPairs('Second rule', [
          ['A faster rule', faster && limitSentence(faster)],
          ['None up to', secondRule.ruledOutToMs === null ? null : duration(secondRule.ruledOutToMs)],
          ['Announced', secondRule.announced.map(limitRuleText).join(', ') || null],
        ]),
      ),
    ],
  }
}
