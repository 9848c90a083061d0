// Folds the journal of a limit search into its report.
import { errorCodeOf, statusOf, type AttemptResult } from '../../domain/attempt.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import { digits, duration, listNames, percent } from '../../domain/format.ts'
import {
  callVerdict,
  type LimitCall,
  type LimitFinding,
  limitRuleText,
  type LimitRule,
  type SecondRule,
} from '../../domain/limit.ts'
import type { LimitReport } from '../../domain/load.ts'
import { makeMessage, type Message } from '../../domain/message.ts'
import type { SearchManifest } from '../../options/manifest.ts'
import type { Stop } from '../../domain/stop.ts'
import { createAccount, quotaFigures } from '../figures/account.ts'
import { createCounts } from '../figures/figures.ts'
import { describeRun } from '../judging/summary.ts'
import { endedBy, joinReasons, stateAfter } from '../judging/verdict.ts'
import { notedWarnings } from '../judging/warnings.ts'
import { inferLimit } from './infer.ts'
import { findSecondRule, isRuledOut, MAX_ANNOUNCED_MS } from './second-rule.ts'

export function createSearchFold(
  manifest: SearchManifest,
  readRules: (headers: Readonly<Record<string, string>> | undefined) => readonly LimitRule[],
) {
  const { options, findLimit } = manifest
  const account = createAccount()
  const limitCalls: LimitCall[] = []
  const lost = createCounts()
  let announced: readonly LimitRule[] = []
  return {
    add: (event: JournalEvent): void => {
      account.add(event)
      if (event.kind !== 'result') return
      const { result } = event
      const verdict = callVerdict(result)
      if (verdict === undefined || verdict === 'unknown') lost.add(causeOf(result))
      if (verdict !== undefined)
        limitCalls.push({ sentAt: event.at - event.serviceMs, endedAt: event.at, verdict })
      if (announced.length === 0 && 'headers' in result) announced = readRules(result.headers)
    },
    addLostIntent: account.addLostIntent,
    announced: () => announced,
    progress: (now: number) => ({
      sent: account.counts.sent,
      refused: account.counts.rateLimited,
      inFlight: account.inFlight.size,
      tookMs: Math.max(0, now - (account.totals().firstCallAt ?? now)),
    }),
    /** The reason that is `known` counts if the journal does not record why the search ended. */
    finish: (notes: readonly string[], known: Stop | undefined): LimitReport => {
      const { usage, rateLimited, firstCallAt, ...ended } = account.totals()
      const stop = ended.stop ?? known
      const { finding, faster } = inferLimit(limitCalls)
      const secondRule = findSecondRule(finding, limitCalls, announced)
      const quota = quotaFigures(usage, options.quota)
      const { attempts: sent, certain: accepted } = quota
      const calls = { sent, accepted, refused: rateLimited, lost: sent - accepted - rateLimited }
      const causes = Object.entries(lost.finish()).map(([cause, count]) => `${cause}: ${count}`)
      const quotas = announced.filter(({ windowMs }) => windowMs > MAX_ANNOUNCED_MS)
      return {
        formatVersion: 2,
        run: describeRun(manifest, ended),
        state: stateAfter(stop),
        ...judgeSearch(stop, finding, secondRule, findLimit.budget),
        search: findLimit,
        calls,
        quota,
        tookMs: firstCallAt === undefined ? null : (ended.lastAt ?? firstCallAt) - firstCallAt,
        finding,
        secondRule,
        faster,
        warnings: [
          ...notedWarnings(manifest, notes),
          ...(causes.length > 0
            ? [
                makeMessage(
                  'search-lost',
                  `Calls that show nothing about the limit: ${digits(calls.lost)} (${listNames(causes)}).`,
                ),
              ]
            : []),
          ...(quotas.length > 0
            ? [
                makeMessage(
                  'search-quota',
                  `Announced, and too long to wait out: ${listNames(quotas.map(limitRuleText))}.`,
                ),
              ]
            : []),
        ],
      }
    },
  }
}

const causeOf = (result: AttemptResult): string =>
  [statusOf(result) ?? (result.kind === 'network' ? '' : result.kind), errorCodeOf(result) ?? '']
    .filter((part) => part !== '')
    .join(' ')

function judgeSearch(
  stop: Stop | undefined,
  finding: LimitFinding,
  secondRule: SecondRule,
  budget: number,
): Pick<LimitReport, 'verdict' | 'exitCode' | 'reason'> {
  const ranOut = stop?.kind === 'budget' || stop?.kind === 'timeUp'
  const upToMs = secondRule.ruledOutToMs ?? 0
  const isFound = 'confidence' in finding
  // The search stopped as done before the last answers came, so medium confidence is enough then.
  const isKnown = isFound && (stop?.kind === 'done' || (ranOut && finding.confidence === 'high'))
  if (isKnown && isRuledOut(secondRule))
    return {
      verdict: 'known',
      exitCode: 0,
      reason:
        `the limit is known with ${finding.confidence} confidence; no second ` +
        `rule up to ${duration(upToMs)}`,
    }
  if (stop?.kind === 'done' && finding.kind === 'none-met')
    return {
      verdict: 'unmet',
      exitCode: 0,
      reason: `none of ${digits(budget)} calls was refused; raise --max-calls to look for a higher limit`,
    }
  const { exitCode, reasons } = endedBy(stop?.kind === 'done' ? { kind: 'budget', maxCalls: budget } : stop)
  const doubts: Message[] = []
  if (isFound && finding.explained < 1)
    doubts.push(
      makeMessage(
        'search-unexplained',
        `the limit found explains ${percent(finding.explained)} of the calls: ` +
          `there may be a second, longer rule`,
      ),
    )
  else if (isFound && !isRuledOut(secondRule))
    doubts.push(
      makeMessage(
        'search-second-rule',
        `no second rule up to ${duration(upToMs)} was found, and ${duration(secondRule.neededMs)} must be ` +
          'ruled out; raise --max-calls or --duration',
      ),
    )
  return { verdict: 'unknown', exitCode, reason: joinReasons([...reasons, ...doubts]) }
}
