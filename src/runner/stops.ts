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

/** What became of the attempt, with the endpoint's own code and words. */
export function wordsOf(observation: Observation, result: AttemptResult): string {
  if (result.kind !== 'rejection') return observation.kind === 'failed' ? observation.cause : result.kind
  const { code, message } = result.error
  return [String(result.httpStatus), ...(code === undefined ? [] : [code]), message].join(' ').slice(0, 300)
}
