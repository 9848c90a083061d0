// Ctrl-C and SIGTERM: the first stops politely, the second stops now.
import { setMaxListeners } from 'node:events'
import type { RunnerSignals } from '../runner/run.ts'
import { say } from './output.ts'

export interface SignalWatch extends RunnerSignals {
  /** Back to Node's own handling. */
  end(): void
}

export function watchSignals(): SignalWatch {
  const stop = new AbortController()
  const abandon = new AbortController()
  // Every call in flight listens to them.
  setMaxListeners(0, stop.signal, abandon.signal)
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (!stop.signal.aborted) {
      say(`\n${signal}: nothing more is sent; calls in flight are awaited and recorded (once more: stop now)`)
      stop.abort(signal)
      return
    }
    say(`\n${signal}: stopping now; calls in flight are recorded as given up`)
    abandon.abort(signal)
  }
  // A closed terminal (SIGHUP) ends a run as politely as SIGTERM.
  const onHangUp = (): void => onSignal('SIGTERM')
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onHangUp)
  return {
    stop: stop.signal,
    abandon: abandon.signal,
    end: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      process.off('SIGHUP', onHangUp)
    },
  }
}
