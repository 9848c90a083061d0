// Searches for a limit on a virtual clock: the real search, and an endpoint with a limit behind a network.
import { readFileSync } from 'node:fs'
import { createSearchFold } from '../../src/analysis/limit/search-report.ts'
import { inferLimit } from '../../src/analysis/limit/infer.ts'
import type { AttemptResult } from '../../src/domain/attempt.ts'
import type { LimitCall, LimitRule } from '../../src/domain/limit.ts'
import type { FindLimitSettings } from '../../src/domain/load.ts'
import type { SearchManifest } from '../../src/options/manifest.ts'
import { findLimit } from '../../src/runner/find-limit.ts'
import { seededRandom } from '../../src/stats/random.ts'
import type { Server } from '../bench/pacing/servers.ts'
import { goodAnswer, play } from './play.ts'
import { makeThreads, rejection } from './recorded.ts'

const MANIFEST = JSON.parse(
  readFileSync(new URL('../recorded/limit/run/run.json', import.meta.url), 'utf8'),
) as SearchManifest

/** Milliseconds: median time of an answer, and delay of one way to the endpoint. */
const [MEDIAN_MS, ONE_WAY_MS] = [600, 8]

interface SearchScript {
  readonly plan?: Partial<FindLimitSettings>
  readonly seed?: number
  /** Delays each way by up to as much more. */
  readonly jitterMs?: number
  readonly announced?: readonly LimitRule[]
  /** Replaces the server's answer unless undefined. */
  readonly answer?: (number: number) => AttemptResult | undefined
}

export async function playSearch(server: Server, script: SearchScript = {}) {
  const { plan, seed = 1, jitterMs = 4, answer = () => undefined, announced = [] } = script
  const search = { budget: 2000, maxMs: 600_000, maxInFlight: 64, maxPerSecond: 50, ...plan }
  const random = seededRandom(seed)
  const oneWay = (): number => ONE_WAY_MS + jitterMs * random()
  const ended: number[] = []
  const estimate = (calls: readonly LimitCall[]) => inferLimit(calls, announced)
  const { stop, calls, of, records } = await play(
    goodAnswer,
    {
      serve: (call, time, done) => {
        const comeBack = (result: AttemptResult) =>
          time.after(oneWay(), () => {
            ended[call.number] = time.now()
            done(result)
          })
        time.after(oneWay(), () => {
          const scripted = answer(call.number)
          if (scripted !== undefined) return comeBack(scripted)
          const { admitted, headers } = server.arrive(time.wall())
          if (!admitted) return comeBack(rejection(429))
          return time.after(MEDIAN_MS * (0.4 + 1.2 * random()) + Number(headers['x-queue-ms'] ?? 0), () => {
            server.finish(time.wall())
            comeBack(goodAnswer(call))
          })
        })
      },
    },
    async (ports, time, signal) => {
      time.jump(Math.floor(random() * 100_000))
      const rules = { runId: 'run', giveUpAfterMs: 1_800_000, rotatingIds: false }
      return findLimit(makeThreads(2, 1), ports, { ...search, ...rules }, estimate, signal)
    },
  )
  const fold = createSearchFold({ ...MANIFEST, findLimit: search }, () => announced)
  for (const record of records) {
    const isResult = record.kind === 'result'
    fold.add((isResult ? { ...record, result: { headers: {}, ...record.result } } : record) as never)
  }
  const times = calls.map((call) => ({ sentAt: call.at, endedAt: ended[call.number] ?? Infinity }))
  return { stop, report: fold.finish([], stop), calls: times, of }
}
