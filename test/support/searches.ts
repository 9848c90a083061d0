// Searches for a limit on a virtual clock, through the runner's own loop.
import { inferLimit } from '../../src/analysis/limit/infer.ts'
import type { AttemptReport, AttemptResult } from '../../src/domain/attempt.ts'
import type { JournalRecord } from '../../src/domain/journal.ts'
import type { LimitCall, LimitFinding } from '../../src/domain/limit.ts'
import type { FindLimitSettings } from '../../src/domain/load.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { findLimit } from '../../src/runner/find-limit.ts'
import { seededRandom } from '../../src/stats/random.ts'
import type { Server } from '../bench/pacing/servers.ts'
import { goodAnswer, rejection } from './load.ts'
import { makeThreads } from './questions.ts'
import { sendBy } from './send-by.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface Searched {
  readonly stop: Stop
  readonly finding: LimitFinding
  readonly records: readonly JournalRecord[]
  /** When each call was sent and had ended, milliseconds of the clock. */
  readonly calls: readonly { readonly sentAt: number; readonly endedAt: number }[]
  readonly tookMs: number
}

export interface SearchScript {
  readonly plan?: Partial<FindLimitSettings>
  readonly seed?: number
  /** Instead of what the server says. */
  readonly answer?: (number: number) => AttemptResult | undefined
}

/** Of the answers. */
const MEDIAN_MS = 600
const ONE_WAY_MS = 8
const JITTER_MS = 4

export async function playSearch(server: Server, script: SearchScript = {}): Promise<Searched> {
  const { seed = 1, answer = () => undefined } = script
  const clock = new VirtualClock()
  const random = seededRandom(seed)
  clock.jump(Math.floor(random() * 100_000))
  const startedAt = clock.now()
  const calls: { sentAt: number; endedAt: number }[] = []
  const records: JournalRecord[] = []
  const oneWay = async (): Promise<void> => clock.sleep(ONE_WAY_MS + JITTER_MS * random())
  const ask = async (request: Parameters<typeof goodAnswer>[0]['request']): Promise<AttemptReport> => {
    const number = calls.length + 1
    const call = { sentAt: clock.now(), endedAt: Infinity }
    calls.push(call)
    await oneWay()
    let result = answer(number)
    if (result === undefined && server.arrive(clock.wall()).admitted) {
      await clock.sleep(MEDIAN_MS * (0.4 + 1.2 * random()))
      server.finish(clock.wall())
      result = goodAnswer({ request, number, at: call.sentAt })
    }
    await oneWay()
    call.endedAt = clock.now()
    return { ...call, result: result ?? rejection(429) }
  }
  const stop = await clock.runUntil(
    findLimit(
      makeThreads(2, 1),
      { send: sendBy(ask), record: (record) => void records.push(record), clock },
      {
        budget: 600,
        maxMs: 1_800_000,
        maxInFlight: 64,
        maxPerSecond: 50,
        runId: 'run',
        giveUpAfterMs: 1_800_000,
        rotatingIds: false,
        ...script.plan,
      },
      inferLimit,
      { stop: new AbortController().signal, abandon: new AbortController().signal },
    ),
  )
  const results = records.flatMap((record) => (record.kind === 'result' ? [record] : []))
  const seen = results.map(({ at, serviceMs, result }): LimitCall => {
    const status = 'httpStatus' in result ? result.httpStatus : 0
    const verdict = status === 200 ? 'accepted' : status === 429 ? 'refused' : 'unknown'
    return { sentAt: at - serviceMs, endedAt: at, verdict }
  })
  return { stop, finding: inferLimit(seen).finding, records, calls, tookMs: clock.now() - startedAt }
}
