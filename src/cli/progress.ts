// How far a run is, folded from the records as they are journaled.
import type { JournalRecord } from '../domain/journal.ts'
import { isErrorOutcome, type Outcome } from '../domain/outcome.ts'
import { formatPace } from '../pace/rate.ts'
import { duration, percent } from '../report/numbers.ts'
import type { ThreadState } from '../runner/thread-state.ts'

export interface Progress {
  note(record: JournalRecord): void
  /** One line: done, pace, coverage so far, 429s, errors, time left. `now` in milliseconds since the epoch. */
  describe(now: number): string
  /** For a terminal, where one line is not enough; each no wider than `columns`. */
  draw?(now: number, columns: number): readonly string[]
}

/** Of a run. */
export interface RunProgress extends Progress {
  counts(): ProgressCounts
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

export function createProgress(
  threads: readonly ThreadState[],
  groundedSources: readonly string[],
): RunProgress {
  const repeats = threads.reduce((most, { repeat }) => Math.max(most, repeat), 1)
  const total = threads.reduce((sum, { turns }) => sum + turns.length, 0)
  const members = new Map(threads.map(({ turns, repeat }) => [`${turns[0].index} ${repeat}`, turns]))
  const outcomes = new Map<string, { readonly outcome: Outcome; readonly grounded: boolean | undefined }>()
  // A resumed run has some behind it; whether those were grounded is the journal's to know.
  for (const { turns, next, repeat } of threads)
    for (const { index } of turns.slice(0, next))
      outcomes.set(`${index} ${repeat}`, { outcome: 'answered', grounded: undefined })
  const sources = new Map<number, string>()
  const recent: { at: number; done: number }[] = []
  let [attempts, rateLimited, errors, answered, grounded] = [0, 0, 0, 0, 0]
  let pace:
    | {
        readonly pace: number | null
        readonly pausedUntil?: number | undefined
        readonly cause: string
        readonly processes?: number | undefined
      }
    | undefined

  const count = (key: string, sign: 1 | -1): void => {
    const known = outcomes.get(key)
    if (known === undefined) return
    if (isErrorOutcome(known.outcome)) errors += sign
    if (known.grounded !== undefined) answered += sign
    if (known.grounded === true) grounded += sign
  }

  const note = (record: JournalRecord): void => {
    switch (record.kind) {
      case 'intent':
        attempts += 1
        return
      case 'result':
        if (record.result.kind === 'rejection' && record.result.httpStatus === 429) rateLimited += 1
        if (record.result.kind === 'reply') sources.set(record.attempt, record.result.reply.contextSource)
        return
      case 'outcome': {
        // A confirmation stands beside the turns, not among them.
        if (record.repeat > repeats) return
        const source = record.attempt === undefined ? undefined : sources.get(record.attempt)
        if (record.attempt !== undefined) sources.delete(record.attempt)
        const isCounted = record.outcome === 'answered' && !record.contextLost && source !== undefined
        const key = `${record.question} ${record.repeat}`
        outcomes.set(key, {
          outcome: record.outcome,
          grounded: isCounted ? groundedSources.includes(source) : undefined,
        })
        count(key, 1)
        return
      }
      case 'restart':
        for (const { index } of members.get(`${record.question} ${record.repeat}`) ?? []) {
          count(`${index} ${record.repeat}`, -1)
          outcomes.delete(`${index} ${record.repeat}`)
        }
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
    recent.push({ at: now, done: outcomes.size })
    while (recent.length > 2 && (recent[0]?.at ?? now) < now - RECENT_MS) recent.shift()
    const since = recent[0]
    const gained = outcomes.size - (since?.done ?? 0)
    if (since === undefined || gained <= 0 || outcomes.size === total) return ''
    return `, ${duration(((now - since.at) / gained) * (total - outcomes.size))} left`
  }

  return {
    note,
    counts: () => ({ total, done: outcomes.size, answered, grounded, errors, attempts, rateLimited }),
    describe: (now) => {
      const isPaused = pace?.pausedUntil !== undefined && pace.pausedUntil > now
      const parts = [
        `${outcomes.size}/${total} turns`,
        ...(isPaused
          ? [describeClosure(pace?.pausedUntil ?? now, now, pace?.cause ?? '')]
          : pace === undefined
            ? []
            : [`pace ${formatPace(pace.pace)}${sharers(pace.processes)}`]),
        ...(answered === 0 ? [] : [`coverage ${percent(grounded / answered)}`]),
        `429s ${rateLimited}/${attempts}`,
        `errors ${errors}`,
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
