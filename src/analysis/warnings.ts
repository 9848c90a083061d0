// What a reader of a run's figures must be warned of.
import { digits } from '../domain/text.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Figures } from '../domain/summary.ts'
import { several, warnOfEndpoint } from './endpoint-warnings.ts'
import type { Model } from './fold.ts'

export function warnOf(
  figures: Figures,
  { options }: Manifest,
  { attemptsLost, attemptsBeside, restarts }: Model<unknown>,
): string[] {
  return [
    ...warnOfEndpoint(figures, options),
    ...warnOfRestarts(restarts),
    ...(attemptsLost > 0
      ? [
          `${several(attemptsLost, 'attempt stands', 'attempts stand')} in lines of the journal that cannot be read: ` +
            'counted as possible usage, though results.csv has no row for them',
        ]
      : []),
    ...(attemptsBeside > 0
      ? [`attempts that the account counts and results.csv has no row for: ${digits(attemptsBeside)}`]
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
  const parts = [...byWords].map(([words, count]) => `${digits(count)} ${words}`)
  return [
    // A thread may be asked again in each sitting.
    `${total === 1 ? '1 thread was asked again' : `Threads were asked again ${digits(total)} times`} from the start: ${parts.join(', ')}; ` +
      'the account counts every attempt, results.csv shows the last answers',
  ]
}
