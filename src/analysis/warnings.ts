// What a reader of a run's figures must be warned of.
import type { Manifest } from '../domain/manifest.ts'
import type { Figures } from '../domain/summary.ts'
import type { RunIndex } from './run-index.ts'

/** Above this share of answers, a status that is not a success deserves a word. */
const ODD_STATUS_SHARE = 0.01

export function warnOf(
  figures: Figures,
  { options }: Manifest,
  { attemptsLost, usageElsewhere }: RunIndex<unknown>,
): string[] {
  const { turns, status, contextSource, quota } = figures
  const odd = Object.entries(status).filter(([value]) => !options.successStatus.includes(value))
  const oddCount = odd.reduce((sum, [, count]) => sum + count, 0)
  const { certain, possible, notCounted } = usageElsewhere
  const left = certain + possible + notCounted - attemptsLost
  const isGrounding = Object.keys(contextSource).some((value) => options.groundedSources.includes(value))
  return [
    ...(turns.answered > 0 && oddCount / turns.answered > ODD_STATUS_SHARE
      ? [
          `${oddCount} of ${turns.answered} answers carry a status other than ${options.successStatus.join(', ')}: ` +
            `${odd.map(([value, count]) => `${value} ${count}`).join(', ')} (--success-status names those that are fine)`,
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
          `${turns.contextLost === 1 ? '1 turn lost its' : `${turns.contextLost} turns lost their`} context: the endpoint returned another conversationId than was sent ` +
            '(--rotating-ids if it does so each turn); they are left out of coverage',
        ]
      : []),
    ...(quota.notCounted > 0 && !options.countRejected
      ? [
          `${quota.notCounted === 1 ? '1 attempt was refused or never arrived and is' : `${quota.notCounted} attempts were refused or never arrived and are`} taken as not counted toward the quota; ` +
            'that is an assumption (--count-rejected drops it)',
        ]
      : []),
    ...(attemptsLost > 0
      ? [
          `${attemptsLost === 1 ? '1 attempt stands' : `${attemptsLost} attempts stand`} in lines of the journal that cannot be read: ` +
            'counted as possible usage, though results.csv has no row for them',
        ]
      : []),
    ...(left > 0
      ? [
          `${left === 1 ? '1 attempt went' : `${left} attempts went`} to questions that have left the set since: ` +
            'the account counts them, though results.csv has no row for them',
        ]
      : []),
  ]
}
