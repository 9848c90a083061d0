// The verdict of a load test: what is printed and what the process exits with come from here alone.
import { digits } from '../../domain/text.ts'
import type { ThresholdResult } from '../../domain/gate.ts'
import { LOAD_METRICS, type LoadFigures, type LoadReport } from '../../domain/load.ts'
import { describeInterruption, exitCodeOfInterruption, type Stop } from '../../domain/stop.ts'
import { storageAilment } from '../../domain/storage-error.ts'
import { evaluate } from '../gates/evaluate.ts'
import { parseThresholdOf, type ParsedThreshold, type Threshold } from '../gates/expression.ts'
import { ratio } from '../turns.ts'
import { describeGivingUp } from '../verdict.ts'

export const parseLoadThreshold = (text: string): ParsedThreshold =>
  parseThresholdOf({ metrics: LOAD_METRICS, file: 'load.json' }, text)

type LoadVerdict = Pick<LoadReport, 'verdict' | 'exitCode' | 'reason'>

/**
 * Without a threshold on `errors` every failed turn fails the test, but for those that the rate limit
 * refused: a load test is there to meet the limit. Dropped threads fail only a threshold on them; they are warned of.
 * Expectations are not graded under load. A test that was ended early is judged by nothing; one without thresholds that nothing
 * failed is done, not passed. `quotaCodes`: codes of 429s that are named after a quota.
 */
export function judgeLoad(
  stop: Stop | undefined,
  figures: LoadFigures,
  expressions: readonly string[],
  quotaCodes: readonly string[],
): LoadVerdict & { readonly thresholds: ThresholdResult[] } {
  const parsed = expressions.map((expression) => ({ expression, parsed: parseLoadThreshold(expression) }))
  const known = parsed.flatMap(({ parsed: one }) => (one.kind === 'threshold' ? [one.threshold] : []))
  const thresholds = known.map((threshold) => evaluate(threshold, figures))
  // A gate that is not understood must not pass: it may come from another version.
  const unread = parsed.flatMap(({ expression, parsed: one }) =>
    one.kind === 'fault' ? [`${expression}: cannot be read: it ${one.reason}`] : [],
  )
  const failed = thresholds
    .filter(({ passed }) => !passed)
    .map(({ expression, reason }) => `${expression}: ${reason}`)
  const reasons = [...failed, ...unread, ...judgeErrors(figures.errors, known)]
  return { thresholds, ...verdictAfter(stop, figures, reasons, quotaCodes, expressions.length > 0) }
}

function judgeErrors({ errors, asked }: LoadFigures['errors'], thresholds: readonly Threshold[]): string[] {
  if (errors === 0 || thresholds.some(({ metric }) => metric.path[0] === 'errors')) return []
  return [`${errors === 1 ? '1 turn failed' : `${errors} turns failed`} of ${asked} asked`]
}

function verdictAfter(
  stop: Stop | undefined,
  { turns, achieved, offered, dropped }: LoadFigures,
  reasons: readonly string[],
  quotaCodes: readonly string[],
  isGated: boolean,
): LoadVerdict {
  const after = `after ${digits(achieved.threads)} of the threads`
  const incomplete = (exitCode: number, reason: string): LoadVerdict => ({
    verdict: 'incomplete',
    exitCode,
    reason,
  })
  switch (stop?.kind) {
    case undefined:
      return incomplete(4, `the process ended before the test did, ${after}`)
    case 'done':
      // What was refused for want of quota was not offered: such a test has neither passed nor failed.
      if (quotaCodes.length > 0)
        return incomplete(4, `the quota seems to be spent: calls were refused (${quotaCodes.join(', ')})`)
      if (reasons.length > 0) return { verdict: 'failed', exitCode: 1, reason: reasons.join('; ') }
      if (turns.answered === 0 && offered.threads > 0)
        return { verdict: 'failed', exitCode: 1, reason: 'no turn was answered' }
      return {
        verdict: isGated ? 'passed' : 'done',
        exitCode: 0,
        reason: reasonWhy({ turns, dropped }, isGated),
      }
    case 'aborted':
      return {
        verdict: 'failed',
        exitCode: 1,
        reason: `ended early, as ${stop.expression} was so: ${stop.reason}`,
      }
    case 'keyRefused':
      return incomplete(
        3,
        `the endpoint refused ${stop.httpStatus === 401 ? 'the key (401)' : 'the scope of the key (403)'}: ${stop.message}`,
      )
    case 'budget':
      return incomplete(4, `the call budget of ${digits(stop.maxCalls)} was used up ${after}`)
    case 'partsMissing':
    case 'timeUp':
      return incomplete(4, `its time was over ${after}`)
    case 'gaveUp':
      return incomplete(4, `gave up ${after}: ${describeGivingUp(stop)}`)
    case 'quotaSpent':
      return incomplete(4, `the quota is spent (${stop.code}), ${after}: ${stop.last}`)
    case 'limiterLost':
      return incomplete(4, `${stop.reason}, ${after}`)
    case 'storage':
      return incomplete(4, `${describeStorage(stop)}, ${after}`)
    case 'interrupted':
      return incomplete(exitCodeOfInterruption(stop), `${describeInterruption(stop)} ${after}`)
    case 'fault':
      return incomplete(5, `a fault of the harness: ${stop.message}`)
  }
}

/** Above this share of turns or threads a test did not get what it was to get. */
const MATTERS = 0.01

/** What it ended well in spite of, the largest share first: no gate asked for it. */
function reasonWhy({ turns, dropped }: Pick<LoadFigures, 'turns' | 'dropped'>, isGated: boolean): string {
  const unanswered = ratio(turns.total - turns.answered, turns.total) ?? 0
  const lost = [
    { share: unanswered, what: `${percent(unanswered)} of the turns were not answered` },
    { share: dropped.rate ?? 0, what: `${percent(dropped.rate ?? 0)} of the threads were dropped` },
  ]
    .filter(({ share }) => share > MATTERS)
    .sort((one, other) => other.share - one.share)
    .map(({ what }) => what)
  const judged = isGated ? 'every gate passed' : 'no threshold was given'
  return [...(lost.length === 0 ? ['the load was offered'] : lost), judged].join('; ')
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`

function describeStorage({ code, message }: Extract<Stop, { kind: 'storage' }>): string {
  return storageAilment(code) === 'full'
    ? `the disk is full (${message})`
    : `the journal cannot be written (${message})`
}
