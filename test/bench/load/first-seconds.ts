// The first two seconds of a generator, cold or warmed, in a process of its own. Prints JSON.
import { setMaxListeners } from 'node:events'
import { createAskingPorts } from '../../../src/cli/asking-ports.ts'
import { createSelfWatch } from '../../../src/cli/load/self-watch.ts'
import { timerClock } from '../../../src/cli/load/timer-clock.ts'
import { warmGenerator } from '../../../src/cli/load/warm-generator.ts'
import type { ResultRecord } from '../../../src/domain/journal.ts'
import { createSecret } from '../../../src/domain/secret.ts'
import { createClient } from '../../../src/endpoint/client.ts'
import { openNowhere } from '../../../src/journal/nowhere.ts'
import { createLimiter } from '../../../src/pace/create.ts'
import { runLoad } from '../../../src/runner/load/run-load.ts'
import { createRandomStreams } from '../../../src/stats/addressed-random.ts'
import { makeThreads } from '../../support/questions.ts'
import type { FirstSeconds } from './warmth.ts'

const [url = '', warmth = 'cold', rate = '500'] = process.argv.slice(2)
const never = new AbortController().signal
setMaxListeners(0, never)
if (warmth === 'warm') await warmGenerator(never)
const key = createSecret('bench-key-0123456789', '00000000')
const client = createClient({
  origin: url,
  assistPath: '/api/v1/assist',
  key,
  connections: 512,
  timeoutMs: 10_000,
  userAgent: 'bench',
  now: timerClock.now,
})
const selfWatch = createSelfWatch()
const results: ResultRecord[] = []
await runLoad(
  makeThreads(1),
  {
    ...createAskingPorts(client, openNowhere(), (record) => {
      if (record.kind === 'result') results.push(record)
    }),
    limiter: createLimiter({ rate: { kind: 'unlimited' }, concurrency: 'auto' }, timerClock, Math.random),
    clock: timerClock,
    random: createRandomStreams(1),
    watchSelf: selfWatch.sample,
    watch: () => undefined,
  },
  {
    model: {
      kind: 'open',
      arrivals: 'constant',
      stages: [{ durationMs: 2000, from: Number(rate), to: Number(rate) }],
    },
    thinkTime: { kind: 'constant', ms: 0 },
    seed: 1,
    maxInFlight: 512,
    warmUpMs: 0,
    gracefulStopMs: 1000,
    retry429: false,
    abortOn: [],
  },
  { runId: 'bench', maxCalls: undefined, giveUpAfterMs: 1e9, rotatingIds: true },
  { stop: never, abandon: never },
)
const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
}
const lags = results.map(({ lagMs = NaN }) => lagMs)
const first: FirstSeconds = {
  lagP50: quantile(lags, 0.5),
  lagP99: quantile(lags, 0.99),
  lagMax: quantile(lags, 1),
  serviceP99: quantile(
    results.map(({ serviceMs }) => serviceMs),
    0.99,
  ),
}
console.log(JSON.stringify(first))
selfWatch.end()
await client.close()
