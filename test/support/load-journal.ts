// Journals of load tests with known figures: threads arrive by a timetable, and the test chooses the result
// of each call.
import { createLoadFold } from '../../src/analysis/load/fold.ts'
import { createTurnJoiner, type JournalEvent, type JournalRecord } from '../../src/domain/journal.ts'
import type { LoadSettings, LoadReport, Stage } from '../../src/domain/load.ts'
import type { LoadManifest } from '../../src/options/manifest.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { createTimetable } from '../../src/runner/load.ts'
import {
  journalOf,
  makeManifest,
  makeReply,
  makeThreads,
  network,
  rejection,
  START,
  timeout,
} from './recorded.ts'

export const makeLoad = (more: Partial<LoadSettings> = {}): LoadSettings => ({
  model: { kind: 'open', stages: [{ durationMs: 60_000, from: 20, to: 20 }] },
  thinkTime: { kind: 'constant', ms: 0 },
  seed: 1,
  maxInFlight: 100,
  gracefulStopMs: 30_000,
  ...more,
})

export const loadManifest = (
  load: Partial<LoadSettings> = {},
  more: Partial<LoadManifest> = {},
): LoadManifest => ({ ...makeManifest(), merged: undefined, ...more, kind: 'load', load: makeLoad(load) })

/** The result of a call. */
export interface CallResult {
  readonly serviceMs: number
  /** The context source of the answer; `fails` says how a call without one failed. */
  readonly source?: string
  readonly fails?: 'rate_limited' | 'server_error' | 'timeout' | 'network_error'
  readonly lagMs?: number
}

export interface SimulatedLoad {
  readonly load?: LoadSettings
  /** Number of turns of each thread of the set. */
  readonly threads?: readonly number[]
  /** `number`: the arrival, from 0; `turn`: from 1. */
  readonly respond: (call: { readonly number: number; readonly turn: number }) => CallResult | 'dropped'
  readonly stop?: Stop
}

/** When each thread is due, in milliseconds after the start. */
export function dueTimes(stages: readonly Stage[]): number[] {
  const timetable = createTimetable(stages)
  const times: number[] = []
  for (let next = timetable.next(); next !== undefined; next = timetable.next()) times.push(next)
  return times
}

/** The events of the journal, sorted by time. */
export function loadRecords({
  load = makeLoad(),
  threads = [1, 1, 1, 1, 1],
  respond,
  stop = { kind: 'done' },
}: SimulatedLoad): JournalEvent[] {
  const events: Exclude<JournalRecord, { kind: 'question' }>[] = []
  const set = makeThreads(...threads)
  const questions = set.flatMap(({ turns }) => turns.map(({ question }) => question))
  let attempt = 0
  // In the closed model, one thread.
  const moments = load.model.kind === 'closed' ? [0] : dueTimes(load.model.stages)
  for (const [number, since] of moments.entries()) {
    const repeat = Math.floor(number / set.length) + 1
    let due = since
    let isOver = false
    for (const [before, { index: question }] of set[number % set.length]?.turns.entries() ?? []) {
      const place = { question, repeat, conversation: 1 } as const
      const dueAt = START + due
      if (isOver) {
        events.push({ kind: 'outcome', at: dueAt, ...place, outcome: 'skipped', contextLost: false })
        continue
      }
      const what = respond({ number, turn: before + 1 })
      if (what === 'dropped') {
        events.push({ kind: 'dropped', at: dueAt, arrival: number, dueAt, question, repeat })
        break
      }
      const { serviceMs, lagMs = 0.2, source = 'KNOWLEDGE_BASE' } = what
      const outcome: Outcome = what.fails ?? 'answered'
      const sent = due + lagMs
      const ended = sent + serviceMs
      const at = START + ended
      attempt += 1
      const call = { conversationId: before === 0 ? null : 'c', arrival: number, dueAt }
      const times = { waitMs: 0, serviceMs, responseMs: ended - due, lagMs }
      const result = {
        answered: makeReply(source),
        rate_limited: rejection(429),
        server_error: rejection(503),
        timeout,
        network_error: { ...network(false), code: 'EMFILE' },
      }[what.fails ?? 'answered']
      events.push(
        { kind: 'intent', at: START + sent, attempt, ...place, ...call },
        { kind: 'result', at, attempt, ...times, result },
        { kind: 'outcome', at, ...place, outcome, attempt, contextLost: false },
      )
      due = ended
      isOver = outcome !== 'answered'
    }
  }
  // The sort is stable: at equal times an intent stays before its result.
  events.sort((one, other) => one.at - other.at)
  return [...journalOf(questions, events, { endedAt: events.at(-1)?.at, stop })].map(createTurnJoiner())
}

/** The report that `report` derives from the records. */
export function reportOf(manifest: LoadManifest, simulated: SimulatedLoad): LoadReport {
  const fold = createLoadFold(manifest, () => [])
  for (const record of loadRecords(simulated)) fold.add(record)
  return fold.finish()
}
