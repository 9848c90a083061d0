// Ctrl-C, SIGTERM and a closed terminal. Before the first call they end the process. While sending, the first signal stops gracefully and the
// second at once. While reports are written, the first waits for them and the second does not.
import { shellWord } from '../report/escape.ts'
import { say } from './output.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

const [stop, abandon] = [new AbortController(), new AbortController()]
let phase: 'opening' | 'sending' | 'reporting' = 'opening'
let isAwaited = false
const folders: string[] = []

/** For a run. */
export const stopSignals = { signal: stop.signal, abandon: abandon.signal }

/** Before sending starts, a signal ends the process as usual, with a note that nothing was sent. Can be called again. */
export function watchSignals(): void {
  if (process.listeners('SIGINT').includes(onSignal)) return
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

export function enterPhase(entered: 'sending' | 'reporting', folder?: string): void {
  phase = entered
  if (folder !== undefined) folders.push(folder)
}

function onSignal(name: NodeJS.Signals): void {
  const signal = name as Signal
  if (phase === 'opening') {
    say(`\n${signal}: nothing was sent`)
    for (const one of SIGNALS) process.off(one, onSignal)
    process.kill(process.pid, signal)
  } else if (phase === 'reporting') {
    if (isAwaited) endUnreported(signal)
    isAwaited = true
    say(`\n${signal}: every answer is recorded; writing the reports. A second ${signal} stops at once.`)
  } else if (!stop.signal.aborted) {
    const seconds = signal === 'SIGINT' ? 30 : 8
    say(
      `\n${signal}: sending stopped; calls in flight have ${seconds} s to end. A second ${signal} stops at once.`,
    )
    stop.abort(signal)
  } else {
    say(`\n${signal}: stopping now; calls in flight are recorded as ambiguous`)
    abandon.abort(signal)
  }
}

function endUnreported(signal: Signal): never {
  const commands = folders.map((folder) => `npx assist-harness report ${shellWord(folder)}`)
  say(`\n${signal}: not all reports are written; to write them: ${commands.join(' && ')}`)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
