// A load test on a virtual clock: what is asked, what comes back after how long, and what the journal holds of it.
import type { AssistRequest, AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { LoadOptions } from '../../src/domain/load.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { runLoad, type LoadPorts } from '../../src/runner/load/run-load.ts'
import type { LoadRules } from '../../src/runner/load/call.ts'
import type { ThreadState } from '../../src/runner/thread-state.ts'
import { createRandomStreams } from '../../src/stats/random.ts'
import { VirtualClock } from './virtual-clock.ts'
import { sendBy } from './send-by.ts'

export interface LoadCall {
  readonly request: AssistRequest
  /** From 1, in the order of sending. */
  readonly number: number
  /** Milliseconds of the virtual clock. */
  readonly at: number
}

export interface LoadScript {
  readonly load: Partial<LoadOptions>
  readonly rules?: Partial<LoadRules>
  /** Milliseconds that a call takes. */
  readonly serviceMs?: (call: LoadCall) => number
  readonly answer?: (call: LoadCall) => AttemptResult
  readonly ports?: Partial<LoadPorts>
  readonly onRecord?: (record: JournalRecord) => void
  /** Hands out the clock before the test begins. */
  readonly withClock?: (clock: VirtualClock) => void
}

export interface LoadPlayed {
  readonly stop: Stop
  readonly calls: readonly LoadCall[]
  readonly records: readonly JournalRecord[]
  /** Most calls that were in flight at once. */
  readonly mostInFlight: number
  readonly of: <K extends JournalRecord['kind']>(kind: K) => Extract<JournalRecord, { kind: K }>[]
  readonly clock: VirtualClock
}

/** When the virtual clock starts, milliseconds since the epoch. */
export const WALL_START = new VirtualClock().wall()

export const flat = (perSecond: number, seconds: number): LoadOptions['model'] => ({
  kind: 'open',
  stages: [{ durationMs: seconds * 1000, from: perSecond, to: perSecond }],
})

export const goodAnswer = ({ request, number }: LoadCall): AttemptResult => ({
  kind: 'reply',
  httpStatus: 200,
  reply: {
    conversationId: request.conversationId ?? `c${number}`,
    message: 'answer',
    status: 'success',
    contextSource: 'KNOWLEDGE_BASE',
  },
})

export const rejection = (httpStatus: number, headers?: Record<string, string>): AttemptResult => ({
  kind: 'rejection',
  httpStatus,
  error: { message: `status ${httpStatus}` },
  ...(headers === undefined ? {} : { headers }),
})

export async function playLoad(threads: readonly ThreadState[], script: LoadScript): Promise<LoadPlayed> {
  const { serviceMs = () => 10, answer = goodAnswer, rules, ports } = script
  const clock = new VirtualClock()
  script.withClock?.(clock)
  const load: LoadOptions = {
    model: flat(10, 1),
    thinkTime: { kind: 'constant', ms: 0 },
    seed: 1,
    maxInFlight: 1000,
    gracefulStopMs: 600_000,
    ...script.load,
  }
  const calls: LoadCall[] = []
  const records: JournalRecord[] = []
  let [inFlight, mostInFlight] = [0, 0]
  const ask = async (request: AssistRequest) => {
    const call = { request, number: calls.length + 1, at: clock.now() }
    calls.push(call)
    inFlight += 1
    mostInFlight = Math.max(mostInFlight, inFlight)
    await clock.sleep(serviceMs(call))
    inFlight -= 1
    return { sentAt: call.at, endedAt: clock.now(), result: answer(call) }
  }
  const stop = await clock.runUntil(
    runLoad(
      threads,
      {
        send: sendBy(ask),
        record: (record) => {
          records.push(record)
          script.onRecord?.(record)
        },
        clock,
        random: createRandomStreams(load.seed),
        ...ports,
      },
      load,
      { runId: 'run', maxCalls: undefined, giveUpAfterMs: 30 * 60_000, rotatingIds: false, ...rules },
      { stop: new AbortController().signal, abandon: new AbortController().signal },
    ),
  )
  const of = <K extends JournalRecord['kind']>(kind: K) =>
    records.filter((record): record is Extract<JournalRecord, { kind: K }> => record.kind === kind)
  return { stop, calls, records, mostInFlight, of, clock }
}
