// How the endpoint stood a load test, in one word: what the first sentence of every report says.
import type { LoadReport } from '../domain/load/load-report.ts'

/** A share of threads or calls from which on the test is about that. */
const MATTERS = 0.01

export type LoadJudgement =
  | 'nothingOffered'
  | 'stopped'
  | 'silent'
  | 'generator'
  | 'noRoom'
  | 'dropped'
  | 'behind'
  | 'refused'
  | 'failing'
  | 'closed'
  | 'unknown'
  | 'kept'

type Judged = Pick<
  LoadReport,
  | 'generator'
  | 'state'
  | 'load'
  | 'achieved'
  | 'serviceMs'
  | 'dropped'
  | 'pacing'
  | 'errors'
  | 'turns'
  | 'offered'
  | 'keepingUp'
>

/** Nothing is said of an endpoint that this machine could not load; else the largest share that matters is named. */
export function judgementOf(report: Judged): LoadJudgement {
  const { generator, dropped, pacing, errors, turns, offered, keepingUp, achieved, state, load } = report
  if (offered.threads === 0) return 'nothingOffered'
  if (generator.limited) return 'generator'
  // Calls that the harness gave up are not among those that ended.
  if (achieved.calls === 0 && state !== 'complete' && dropped.threads === 0) return 'stopped'
  if (turns.answered === 0) return 'silent'
  const shares = [
    ['failing', errors.rate ?? 0],
    ['refused', pacing.rate429 ?? 0],
    [hasRoom(report) ? 'dropped' : 'noRoom', dropped.rate ?? 0],
    ['behind', keepingUp?.verdict === 'behind' ? 1 - (keepingUp.ended ?? 0) / (keepingUp.due ?? 1) : 0],
  ] as const
  const [worst, share] = shares.reduce((most, one) => (one[1] > most[1] ? one : most))
  if (share > MATTERS) return worst
  // Users who wait for their answers ask less of a slower endpoint: it cannot fall behind them.
  if (load.model.kind === 'closed') return 'closed'
  return keepingUp?.verdict === 'unknown' ? 'unknown' : 'kept'
}

/**
 * Whether `--max-in-flight` could carry what was offered. By Little's law (L = λW) the turns due a second times how long one
 * takes are in flight; the time is that of answers in the quickest tenth of the test, where that is known and shorter than
 * the median: a saturated endpoint fills any room, and is not excused by it.
 */
function hasRoom({ offered, turns, achieved, serviceMs, keepingUp, load }: Judged): boolean {
  const turnsOfThread =
    achieved.threads === 0 ? 1 : Math.max(1, (turns.total - turns.skipped) / achieved.threads)
  const seconds = Math.min(serviceMs.p50 ?? 0, keepingUp?.quickestMs ?? Number.POSITIVE_INFINITY) / 1000
  return (offered.rate ?? 0) * turnsOfThread * seconds <= load.maxInFlight
}
