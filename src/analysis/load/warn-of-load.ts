// What a reader of a load test's figures must be warned of.
import type { GeneratorHealth } from '../../domain/load/generator-health.ts'
import type { LoadFigures } from '../../domain/load/load-report.ts'
import type { Manifest } from '../../domain/manifest.ts'

/** Above this share of answers, a status that is not a success deserves a word. */
const ODD_STATUS_SHARE = 0.01
/** Fewer answers than these do not show the 99th percentile. */
const FEWEST_FOR_P99 = 1000

/** `lost`: attempts whose records cannot be read. `restarts`: threads asked again from their start. `begun`: turns asked without an outcome. */
export function warnOfLoad(
  { turns, status, contextSource, quota, dropped, offered, serviceMs }: LoadFigures,
  { options, load }: Manifest,
  { limited }: Pick<GeneratorHealth, 'limited'>,
  { lost, restarts, begun }: { readonly lost: number; readonly restarts: number; readonly begun: number },
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
          `${dropped.threads} of ${several(offered.threads, 'thread was', 'threads were')} due and not sent, as ${load?.maxInFlight ?? 0} calls were in flight (--max-in-flight): ` +
            'the endpoint got less than was offered, and the figures are of what it got',
        ]
      : []),
    ...(serviceMs.count > 0 && serviceMs.count < FEWEST_FOR_P99
      ? [
          `of ${several(serviceMs.count, 'answer', 'answers')} the 99th percentile is made by the slowest few: take it as a hint`,
        ]
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
          `${several(turns.contextLost, 'turn lost its', 'turns lost their')} context: the endpoint returned another conversationId than was sent ` +
            '(--rotating-ids if it does so each turn); left out of coverage',
        ]
      : []),
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
    ...(quota.notCounted > 0 && !options.countRejected
      ? [
          `${several(quota.notCounted, 'attempt was refused or never arrived and is taken', 'attempts were refused or never arrived and are taken')} as not counted toward the quota; ` +
            'that is an assumption (--count-rejected drops it)',
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

const several = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
