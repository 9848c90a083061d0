// Folds the journal of a limit search into its report. `load` and `report` use it.
import type { LimitFinding } from '../../domain/limit.ts'
import type { FindLimitSettings, LimitReport } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { message } from '../../domain/messages.ts'
import type { Stop } from '../../domain/stop.ts'
import { quotaFigures } from '../quota.ts'
import { createRecordTally } from '../record-tally.ts'
import { describeRun } from '../summary.ts'
import { judgeStop, stateAfter } from '../verdict.ts'
import { notedWarnings } from '../warnings.ts'
import { inferLimit } from './infer.ts'

export type SearchManifest = Manifest & { readonly findLimit: FindLimitSettings }

export function createSearchFold(manifest: SearchManifest) {
  const { options, findLimit } = manifest
  const tally = createRecordTally()
  return {
    add: tally.add,
    addLostIntent: tally.addLostIntent,
    /** `known`: why the search ended, if the journal does not record it. */
    finish: (notes: readonly string[], known: Stop | undefined): LimitReport => {
      const { usage, rateLimited, limitCalls, firstCallAt, ...ended } = tally.finish()
      const stop = ended.stop ?? known
      const { latest, ...counts } = limitCalls
      const { finding } = inferLimit(latest, counts)
      const quota = quotaFigures(usage, options.quota)
      const { attempts: sent, certain: accepted } = quota
      return {
        formatVersion: 2,
        run: describeRun(manifest, ended),
        state: stateAfter(stop),
        ...judgeSearch(stop, finding, findLimit.budget),
        search: findLimit,
        calls: { sent, accepted, refused: rateLimited, lost: sent - accepted - rateLimited },
        quota,
        tookMs: firstCallAt === undefined ? null : (ended.lastAt ?? firstCallAt) - firstCallAt,
        finding,
        warnings: notedWarnings(manifest, notes),
      }
    },
  }
}

/** The only place that decides the verdict and exit code of a limit search. */
function judgeSearch(
  stop: Stop | undefined,
  finding: LimitFinding,
  budget: number,
): Pick<LimitReport, 'verdict' | 'exitCode' | 'reason'> {
  const ranOut = stop?.kind === 'budget' || stop?.kind === 'timeUp'
  // The search stopped as done before the last answers came, so medium confidence is enough then.
  if ('confidence' in finding && (stop?.kind === 'done' || (ranOut && finding.confidence === 'high')))
    return { verdict: 'known', exitCode: 0, reason: message('search-known', finding).text }
  if (stop?.kind === 'done' && finding.kind === 'none-met')
    return { verdict: 'unmet', exitCode: 0, reason: message('search-unmet', { budget }).text }
  const { exitCode, reason } = judgeStop(stop?.kind === 'done' ? { kind: 'budget', maxCalls: budget } : stop)
  return { verdict: 'unknown', exitCode, reason: reason.text }
}
