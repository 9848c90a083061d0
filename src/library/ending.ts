// What ends one session alone: a lost limiter, a folder that was taken over, or a fault of ours outside of a call.
import type { Stop } from '../domain/stop.ts'
import { type Limiter, StoreError } from '../pace/limiter.ts'
import { stopOfError } from '../runner/stops.ts'
import type { Lock } from '../store/lock.ts'
import { messageOf } from '../options/faults.ts'

export type Ending = ReturnType<typeof createEnding>

/** Redis's own words; any other error is ours. */
const stopOfLost = (error: unknown): Stop =>
  error instanceof StoreError
    ? { kind: 'limiterLost', reason: `${error.message}; sending stopped` }
    : stopOfError(error)

/** `signal` ends the session as an interruption does; `stopOf` gives the reason. */
export function createEnding(limiter: Pick<Limiter, 'lost'>, lock: Pick<Lock, 'lost'>) {
  const broken = new AbortController()
  const causes: readonly (readonly [AbortSignal | undefined, (reason: unknown) => Stop])[] = [
    [limiter.lost, stopOfLost],
    [lock.lost, (reason) => ({ kind: 'storage', message: messageOf(reason) })],
    [broken.signal, stopOfError],
  ]
  return {
    signal: AbortSignal.any(causes.flatMap(([signal]) => signal ?? [])),
    /** `stop`: as the sender gives it; `signal`: ends all sessions. */
    stopOf: (stop: Stop, signal: AbortSignal): Stop => {
      const [own, reasonOf] = causes.find(([one]) => one?.aborted) ?? []
      return stop.kind === 'interrupted' && !signal.aborted ? (reasonOf?.(own?.reason) ?? stop) : stop
    },
    /** For what a timer calls: an error there would end the process, and with it the other sessions. */
    guard: (act: () => void): void => {
      try {
        act()
      } catch (error) {
        broken.abort(error)
      }
    },
  }
}
