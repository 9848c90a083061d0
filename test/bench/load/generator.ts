// A generator under test, in a process of its own: our engine and client in a loop, with a journal or without. Prints JSON.
import { setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSelfWatch } from '../../../src/cli/load/self-watch.ts'
import { timerClock } from '../../../src/cli/load/timer-clock.ts'
import { createSecret } from '../../../src/domain/secret.ts'
import { createClient } from '../../../src/endpoint/client.ts'
import { gatherWrites } from '../../../src/journal/gather-writes.ts'
import { openJournal } from '../../../src/journal/write.ts'
import { createLimiter } from '../../../src/pace/create.ts'
import { runLoad } from '../../../src/runner/load/run-load.ts'
import { createRandomStreams } from '../../../src/stats/addressed-random.ts'
import { makeThreads } from '../../support/questions.ts'
import type { Throughput } from './throughput.ts'

const [url = '', journaled = 'no', connections = '50', seconds = '5'] = process.argv.slice(2)
const users = Number(connections)
const key = createSecret('bench-key-0123456789', '00000000')
const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))
const journal =
  journaled === 'yes' ? gatherWrites(openJournal(join(folder, 'journal.ndjson'), key)) : undefined
const client = createClient({
  origin: url,
  assistPath: '/api/v1/assist',
  key,
  connections: users,
  timeoutMs: 10_000,
  userAgent: 'bench',
  now: timerClock.now,
})
const never = new AbortController().signal
setMaxListeners(0, never)
const selfWatch = createSelfWatch()

async function ask(durationMs: number): Promise<Throughput> {
  let requests = 0
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await runLoad(
    makeThreads(...Array<number>(100).fill(1)),
    {
      ask: client.ask,
      record: (record) => {
        if (record.kind === 'result' && record.result.kind === 'reply') requests += 1
        journal?.append(record)
      },
      commit: async () => journal?.commit(),
      limiter: createLimiter({ rate: { kind: 'unlimited' }, concurrency: users }, timerClock, Math.random),
      clock: timerClock,
      random: createRandomStreams(1),
      watchSelf: selfWatch.sample,
      watch: () => undefined,
    },
    {
      model: { kind: 'closed', users, durationMs },
      thinkTime: { kind: 'constant', ms: 0 },
      seed: 1,
      maxInFlight: users,
      warmUpMs: 0,
      gracefulStopMs: 1000,
      retry429: false,
      abortOn: [],
    },
    { runId: 'bench', maxCalls: undefined, giveUpAfterMs: 1e9, rotatingIds: true },
    { stop: never, abandon: never },
  )
  const { user, system } = process.cpuUsage(before)
  const elapsed = (performance.now() - startedAt) / 1000
  return { perSecond: requests / elapsed, cpuMsPerThousand: (user + system) / requests }
}

// Both generators are measured warm: the first second is not.
await ask(1000)
console.log(JSON.stringify(await ask(Number(seconds) * 1000)))
selfWatch.end()
await client.close()
await journal?.close()
rmSync(folder, { recursive: true, force: true })
