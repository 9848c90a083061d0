// Runs and load tests on a virtual clock: the real runner and limiter, and an endpoint whose answers the test
// scripts.
import type { AssistRequest, AttemptResult } from '../../src/domain/attempt.ts'
import { createTurnJoiner, type JournalEvent, type JournalRecord } from '../../src/domain/journal.ts'
import type { LoadSettings, Stage } from '../../src/domain/load.ts'
import type { Stop } from '../../src/domain/stop.ts'
import type { LoadManifest } from '../../src/options/manifest.ts'
import { createLimiter, type Limiter } from '../../src/pace/limiter.ts'
import type { LoadRules } from '../../src/runner/calls.ts'
import { createTimetable, runLoad } from '../../src/runner/load.ts'
import { type RunnerOptions, runThreads } from '../../src/runner/run.ts'
import type { AttemptPorts, ThreadState } from '../../src/runner/thread.ts'
import { createRandomStreams } from '../../src/stats/random.ts'
import { journalOf, makeManifest, makeReply } from './recorded.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface Call {
  readonly request: AssistRequest
  /** From 1, in the order of sending. */
  readonly number: number
  /** Milliseconds of the virtual clock. */
  readonly at: number
}
export type Answer = (call: Call) => AttemptResult

interface Script {
  /** Duration of a call in milliseconds; 10 by default. */
  readonly ms?: ((call: Call) => number) | undefined
  /** Replaces `ms` and the answer: calls `done` with the result when the call ends. */
  readonly serve?: (call: Call, clock: VirtualClock, done: (result: AttemptResult) => void) => void
  readonly onCall?: ((call: Call, interrupt: () => void) => void) | undefined
  /** Runs before each record is written. If it throws, writing that record throws. */
  readonly onRecord?: ((record: JournalRecord, clock: VirtualClock) => void) | undefined
}

export type Played = Awaited<ReturnType<typeof play>>

export async function play(
  answer: Answer,
  { ms = () => 10, serve, onCall, onRecord }: Script,
  run: (ports: AttemptPorts, clock: VirtualClock, stop: AbortSignal) => Promise<Stop>,
) {
  const clock = new VirtualClock()
  const calls: Call[] = []
  const records: JournalRecord[] = []
  const stopper = new AbortController()
  const ports: AttemptPorts = {
    clock,
    record: (record) => {
      onRecord?.(record, clock)
      records.push(record)
    },
    send: (request, { ended }) => {
      const call = { request, number: calls.length + 1, at: clock.now() }
      calls.push(call)
      onCall?.(call, () => stopper.abort('SIGINT'))
      const end = (result: AttemptResult): void => ended({ sentAt: call.at, endedAt: clock.now(), result })
      if (serve === undefined) clock.after(ms(call), () => end(answer(call)))
      else serve(call, clock, end)
    },
  }
  const stop = await clock.runUntil(run(ports, clock, stopper.signal))
  const of = <K extends JournalRecord['kind']>(kind: K): Extract<JournalRecord, { kind: K }>[] =>
    records.filter((record): record is Extract<JournalRecord, { kind: K }> => record.kind === kind)
  return { stop, calls, records, of, clock }
}

const RULES = { runId: 'run', maxCalls: undefined, giveUpAfterMs: 30 * 60_000, rotatingIds: false }

export type RunScript = Script &
  Partial<RunnerOptions> & {
    readonly concurrency?: number
    readonly note?: (text: string) => void
    readonly limit?: (limiter: Limiter) => Limiter
  }

export async function playRun(
  threads: readonly ThreadState[],
  answer: Answer,
  { concurrency = 1, ms, onCall, onRecord, note = () => undefined, limit, ...options }: RunScript = {},
): Promise<Played> {
  const rules = { ...RULES, attemptsBefore: 0, restartOnAmbiguous: true, retryUnprocessed: true } as const
  return play(answer, { ms, onCall, onRecord }, async (ports, clock, signal) => {
    const real = createLimiter({ rate: { kind: 'unlimited' }, concurrency, share: 1 }, clock, () => 0.5)
    const limiter = limit?.(real) ?? real
    const stop = await runThreads(threads, { ...ports, limiter, note }, { ...rules, ...options }, signal)
    limiter.close()
    return stop
  })
}

export interface LoadScript extends Script {
  readonly load: Partial<LoadSettings>
  readonly rules?: Partial<LoadRules>
  readonly answer?: Answer
}

export const makeLoad = (more: Partial<LoadSettings>): LoadSettings => ({
  model: flat(10, 1),
  thinkTime: { kind: 'constant', ms: 0 },
  seed: 1,
  maxInFlight: 1000,
  gracefulStopMs: 600_000,
  ...more,
})

export const loadManifest = (
  load: Partial<LoadSettings>,
  more: Partial<LoadManifest> = {},
): LoadManifest => ({ ...makeManifest(), merged: undefined, ...more, kind: 'load', load: makeLoad(load) })

export async function playLoad(
  threads: readonly ThreadState[],
  { load: more, rules, answer = goodAnswer, ...script }: LoadScript,
): Promise<Played> {
  const load = makeLoad(more)
  const random = createRandomStreams(load.seed)
  return play(answer, script, async (ports, _, signal) =>
    runLoad(threads, { ...ports, random }, load, { ...RULES, ...rules }, signal),
  )
}

/** The events of a load test's journal, as who reads its folder gets them. */
export async function loadEvents(
  threads: readonly ThreadState[],
  script: LoadScript,
): Promise<JournalEvent[]> {
  const { records, stop, clock } = await playLoad(threads, script)
  const questions = threads.flatMap(({ turns }) => turns.map(({ question }) => question))
  const times = { startedAt: WALL_START, endedAt: clock.wall() }
  return [...journalOf(questions, records, { ...times, stop })].map(createTurnJoiner())
}

/** When each thread is due, in milliseconds after the start. */
export function dueTimes(stages: readonly Stage[]): number[] {
  const timetable = createTimetable(stages)
  const times: number[] = []
  for (let next = timetable.next(); next !== undefined; next = timetable.next()) times.push(next)
  return times
}

/** Start of the virtual clock, in milliseconds since the epoch. */
export const WALL_START = new VirtualClock().wall()

export const flat = (perSecond: number, seconds: number): LoadSettings['model'] => ({
  kind: 'open',
  stages: [{ durationMs: seconds * 1000, from: perSecond, to: perSecond }],
})

export const goodAnswer = ({ request, number }: Call): AttemptResult =>
  makeReply('KNOWLEDGE_BASE', 'answer', request.conversationId ?? `c${number}`)
