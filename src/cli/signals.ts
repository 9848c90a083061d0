// Ctrl-C and SIGTERM: before the asking they end the process; then the first stops politely, the second stops now; while
// the reports are written the first waits for them, the second does not.
import { setMaxListeners } from 'node:events'
import type { RunnerSignals } from '../runner/run.ts'
import { say } from './output.ts'

export interface SignalWatch extends RunnerSignals {
  /** All calls have come back; what is left is to write the reports: `end` ends the process before they are. */
  asked(end: (signal: Signal) => never): void
  /** Back to Node's own handling. */
  end(): void
}

/** Calls in flight get so long to come back: a person can press once more, … */
const GRACE_MS = { SIGINT: 30_000, SIGTERM: 8000, SIGHUP: 8000 }
// … and who sends SIGTERM usually kills after ten seconds; a closed terminal (SIGHUP) is treated alike.

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type Signal = (typeof SIGNALS)[number]

/** Until `watchSignals`: the process ends as it would by itself, and says that it has cost nothing. Once is enough. */
export function watchBeginning(): void {
  if (process.listeners('SIGINT').includes(endUnasked)) return
  for (const signal of SIGNALS) process.on(signal, endUnasked)
}

function endUnasked(signal: NodeJS.Signals): void {
  say(`\n${signal}: nothing was asked`)
  endBeginning()
  process.kill(process.pid, signal)
}

function endBeginning(): void {
  for (const signal of SIGNALS) process.off(signal, endUnasked)
}

export function watchSignals(): SignalWatch {
  let graceOver: NodeJS.Timeout | undefined
  let endNow: ((signal: Signal) => never) | undefined
  let isWaitedFor = false
  const stop = new AbortController()
  const abandon = new AbortController()
  // Every call in flight listens to them.
  setMaxListeners(0, stop.signal, abandon.signal)
  const onSignal = (signal: Signal): void => {
    if (endNow !== undefined) {
      if (isWaitedFor) endNow(signal)
      isWaitedFor = true
      say(`\n${signal}: every answer is recorded; the reports are being written (once more: stop now)`)
      return
    }
    if (!stop.signal.aborted) {
      const ms = GRACE_MS[signal]
      say(
        `\n${signal}: nothing more is sent; calls in flight have ${ms / 1000} s, then they are recorded as ambiguous (once more: stop now)`,
      )
      stop.abort(signal)
      graceOver = setTimeout(() => abandon.abort(signal), ms)
      // It must not keep a process alive that is done.
      graceOver.unref()
      return
    }
    say(`\n${signal}: stopping now; calls in flight are recorded as ambiguous`)
    abandon.abort(signal)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  // Only now: without a listener a signal would end the process without a word.
  endBeginning()
  return {
    stop: stop.signal,
    abandon: abandon.signal,
    asked: (endUnreported) => {
      clearTimeout(graceOver)
      endNow = endUnreported
    },
    end: () => {
      clearTimeout(graceOver)
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
