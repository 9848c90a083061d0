// Tells a program's listener what happens. Whatever the listener does, the run goes on.
import { resolve } from 'node:path'
import type { Audience } from '../cli/host.ts'
import type { RunProgress } from '../cli/progress.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { createEventReader } from './event-stream.ts'
import type { RunEvent } from './events.ts'

export interface Teller extends Required<Audience> {
  tell(event: RunEvent): void
  /** The first error of the listener. */
  error(): unknown
}

const PROGRESS_MS = 1000

export function createTeller(listener: ((event: RunEvent) => void) | undefined): Teller {
  let failure: { readonly error: unknown } | undefined
  const keep = (error: unknown): void => {
    failure ??= { error }
  }
  const tell = (event: RunEvent): void => {
    try {
      // An async listener is none that we wait for, but its failure is no fault of the process.
      const returned: unknown = listener?.(event)
      if (returned instanceof Promise) returned.catch(keep)
    } catch (error) {
      keep(error)
    }
  }
  let read: ((record: JournalRecord) => RunEvent | undefined) | undefined
  return {
    tell,
    error: () => failure?.error,
    show: ([shown]) => {
      const ofRun = shown?.progress as RunProgress | undefined
      const progress = (): void => {
        if (ofRun !== undefined) tell({ kind: 'progress', at: Date.now(), ...ofRun.counts() })
      }
      const timer = setInterval(progress, PROGRESS_MS)
      timer.unref()
      return {
        end: () => {
          clearInterval(timer)
          progress()
        },
      }
    },
    see: ({ turns, threads, folder, manifest }, record) => {
      if (read === undefined) {
        const questions = new Map(Array.from(turns, ({ index, question }) => [index, question]))
        read = createEventReader((index) => questions.get(index))
        let left = 0
        for (const thread of threads) left += thread.turns.length - thread.next
        tell({
          kind: 'started',
          at: Date.now(),
          folder: resolve(folder.path),
          runId: manifest.runId,
          turns: left,
          threads: threads.length,
        })
      }
      const event = read(record)
      if (event !== undefined) tell(event)
    },
  }
}
