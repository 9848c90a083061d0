// The organization's limit from the record of a run, at a price that the end of a run can bear: where calls were refused, and
// with a change of the limit looked for only where one limit does not explain them.
import type { LimitFinding } from '../../domain/limit.ts'
import type { GatheredCalls } from './gather-calls.ts'
import { inferLimit } from './infer.ts'

/** Fewer refusals tell next to nothing. */
export const FEWEST_REFUSALS = 3
/** A change is looked for in so many calls, the latest: it takes some ten times as long as a limit that stays. */
const MOST_WITH_CHANGE = 1000

/**
 * Null where fewer than three calls were refused. Pure, and some 40 to 500 milliseconds of computing; up to some seconds where
 * calls that waited long are read one by one.
 */
export function findLimitInRecord({ seen, wallAtZero, calls, refusals }: GatheredCalls): LimitFinding | null {
  if (refusals < FEWEST_REFUSALS) return null
  const one = inferLimit(seen, wallAtZero, { mayChange: false })
  if (one.reasons.includes('model-fits-badly')) {
    const changed = inferLimit(seen.slice(-MOST_WITH_CHANGE), wallAtZero, { mayChange: true })
    if (changed.evidence.changedAtMs !== null) return changed
  }
  return withWholeRecord(one, calls, refusals)
}

/** What was forgotten on the way was a part of the record, too. */
function withWholeRecord(finding: LimitFinding, calls: number, refusals: number): LimitFinding {
  const { evidence, reasons } = finding
  const isPart = evidence.callsUsed < calls / 2 && !reasons.includes('part-of-record-used')
  return {
    ...finding,
    reasons: isPart ? [...reasons, 'part-of-record-used'] : reasons,
    evidence: { ...evidence, calls, refusals },
  }
}
