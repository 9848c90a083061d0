// How far a run is, folded from the records as they are journaled.
import type { ThreadStanding } from '../analysis/standing-of-run.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import { formatPace } from '../pace/rate.ts'
import { digits } from '../domain/digits.ts'
import { duration, percent } from '../report/numbers.ts'
import type { ThreadState } from '../runner/thread-state.ts'
import { TurnStates } from './turn-states.ts'

export interface Progress {
  note(record: JournalRecord): void
  /** One line: done, pace, coverage so far, 429s, errors, time left. `now` in milliseconds since the epoch. */
  describe(now: number): string
  /** For a terminal, where one line is not enough; each no wider than `columns`. */
  draw?(now: number, columns: number): readonly string[]
}

/** Turns, but for attempts; a thread that starts again takes its turns back. */
export interface ProgressCounts {
  readonly total: number
  readonly done: number
  readonly answered: number
  readonly grounded: number
  readonly errors: number
  readonly attempts: number
  /** Attempts that were refused with 429. */
  readonly rateLimited: number
}

/** Milliseconds of the recent past from which the time left is guessed. */
const RECENT_MS = 30_000

/** Of a run. */
export interface RunProgress extends Progress {
  counts(): ProgressCounts
  /** The threads as far as they came. */
  readonly standing: () => Iterable<ThreadStanding>
}

export function createProgress(
  threads: readonly ThreadState[],
  groundedSources: readonly string[],
): RunProgress {
  const turns = new TurnStates(threads)
  const { total, repeats } = turns
  /** An attempt's outcome is recorded right after its result. */
  let replied: { readonly attempt: number; readonly source: string } | undefined
  const recent: { at: number; done: number }[] = []
  let [attempts, rateLimited] = [0, 0]
  let pace:
    | {
        readonly pace: number | null
        readonly pausedUntil?: number | undefined
        readonly cause: string
        readonly processes?: number | undefined
      }
    | undefined

  const note = (record: JournalRecord): void => {
    switch (record.kind) {
      case 'intent':
        attempts += 1
        return
      case 'result':
        if (record.result.kind === 'rejection' && record.result.httpStatus === 429) rateLimited += 1
        if (record.result.kind === 'reply')
          replied = { attempt: record.attempt, source: record.result.reply.contextSource }
        return
      case 'outcome': {
        // A confirmation stands beside the turns, not among them.
        if (record.repeat > repeats) return
        const source = record.attempt === replied?.attempt ? replied?.source : undefined
        const isCounted = record.outcome === 'answered' && !record.contextLost && source !== undefined
        turns.end(
          record.question,
          record.repeat,
          isErrorOutcome(record.outcome)
            ? 'error'
            : !isCounted
              ? 'done'
              : groundedSources.includes(source)
                ? 'grounded'
                : 'ungrounded',
        )
        return
      }
      case 'restart':
        turns.restart(record.question, record.repeat)
        return
      case 'pace':
        pace = record
        return
      case 'sitting':
      case 'question':
      case 'set':
      case 'confirm':
      case 'dropped':
      case 'generator':
      case 'end':
        return
    }
  }

  const timeLeft = (now: number, isPaused: boolean): string => {
    // What was reached before a pause says nothing of the pace after it.
    if (isPaused) recent.length = 0
    if (isPaused) return ''
    const { done } = turns
    recent.push({ at: now, done })
    while (recent.length > 2 && (recent[0]?.at ?? now) < now - RECENT_MS) recent.shift()
    const since = recent[0]
    const gained = done - (since?.done ?? 0)
    if (since === undefined || gained <= 0 || done === total) return ''
    return `, ${duration(((now - since.at) / gained) * (total - done))} left`
  }

  return {
    note,
    counts: () => ({ total, done: turns.done, ...turns.counts(), attempts, rateLimited }),
    standing: () => turns.standing(),
    describe: (now) => {
      const { grounded, answered, errors } = turns.counts()
      const isPaused = pace?.pausedUntil !== undefined && pace.pausedUntil > now
      const parts = [
        `${digits(turns.done)}/${digits(total)} turns`,
        ...(isPaused
          ? [describeClosure(pace?.pausedUntil ?? now, now, pace?.cause ?? '')]
          : pace === undefined
            ? []
            : [`pace ${formatPace(pace.pace)}${sharers(pace.processes)}`]),
        ...(answered === 0 ? [] : [`coverage ${percent(grounded / answered)}`]),
        `429s ${digits(rateLimited)}/${digits(attempts)}`,
        `errors ${digits(errors)}`,
      ]
      return `${parts.join(', ')}${timeLeft(now, isPaused)}`
    },
  }
}

const sharers = (processes = 1): string => (processes === 1 ? '' : ` for ${processes} processes`)

function describeClosure(until: number, now: number, cause: string): string {
  const time = `${new Date(until).toISOString().slice(11, 19)}Z`
  return `closed ${duration(until - now)}, next probe ${time} (${cause})`
}
