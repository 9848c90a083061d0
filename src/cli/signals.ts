// Ctrl-C and SIGTERM: before the asking they end the process; then the first stops politely, the second stops now; while
// the reports are written the first waits for them, the second does not.
import { setMaxListeners } from 'node:events'
import { exitCodeOfInterruption } from '../domain/stop.ts'
import type { RunnerSignals } from '../runner/run.ts'
import { say } from './output.ts'
import type { RunFolder } from './run-folder.ts'
import { shellWord } from './shell-word.ts'
import { removeOwnTemporaries } from './stale-temporaries.ts'

export interface SignalWatch extends RunnerSignals {
  /** All calls have come back; what is left is to write the reports, in these folders. */
  asked(folders: readonly RunFolder[]): void
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
  let reporting: readonly RunFolder[] | undefined
  let isWaitedFor = false
  const stop = new AbortController()
  const abandon = new AbortController()
  // Every call in flight listens to them.
  setMaxListeners(0, stop.signal, abandon.signal)
  const onSignal = (signal: Signal): void => {
    if (reporting !== undefined) {
      if (isWaitedFor) endUnreported(signal, reporting)
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
    asked: (folders) => {
      clearTimeout(graceOver)
      reporting = folders
    },
    end: () => {
      clearTimeout(graceOver)
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}

function endUnreported(signal: Signal, folders: readonly RunFolder[]): never {
  for (const { path } of folders) removeOwnTemporaries(path)
  const commands = folders.map(({ path }) => `npx assist-harness report ${shellWord(path)}`)
  say(`\n${signal}: the reports are not all written; this writes them: ${commands.join(' && ')}`)
  process.exit(exitCodeOfInterruption({ signal }))
}
