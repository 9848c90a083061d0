// Why a sitting stops, from what ended it.
import type { AttemptResult } from '../domain/attempt.ts'
import type { Stop } from '../domain/stop.ts'
import { StorageError } from '../domain/storage-error.ts'
import type { Observation } from '../pace/observation.ts'

export function interruption({ reason }: AbortSignal): Stop {
  const isKnown = reason === 'SIGTERM' || reason === 'SIGHUP' || reason === 'caller'
  return { kind: 'interrupted', signal: isKnown ? reason : 'SIGINT' }
}

export function stopOfError(error: unknown): Stop {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof StorageError)) return { kind: 'fault', message }
  return { kind: 'storage', message, ...(error.code === undefined ? {} : { code: error.code }) }
}

/** What the endpoint says itself tells a spent quota from a rate limit. */
export function wordsOf(
  observation: Observation,
  result: AttemptResult,
): { readonly code: string | undefined; readonly words: string } {
  if (observation.kind === 'failed') return { code: undefined, words: observation.cause }
  if (result.kind !== 'rejection') return { code: undefined, words: result.kind }
  const { code, message } = result.error
  const words = [String(result.httpStatus), ...(code === undefined ? [] : [code]), message].join(' ')
  return { code, words: words.slice(0, 300) }
}
