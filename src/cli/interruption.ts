// Ctrl-C, SIGTERM and a closed terminal while a command writes what can be made again: it clears up, says so, and ends.
import { exitCodeOfInterruption } from '../domain/stop.ts'
import { say } from './output.ts'
import { SIGNALS, type Signal } from './signals.ts'

export interface Interruptible {
  /** From now on a signal calls `clearUp` in the place of what was said before. */
  meanwhile(clearUp: () => string): void
  /** Back to Node's own handling. */
  end(): void
}

/** `clearUp` must not wait; returns what became of the work, in half a sentence. */
export function watchInterruption(clearUp: () => string): Interruptible {
  let now = clearUp
  const onSignal = (signal: Signal): void => {
    say(`\n${signal}: ${now()}`)
    // What else is under way would write into what was just cleared up.
    process.exit(exitCodeOfInterruption({ signal }))
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    meanwhile: (other) => {
      now = other
    },
    end: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
