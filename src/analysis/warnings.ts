// What a reader of a run's figures must be warned of.
import type { Manifest } from '../domain/manifest.ts'
import type { Figures } from '../domain/summary.ts'
import type { RunIndex } from './run-index.ts'

/** Above this share of answers, a status that is not a success deserves a word. */
const ODD_STATUS_SHARE = 0.01

export function warnOf(
  figures: Figures,
  { options }: Manifest,
  { attemptsLost, usageElsewhere, restarts }: RunIndex<unknown>,
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
    ...warnOfRestarts(restarts),
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

/** Causes as the journal has them, in words; others stand as they are. */
const CAUSES: Readonly<Record<string, string>> = {
  timeout: 'after a call that may have been processed',
  server_error: 'after a call that may have been processed',
  network_error: 'after a call that may have been processed',
  'the endpoint has forgotten the conversation': 'since the endpoint had forgotten the conversation',
  'the set has changed': 'since the order or text of what was asked had changed',
  'resumed after an attempt without a result': 'after a call that was under way when the process died',
  'the journal has lost a turn of the thread': 'since the journal had lost one of their turns',
  'asked again after an error': 'by --retry-errors',
}

function warnOfRestarts(restarts: ReadonlyMap<string, number>): string[] {
  const byWords = new Map<string, number>()
  for (const [cause, count] of restarts) {
    const words = CAUSES[cause] ?? cause
    byWords.set(words, (byWords.get(words) ?? 0) + count)
  }
  const total = [...restarts.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return []
  const parts = [...byWords].map(([words, count]) => `${count} ${words}`)
  return [
    `${total === 1 ? '1 thread was' : `${total} threads were`} asked again from the start: ${parts.join(', ')}; ` +
      'the account counts every attempt, results.csv shows the last answers',
  ]
}
