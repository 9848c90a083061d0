// A program's way to stop a run: an AbortSignal in the place of Ctrl-C.
import { setMaxListeners } from 'node:events'
import type { SignalWatch } from '../cli/signals.ts'

/** As much of an AbortSignal as a run needs; any AbortSignal is one. */
export interface StopSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Calls in flight get so long to come back, as after Ctrl-C. */
const GRACE_MS = 30_000

export function watchAbort(signal: StopSignal | undefined): SignalWatch {
  const [stop, abandon] = [new AbortController(), new AbortController()]
  // Every call in flight listens to them.
  setMaxListeners(0, stop.signal, abandon.signal)
  let graceOver: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    if (stop.signal.aborted) return
    stop.abort('caller')
    graceOver = setTimeout(() => abandon.abort('caller'), GRACE_MS)
    graceOver.unref()
  }
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  return {
    stop: stop.signal,
    abandon: abandon.signal,
    // The caller gets its reports.
    asked: () => clearTimeout(graceOver),
    end: () => {
      clearTimeout(graceOver)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
