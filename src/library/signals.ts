// What ends sending early for all sessions of a job: the caller's signals.
import { setMaxListeners } from 'node:events'

/** Limits the wait for calls in flight; a supervisor that sends SIGTERM usually kills after ten seconds. */
const GRACE_MS = { patient: 30_000, short: 8000 }

export interface StopSignals {
  /** Stops sending; calls in flight have 30 s to return (8 s where the reason is SIGTERM or SIGHUP). */
  readonly signal?: AbortSignal | undefined
  /** Gives up calls in flight as well; they are recorded as ambiguous. */
  readonly abandon?: AbortSignal | undefined
}

/** Makes the signals of all sessions of a job. `end` removes the listeners from the caller's signals. */
export function watchSignals({ signal, abandon }: StopSignals) {
  const [stop, giveUp] = [new AbortController(), new AbortController()]
  // Every target's client adds a listener.
  setMaxListeners(0, giveUp.signal)
  let timer: NodeJS.Timeout | undefined
  const onStop = (): void => {
    if (stop.signal.aborted) return
    const reason: unknown = signal?.reason
    stop.abort(typeof reason === 'string' && reason.startsWith('SIG') ? reason : 'caller')
    const isShort = reason === 'SIGTERM' || reason === 'SIGHUP'
    timer = setTimeout(() => giveUp.abort(), isShort ? GRACE_MS.short : GRACE_MS.patient).unref()
  }
  const onAbandon = (): void => giveUp.abort()
  signal?.addEventListener('abort', onStop)
  abandon?.addEventListener('abort', onAbandon)
  return {
    stop: stop.signal,
    abandon: giveUp.signal,
    end: (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onStop)
      abandon?.removeEventListener('abort', onAbandon)
    },
  }
}

export function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): void {
  if (signal?.aborted === true) act(signal.reason)
  else signal?.addEventListener('abort', () => act(signal.reason), { once: true })
}
