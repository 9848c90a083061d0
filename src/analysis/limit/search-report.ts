// Folds the journal of a limit search into its report.
import { errorCodeOf, statusOf } from '../../domain/attempt.ts'
import type { JournalEvent } from '../../domain/journal.ts'
import { digits, duration, listNames, makeMessage, plural } from '../../domain/format.ts'
import {
  callVerdict,
  isFoundLimit,
  type LimitCall,
  type LimitRule,
  limitSentence,
} from '../../domain/limit.ts'
import type { LimitReport } from '../../domain/load.ts'
import type { SearchManifest } from '../../options/manifest.ts'
import type { Stop } from '../../domain/stop.ts'
import { createAccount, quotaFigures } from '../figures/account.ts'
import { createCounts } from '../figures/figures.ts'
import { describeRun, notedWarnings } from '../judging/summary.ts'
import { endedBy, joinReasons, stateAfter } from '../judging/verdict.ts'
import { type Inferred, inferLimit } from './infer.ts'

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
      if (verdict === undefined || verdict === 'unknown') {
        const cause = [
          statusOf(result) ?? (result.kind === 'network' ? '' : result.kind),
          errorCodeOf(result),
        ]
        lost.add(cause.filter((part) => part !== '' && part !== undefined).join(' '))
      }
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
      const inferred = inferLimit(limitCalls, announced)
      const quota = quotaFigures(usage, options.quota)
      const { attempts: sent, certain: accepted } = quota
      const calls = { sent, accepted, refused: rateLimited, lost: sent - accepted - rateLimited }
      const causes = Object.entries(lost.finish()).map(([cause, count]) => `${cause}: ${count}`)
      const text = `Calls that show nothing about the limit: ${digits(calls.lost)} (${listNames(causes)}).`
      const lostCalls = causes.length > 0 ? [makeMessage('search-lost', text)] : []
      return {
        formatVersion: 2,
        run: describeRun(manifest, ended),
        state: stateAfter(stop),
        ...judgeSearch(stop, inferred, calls.lost),
        search: findLimit,
        calls,
        quota,
        tookMs: firstCallAt === undefined ? null : (ended.lastAt ?? firstCallAt) - firstCallAt,
        finding: inferred.finding,
        secondRule: inferred.secondRule,
        faster: inferred.faster,
        warnings: [...notedWarnings(manifest, notes), ...lostCalls],
      }
    },
  }
}

const LONGER = 'raise --max-calls or --duration'

function judgeSearch(
  stop: Stop | undefined,
  { finding, secondRule, doubt }: Inferred,
  lost: number,
): Pick<LimitReport, 'verdict' | 'exitCode' | 'reason'> {
  const upTo = `no second rule up to ${duration(secondRule.ruledOutToMs ?? 0)}`
  const ranOut = stop?.kind === 'budget' || stop?.kind === 'timeUp'
  if (doubt === undefined && (stop?.kind === 'done' || ranOut)) {
    const reason = `a rate slightly above was refused, one slightly below was not; ${upTo}`
    return { verdict: 'known', exitCode: 0, reason }
  }
  if (stop?.kind === 'done' && finding.kind === 'none-met') {
    const failed = lost === 0 ? '' : `, but ${digits(lost)} failed: a limit may be said so`
    const reason =
      `none of ${plural(finding.calls, 'call')} was refused${failed}; ` +
      'raise --max-calls to look for a higher one'
    return { verdict: 'unmet', exitCode: 0, reason }
  }
  const { exitCode, reasons } = stop?.kind === 'done' ? { exitCode: 4, reasons: [] } : endedBy(stop)
  const needed = `${duration(secondRule.neededMs)} must be ruled out; ${LONGER}`
  const missing = isFoundLimit(finding)
    ? makeMessage('search-second-rule', `${upTo} was found, and ${needed}`)
    : makeMessage('search-unknown', `the limit is ${limitSentence(finding)}${ranOut ? `; ${LONGER}` : ''}`)
  return { verdict: 'unknown', exitCode, reason: joinReasons([...reasons, missing]) }
}
