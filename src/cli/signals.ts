// Ctrl-C, SIGTERM and a closed terminal. Before the first call they end the process; then the first stops politely and the second stops now;
// while reports are written the first waits for them and the second does not.
import { shellWord } from '../report/shell-word.ts'
import { say } from './output.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

const [stop, abandon] = [new AbortController(), new AbortController()]
let phase: 'opening' | 'sending' | 'reporting' = 'opening'
let isAwaited = false
const folders: string[] = []

/** What a run listens to. */
export const stopSignals = { signal: stop.signal, abandon: abandon.signal }

/** Until it begins to send, a signal ends the process as it would by itself, and says that it has cost nothing. Once is enough. */
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
    say(`\n${signal}: every answer is recorded; writing the reports (again: stop now)`)
  } else if (!stop.signal.aborted) {
    const seconds = signal === 'SIGINT' ? 30 : 8
    say(
      `\n${signal}: sending stopped; calls in flight have ${seconds} s to end, then they are recorded as ambiguous (again: stop now)`,
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
