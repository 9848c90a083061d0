// Whether a search for the limit has ended well: what is printed and what the process exits with come from here alone.
import { digits } from '../../domain/text.ts'
import type { CallSeen, LimitFinding } from '../../domain/limit.ts'
import type { FindLimitSettings, LimitReport } from '../../domain/load.ts'
import { describeInterruption, exitCodeOfInterruption, type Stop } from '../../domain/stop.ts'
import { describeGivingUp } from '../verdict.ts'

export type SearchVerdict = Pick<LimitReport, 'verdict' | 'exitCode' | 'reason'>

/** So many refusals at the very end are another limit's, which was not found. */
const ANOTHERS = 8

/** `isNarrow`: whether the finding is close enough; a search may know by its last call what it did not know before. */
export function judgeSearch(
  stop: Stop | undefined,
  { finding, isNarrow, seen }: { finding: LimitFinding; isNarrow: boolean; seen: readonly CallSeen[] },
  { budget, maxMs }: FindLimitSettings,
): SearchVerdict {
  const unknown = (exitCode: number, reason: string): SearchVerdict => ({
    verdict: 'unknown',
    exitCode,
    reason,
  })
  const late = (what: string): SearchVerdict =>
    isNarrow && !seen.slice(-ANOTHERS).every(({ refused }) => refused)
      ? known(` by the time ${what}`)
      : unknown(4, `${what} before the limit was known closely`)
  switch (stop?.kind) {
    case undefined:
      return unknown(4, 'the process ended before the search did')
    case 'done':
      if (finding.kind !== 'none-met') return known('')
      return {
        verdict: 'unmet',
        exitCode: 0,
        reason: `none of the ${digits(budget)} calls was refused; a limit above that rate (--max-rate), or of more calls (--max-calls), may yet be there`,
      }
    case 'budget':
      return late(`the ${digits(budget)} calls (--max-calls) were used up`)
    case 'partsMissing':
    case 'timeUp':
      return late(`the time (${maxMs / 1000} s, --duration) was over`)
    case 'keyRefused': {
      const what = stop.httpStatus === 401 ? 'the key (401)' : 'the scope of the key (403)'
      return unknown(3, `the endpoint refused ${what}: ${stop.message}`)
    }
    case 'gaveUp':
      return unknown(4, `gave up: ${describeGivingUp(stop)}`)
    case 'quotaSpent':
      return unknown(4, `the quota is spent (${stop.code}): ${stop.last}`)
    case 'limiterLost':
      return unknown(4, stop.reason)
    case 'aborted':
      return unknown(4, `ended early: ${stop.reason}`)
    case 'storage':
      return unknown(4, `the disk no longer took the journal (${stop.message})`)
    case 'interrupted':
      return unknown(exitCodeOfInterruption(stop), describeInterruption(stop))
    case 'fault':
      return unknown(5, `a fault of the harness: ${stop.message}`)
  }
}

const known = (when: string): SearchVerdict => ({
  verdict: 'known',
  exitCode: 0,
  reason: `the organization's limit is known${when}`,
})
