// The report of `load --find-limit`.
import { isFoundLimit, limitRuleText, limitSentence, whyUnknown, type LimitFinding } from '../domain/limit.ts'
import type { LimitReport } from '../domain/load.ts'
import { figuresOf, noteOf, sectionOf, tableOfPairs, verdictOf, warnings } from './blocks.ts'
import type { Document } from './document.ts'
import { digits, duration, rateText, range } from '../domain/format.ts'
import { targetSpan } from './recorded-blocks.ts'

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
  const isFound = isFoundLimit(finding)
  const rate = 'ratePerSecond' in finding ? rateText(finding.ratePerSecond) : 'unknown'
  const limit = 'inFlight' in finding ? `${digits(finding.inFlight)} in flight` : rate
  const why = finding.kind === 'unknown' ? whyUnknown(finding) : limitSentence(finding)
  return {
    title: ['Limit of ', targetSpan(run)],
    facts: tookMs === null ? '' : duration(tookMs),
    at: run.startedAt,
    verdict: verdictOf(verdict, reason),
    sections: [
      sectionOf(
        'overview',
        figuresOf(
          {
            label: 'Limit',
            value: limit,
            note: isFound ? 'other traffic may use the rest' : why,
          },
          { label: 'Calls', value: digits(calls.sent), note: `of at most ${digits(search.budget)}` },
          { label: 'Accepted', value: digits(calls.accepted) },
          { label: 'Refused (429)', value: digits(calls.refused) },
          { label: 'Calls counted', value: range(quota.min, quota.max) },
        ),
        ...warnings(report.warnings),
        ...(isFound
          ? [
              noteOf(verdict === 'known' ? 'good' : 'warn', limitSentence(finding)),
              tableOfPairs('Limit', [
                ['Option', optionOf(finding)],
                ['Times met', digits(finding.timesMet)],
              ]),
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
