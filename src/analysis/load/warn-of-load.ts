// What a reader of a load test's figures must be warned of.
import type { LoadFigures } from '../../domain/load.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { several, warnOfEndpoint } from '../endpoint-warnings.ts'

/** Fewer answers than these do not show the 99th percentile. */
const FEWEST_FOR_P99 = 1000
/** Calls that leave later than this make the response time the load generator's own. */
const MOST_LAG_MS = 50

/** `lost`: attempts whose records cannot be read. `restarts`: threads asked again from their start. `begun`: turns asked without an outcome. */
export function warnOfLoad(
  figures: LoadFigures,
  { options, load }: Manifest,
  { lost, restarts, begun }: { readonly lost: number; readonly restarts: number; readonly begun: number },
): string[] {
  const { turns, dropped, offered, serviceMs, sendLagMs } = figures
  return [
    ...(sendLagMs.p99 !== null && sendLagMs.p99 > MOST_LAG_MS
      ? [
          `send lag p99 is ${Math.round(sendLagMs.p99)} ms, above ${MOST_LAG_MS} ms: this machine sent calls late, and response times contain that; offer less, or use another machine`,
        ]
      : []),
    ...(dropped.threads > 0
      ? [
          `${dropped.threads} of ${several(offered.threads, 'thread was', 'threads were')} due and not sent, as ${load?.maxInFlight ?? 0} calls were in flight (--max-in-flight): ` +
            'the endpoint got less than was offered, and the figures are of what it got',
        ]
      : []),
    ...(serviceMs.count > 0 && serviceMs.count < FEWEST_FOR_P99
      ? [
          `of ${several(serviceMs.count, 'answer', 'answers')} the 99th percentile is made by the slowest few: take it as a hint`,
        ]
      : []),
    ...warnOfEndpoint(figures, options),
    ...(begun > 0
      ? [
          `${several(begun, 'turn was', 'turns were')} begun and ${begun === 1 ? 'has' : 'have'} no outcome: the test ended before`,
        ]
      : []),
    ...(turns.notAsked > begun
      ? [
          `${several(turns.notAsked - begun, 'turn', 'turns')} of threads that were started ${turns.notAsked - begun === 1 ? 'was' : 'were'} never asked: the test ended before`,
        ]
      : []),
    ...(restarts > 0
      ? [
          `${several(restarts, 'thread was', 'threads were')} asked again from the start: the turns count each time they were asked`,
        ]
      : []),
    ...(lost > 0
      ? [
          `${several(lost, 'attempt stands', 'attempts stand')} in lines of the journal that cannot be read: counted as possible usage`,
        ]
      : []),
  ]
}
