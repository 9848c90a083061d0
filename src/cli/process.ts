// What the command line asks of its process. Ctrl-C, SIGTERM and a closed terminal: before the first call
// they end it; while sending, the first signal stops gracefully and the second at once; while reports are
// written, the second ends it. And a heap that grows slowly where the input is large.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { shellWord } from '../report/escape.ts'
import type { Screen } from './screen.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

const exitCodeOf = (signal: Signal): number => (signal === 'SIGINT' ? 130 : 143)

export class ProcessSignals {
  readonly #screen: Screen
  readonly #stop = new AbortController()
  readonly #abandon = new AbortController()
  readonly #folders: string[] = []
  #phase: 'opening' | 'sending' | 'reporting' = 'opening'
  #isAwaited = false

  constructor(screen: Screen) {
    this.#screen = screen
    for (const signal of SIGNALS) process.on(signal, this.#onSignal)
  }

  get options() {
    return { signal: this.#stop.signal, abandon: this.#abandon.signal }
  }

  enter(phase: 'sending' | 'reporting', folder?: string): void {
    this.#phase = phase
    if (folder !== undefined) this.#folders.push(folder)
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    const signal = name as Signal
    switch (this.#phase) {
      case 'opening':
        this.#screen.say(`\n${signal}: nothing was sent`)
        for (const each of SIGNALS) process.off(each, this.#onSignal)
        process.kill(process.pid, signal)
        // A signal without a handler does not end process 1 of a container.
        process.exit(exitCodeOf(signal))
        break
      case 'sending':
        this.#stopSending(signal)
        break
      case 'reporting':
        if (this.#isAwaited) this.#endUnreported(signal)
        this.#isAwaited = true
        this.#screen.say(
          `\n${signal}: every answer is recorded; writing the reports. A second ${signal} stops at once.`,
        )
    }
  }

  #stopSending(signal: Signal): void {
    if (this.#stop.signal.aborted) {
      this.#screen.say(`\n${signal}: stopping now; calls in flight are recorded as ambiguous`)
      this.#abandon.abort(signal)
      return
    }
    const seconds = signal === 'SIGINT' ? 30 : 8
    this.#screen.say(
      `\n${signal}: sending stopped; calls in flight have ${seconds} s to end. ` +
        `A second ${signal} stops at once.`,
    )
    this.#stop.abort(signal)
  }

  #endUnreported(signal: Signal): never {
    const commands = this.#folders.map((folder) => `npx assist-harness report ${shellWord(folder)}`)
    this.#screen.say(`\n${signal}: not all reports are written; to write them: ${commands.join(' && ')}`)
    process.exit(exitCodeOf(signal))
  }
}

/** Makes frequent garbage collection worth its time: so many bytes of input are about 10,000 turns. */
const LARGE = 2 ** 22

export function limitHeapGrowth(paths: readonly string[]): void {
  if (paths.reduce((sum, path) => sum + bytesOf(path), 0) < LARGE) return
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--semi-space-growth-factor=1')
}

function bytesOf(path: string): number {
  const stat = existsSync(path) ? statSync(path) : undefined
  if (stat?.isDirectory() !== true) return stat?.size ?? 0
  const journals = readdirSync(path).filter((name) => name.endsWith('.ndjson'))
  return journals.reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
}
