// A day and a half at 60 calls a minute in virtual time: outages, a rate limit, a spent quota, a resume.
import { createRunIndexer } from '../../src/analysis/run-index.ts'
import type { AssistRequest, AttemptReport, AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { restoreThreads } from '../../src/cli/resume/restore.ts'
import { createPolicy } from '../../src/pace/create.ts'
import { createGate } from '../../src/pace/gate.ts'
import { createDirectLane } from '../../src/pace/lane.ts'
import { runThreads } from '../../src/runner/run.ts'
import type { ThreadState } from '../../src/runner/thread-state.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { makeThreads } from '../support/questions.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { sendBy } from '../support/send-by.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TURNS = 84_000
/** Others use up a part of the limit for half an hour. */
const perMinute = (now: number): number => (now >= 4 * HOUR && now < 4.5 * HOUR ? 45 : 62)
const CALLS_A_DAY = 75_000

/** When the desk is away, and how. */
const OUTAGES = [
  { from: 2 * HOUR, to: 2.3 * HOUR, kind: 'refused' },
  { from: 6 * HOUR, to: 6.25 * HOUR, kind: 'failing' },
  { from: 11 * HOUR, to: 11.1 * HOUR, kind: 'hanging' },
  { from: 30 * HOUR, to: 30.4 * HOUR, kind: 'refused' },
] as const

interface Desk {
  readonly ask: (request: AssistRequest) => Promise<AttemptReport>
  /** Calls that count, as the desk itself knows. */
  readonly ledger: () => number
  readonly sentAt: readonly number[]
}

function openDesk(clock: VirtualClock, random: () => number): Desk {
  const accepted: number[] = []
  const sentAt: number[] = []
  let [ledger, conversations, day, ofDay] = [0, 0, 0, 0]

  const answer = (request: AssistRequest): { result: AttemptResult; ms: number } => {
    const now = clock.now()
    const outage = OUTAGES.find(({ from, to }) => now >= from && now < to)
    if (outage?.kind === 'refused')
      return { result: { kind: 'network', sent: false, code: 'ECONNREFUSED', message: 'refused' }, ms: 2 }
    if (outage?.kind === 'failing') return { result: rejection(503, 'DOWN'), ms: 50 }
    if (Math.floor(now / (24 * HOUR)) !== day) [day, ofDay] = [Math.floor(now / (24 * HOUR)), 0]
    if (ofDay >= CALLS_A_DAY) return { result: rejection(429, 'QUOTA_EXHAUSTED'), ms: 30 }
    while ((accepted[0] ?? now) <= now - MINUTE) accepted.shift()
    if (accepted.length >= perMinute(now)) return { result: rejection(429, 'RATE_LIMITED'), ms: 30 }
    accepted.push(now)
    ledger += 1
    ofDay += 1
    if (outage?.kind === 'hanging') return { result: { kind: 'timeout', message: 'no answer' }, ms: 120_000 }
    if (random() < 0.001) return { result: rejection(500, 'OOPS'), ms: 800 }
    const conversationId = request.conversationId ?? `c${(conversations += 1)}`
    const reply = { conversationId, message: 'an answer', status: 'success', contextSource: 'KNOWLEDGE_BASE' }
    return { result: { kind: 'reply', httpStatus: 200, reply }, ms: 500 + 4000 * random() }
  }

  return {
    ask: async (request) => {
      const at = clock.now()
      sentAt.push(at)
      const { result, ms } = answer(request)
      await clock.sleep(ms)
      return { sentAt: at, endedAt: clock.now(), result }
    },
    ledger: () => ledger,
    sentAt,
  }
}

const rejection = (httpStatus: number, code: string): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { code, message: 'no' },
})

export interface DayReport {
  readonly lines: readonly string[]
  readonly faults: readonly string[]
  readonly stops: readonly Stop[]
}

