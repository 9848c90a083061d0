// Four processes of the built program against one limit of the sandbox.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../../../src/sandbox/ledger.ts'
import { sandboxConfigSchema } from '../../../src/sandbox/config.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { startProgram, type Running } from '../../support/program.ts'
import { startRedis, type RedisServer } from '../../support/redis-server.ts'
import { measure, type Figures } from './measure.ts'
import type { Scenario } from './scenarios.ts'

const PROCESSES = 4
/** By each process, of threads of five: more where the limit has to be found first. */
const CALLS_TO_FIND = 250
const CALLS = 150
const CALLS_BEFORE = 75
const AWAY_MS = 5000
const keys = Array.from({ length: PROCESSES }, (_, place) => `key-of-process-${place}`)
const fingerprints = keys.map((key) => createHash('sha256').update(key).digest('hex').slice(0, 8))

export async function runScenario(scenario: Scenario): Promise<Figures & { readonly failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-cluster-'))
  const redis = await startRedis()
  try {
    if (scenario.begin === 'learned') await runAll(scenario, 'nothing', CALLS_BEFORE, folder, redis)
    return await runAll(
      scenario,
      scenario.happening,
      scenario.begin === 'auto' ? CALLS_TO_FIND : CALLS,
      folder,
      redis,
    )
  } finally {
    await redis.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runAll(
  { shape, begin, limiter }: Scenario,
  happening: Scenario['happening'],
  calls: number,
  root: string,
  redis: RedisServer,
): Promise<Figures & { readonly failed: number }> {
  const folder = join(root, String(calls))
  mkdirSync(folder)
  const set = join(folder, 'set.csv')
  const rows = Array.from({ length: calls }, (_, place) => `t${Math.floor(place / 5)},Question ${place}?`)
  writeFileSync(set, `thread,message\n${rows.join('\n')}\n`)
  const config = sandboxConfigSchema.parse({
    organizations: { acme: { keys: keys.map((key) => ({ key })) } },
    rateLimit: { rules: [shape.rule], retryAfter: 'none' },
    latency: { kind: 'lognormal', median: '300ms', p95: '900ms' },
  })
  const sandbox = await startSandbox({ config })
  const start = (place: number): Running => {
    const rate = begin === 'known' ? `${shape.perSecond}/s` : 'auto'
    const words = ['run', set, '--base-url', sandbox.url, '--organization', `acme ${root}`, '--rate', rate]
    return startProgram([...words, '--limiter', limiter, '--out', join(folder, `run-${place}`)], {
      cwd: folder,
      env: { ASSIST_API_KEY: keys[place] ?? '', ASSIST_REDIS_URL: redis.url },
    })
  }
  try {
    const middle = (1000 * PROCESSES * calls) / shape.perSecond / 2
    const running = [start(0)]
    // The first is the conductor: it is the one that is killed.
    await sleep(happening === 'one killed' ? 500 : 0)
    const isLate = happening === 'one late'
    for (let place = 1; place < PROCESSES - (isLate ? 1 : 0); place += 1) running.push(start(place))
    let together = [Date.now() + 2000, Infinity] as [number, number]
    let members = fingerprints
    if (happening !== 'nothing') await sleep(middle)
    if (isLate) {
      running.push(start(PROCESSES - 1))
      together = [Date.now() + 2000, Infinity]
    }
    if (happening === 'one killed') {
      running[0]?.signal('SIGKILL')
      members = fingerprints.slice(1)
      together = [Date.now() + 2000, Infinity]
    }
    if (happening === 'Redis away 5 s') {
      await redis.stop()
      await sleep(AWAY_MS)
      await redis.start()
    }
    const living = happening === 'one killed' ? running.slice(1) : running
    const codes = await Promise.all(
      living.map(async ({ ended }) => {
        const { code, stderr } = await ended
        together[1] = Math.min(together[1], Date.now() - 1500)
        if (code !== 0) console.error(stderr)
        return code
      }),
    )
    const ledger = await fetch(`${sandbox.url}/sandbox/usage?detail=calls`, {
      headers: { authorization: `Bearer ${sandbox.adminKey}` },
    })
    const { calls: made } = (await ledger.json()) as { calls: (Omit<Call, 'at'> & { at: string })[] }
    const times = made.map((call) => ({ ...call, at: Date.parse(call.at) }))
    return {
      ...measure(times, shape, members, together),
      failed: codes.filter((code) => code !== 0).length,
    }
  } finally {
    await sandbox.close()
  }
}
