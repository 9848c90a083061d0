// What runs and load tests both warn of: an endpoint that names things otherwise than was said, and what is assumed of the quota.
import { digits } from '../domain/text.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Figures } from '../domain/summary.ts'

/** Above this share of answers, a status that is not a success deserves a word. */
const ODD_STATUS_SHARE = 0.01
/** An endpoint may have a status for each answer. */
const MOST_STATUSES = 10

export function warnOfEndpoint(
  {
    turns,
    status,
    contextSource,
    quota,
  }: Pick<Figures, 'status' | 'contextSource' | 'quota'> & {
    readonly turns: Pick<Figures['turns'], 'answered' | 'contextLost'>
  },
  { groundedSources }: Pick<Manifest['options'], 'groundedSources'>,
): string[] {
  const odd = Object.entries(status).filter(([value]) => value !== 'success')
  const oddCount = odd.reduce((sum, [, count]) => sum + count, 0)
  const isGrounding = Object.keys(contextSource).some((value) => groundedSources.includes(value))
  return [
    ...(turns.answered > 0 && oddCount / turns.answered > ODD_STATUS_SHARE
      ? [
          `${digits(oddCount)} of ${digits(turns.answered)} answers carry a status other than success: ` +
            odd
              .slice(0, MOST_STATUSES)
              .map(([value, count]) => `${value} ${digits(count)}`)
              .join(', '),
        ]
      : []),
    ...(turns.answered > 0 && !isGrounding
      ? [
          `no answer carries the source ${groundedSources.join(', ')}: if your endpoint names its ` +
            'knowledge base otherwise, say so with --grounded-sources',
        ]
      : []),
    ...(turns.contextLost > 0
      ? [
          `${several(turns.contextLost, 'turn lost its', 'turns lost their')} context: the endpoint returned another conversationId than was sent ` +
            '(--rotating-ids if it does so each turn); left out of coverage',
        ]
      : []),
    ...(quota.notCounted > 0
      ? [
          `${several(quota.notCounted, 'attempt was refused or never arrived and is', 'attempts were refused or never arrived and are')} taken as not counted toward the quota; ` +
            'that is an assumption',
        ]
      : []),
  ]
}

export const several = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`
