// What a reader of a load test's figures must be warned of.
import type { GeneratorHealth } from '../../domain/load/generator-health.ts'
import type { LoadFigures } from '../../domain/load/load-report.ts'
import type { Manifest } from '../../domain/manifest.ts'

/** Above this share of answers, a status that is not a success deserves a word. */
const ODD_STATUS_SHARE = 0.01
/** Fewer answers than these do not show the 99th percentile. */
const FEWEST_FOR_P99 = 1000

/** `lost`: attempts whose records cannot be read. `restarts`: threads asked again from their start. */
export function warnOfLoad(
  { turns, status, contextSource, quota, dropped, offered, serviceMs }: LoadFigures,
  { options, load }: Manifest,
  { limited }: Pick<GeneratorHealth, 'limited'>,
  { lost, restarts }: { readonly lost: number; readonly restarts: number },
): string[] {
  const odd = Object.entries(status).filter(([value]) => !options.successStatus.includes(value))
  const oddCount = odd.reduce((sum, [, count]) => sum + count, 0)
  const isGrounding = Object.keys(contextSource).some((value) => options.groundedSources.includes(value))
  return [
    ...(limited
      ? ['the generator was the limit: the figures say what this machine could do, not what the endpoint can']
      : []),
    ...(dropped.threads > 0
      ? [
          `${dropped.threads} of ${offered.threads} threads were due and not sent, as ${load?.maxInFlight ?? 0} calls were in flight (--max-in-flight): ` +
            'the endpoint got less than was offered, and the figures are of what it got',
        ]
      : []),
    ...(serviceMs.count > 0 && serviceMs.count < FEWEST_FOR_P99
      ? [`of ${serviceMs.count} answers the 99th percentile is made by the slowest few: take it as a hint`]
      : []),
    ...(turns.answered > 0 && oddCount / turns.answered > ODD_STATUS_SHARE
      ? [
          `${oddCount} of ${turns.answered} answers carry a status other than ${options.successStatus.join(', ')}: ` +
            `${odd
              .slice(0, 10)
              .map(([value, count]) => `${value} ${count}`)
              .join(', ')} (--success-status names those that are fine)`,
        ]
      : []),
    ...(turns.answered > 0 && !isGrounding
      ? [
          `no answer carries the source ${options.groundedSources.join(', ')}: if your endpoint names its ` +
            'knowledge base otherwise, say so with --grounded-sources',
        ]
      : []),
    ...(turns.contextLost > 0
      ? [
          `${turns.contextLost} turns lost their context: the endpoint returned another conversationId than was sent ` +
            '(--rotating-ids if it does so each turn); they are left out of coverage',
        ]
      : []),
    ...(turns.notAsked > 0
      ? [`${turns.notAsked} turns were begun and have no outcome: the test ended before them`]
      : []),
    ...(quota.notCounted > 0 && !options.countRejected
      ? [
          `${quota.notCounted} attempts were refused or never arrived and are taken as not counted toward the quota; ` +
            'that is an assumption (--count-rejected drops it)',
        ]
      : []),
    ...(restarts > 0
      ? [`${restarts} threads were asked again from their start: their turns count each time they were asked`]
      : []),
    ...(lost > 0
      ? [`${lost} attempts stand in lines of the journal that cannot be read: counted as possible usage`]
      : []),
  ]
}