export async function liveThroughADay(seed: number): Promise<DayReport> {
  const started = performance.now()
  const clock = new VirtualClock()
  const random = seededRandom(seed)
  const desk = openDesk(clock, random)
  const lengths: number[] = []
  for (let left = TURNS; left > 0;) {
    const length = Math.min(left, 1 + Math.floor(random() * 5))
    lengths.push(length)
    left -= length
  }
  const planned = makeThreads(...lengths)
  const indexer = createRunIndexer<JournalRecord>(false)
  const record = (one: JournalRecord): void => indexer.add(one, one)
  for (const { turns } of planned)
    for (const { index, question } of turns) record({ kind: 'question', index, question })
  record({ kind: 'set', at: 0, digests: [], ranges: [[0, TURNS - 1]], repeats: 1 })

  const stops: Stop[] = []
  const sit = async (threads: readonly ThreadState[], attemptsBefore: number): Promise<void> => {
    const policy = createPolicy({ rate: { kind: 'known', perSecond: 1 }, concurrency: 64 }, random)
    const limiter = createGate(policy, createDirectLane(), 64, clock)
    const never = new AbortController().signal
    const options = { runId: 'day', maxCalls: undefined, giveUpAfterMs: 45 * MINUTE, attemptsBefore }
    stops.push(
      await clock.runUntil(
        runThreads(
          threads,
          { send: sendBy(desk.ask), record, limiter, clock },
          { ...options, rotatingIds: false, restartOnAmbiguous: true, asksAgain: 'unprocessed' },
          { stop: never, abandon: never },
        ),
      ),
    )
    limiter.close()
  }
  await sit(planned, 0)
  const firstEnd = clock.now()
  // The cron job of the next day: the same run goes on.
  clock.after(24 * HOUR + MINUTE - firstEnd, () => undefined)
  await clock.runUntil(clock.sleep(Math.max(0, 24 * HOUR + MINUTE - firstEnd)))
  const between = indexer.finish()
  const turns = planned.flatMap((thread) => thread.turns)
  const restored = restoreThreads(turns, 1, between, {
    pick: (one) => one,
    at: clock.wall(),
    retryErrors: false,
    rotatingIds: false,
    restartOnAmbiguous: true,
    asksAgain: 'unprocessed',
  })
  for (const one of restored.records) record(one)
  await sit([...restored.threads], between.attempts)

  const index = indexer.finish()
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const outcomes: Record<string, number> = {}
  for (const slot of index.slots) {
    usage.certain += slot.usage.certain
    usage.possible += slot.usage.possible
    usage.notCounted += slot.usage.notCounted
    outcomes[slot.outcome ?? 'none'] = (outcomes[slot.outcome ?? 'none'] ?? 0) + 1
  }
  const most = mostInAMinute(desk.sentAt)
  const checks: [boolean, string][] = [
    [stops[0]?.kind === 'gaveUp', `the first day ended with ${JSON.stringify(stops[0])}`],
    [stops[1]?.kind === 'done', `the second day ended with ${JSON.stringify(stops[1])}`],
    [outcomes['none'] === undefined, `${outcomes['none']} turns without an outcome`],
    [
      desk.ledger() >= usage.certain && desk.ledger() <= usage.certain + usage.possible,
      `the ledger, ${desk.ledger()}, lies outside [${usage.certain}, ${usage.certain + usage.possible}]`,
    ],
    [most <= 61, `${most} calls within a minute at 60 a minute`],
    [clock.timers === 0, `${clock.timers} timers are left`],
  ]
  return {
    stops,
    faults: checks.flatMap(([holds, fault]) => (holds ? [] : [fault])),
    lines: [
      `${(clock.now() / HOUR).toFixed(1)} virtual hours, ${TURNS} turns at 60/min, seed ${seed}: ${((performance.now() - started) / 1000).toFixed(0)} s`,
      `  day one stopped after ${(firstEnd / HOUR).toFixed(1)} h: ${JSON.stringify(stops[0])}`,
      `  outcomes ${JSON.stringify(outcomes)}, most calls in a minute ${most}`,
      `  ledger ${desk.ledger()} in [${usage.certain}, ${usage.certain + usage.possible}], attempts ${index.attempts}`,
    ],
  }
}

function mostInAMinute(times: readonly number[]): number {
  let [from, most] = [0, 0]
  for (const [to, at] of times.entries()) {
    while ((times[from] ?? at) <= at - MINUTE) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}
