// Several processes of the built program on one Redis against one limit of the sandbox, and what its ledger says of them.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../../../src/sandbox/ledger.ts'
import { sandboxConfigSchema } from '../../../src/sandbox/config.ts'
import { startSandbox } from '../../../src/sandbox/server.ts'
import { startProgram, type Running } from '../../support/program.ts'
import { startRedis } from '../../support/redis-server.ts'

export interface Scenario {
  readonly name: string
  readonly rule: object
  /** Calls a second that the limit keeps up. */
  readonly perSecond: number
  readonly processes: number
  /** Of all together. */
  readonly calls: number
  readonly isKnown?: boolean
  /** In the middle of the run. */
  readonly happening?: 'one killed' | 'one late' | 'Redis stopped'
}

export interface Figures {
  readonly accepted: number
  readonly seconds: number
  /** Accepted calls against what the limit keeps up from the first call to the last, %. */
  readonly share: number
  /** Refused calls of all, %. */
  readonly refused: number
  /** Jain's index over the calls of the members, while all of them were at work. */
  readonly fairness: number
  readonly faults: readonly string[]
}

export const isReached = ({ share, refused, fairness, faults }: Figures, { happening }: Scenario): boolean =>
  faults.length === 0 && refused <= 2 && (happening === 'Redis stopped' || (share >= 95 && fairness >= 0.95))

/** From when all have begun to when the first ends. */
const BEGIN_MS = 3000
const END_MS = 1500

export async function runScenario({ rule, ...scenario }: Scenario): Promise<Figures> {
  const { processes, perSecond, calls, isKnown = false, happening } = scenario
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-cluster-'))
  const keys = Array.from({ length: processes }, (_, place) => `key-of-process-${place}`)
  const redis = await startRedis()
  const config = sandboxConfigSchema.parse({
    organizations: { acme: { keys: keys.map((key) => ({ key })) } },
    rateLimit: { rules: [rule], retryAfter: 'none' },
    latency: { kind: 'lognormal', median: '300ms', p95: '900ms' },
  })
  const sandbox = await startSandbox({ config })
  const set = join(folder, 'set.csv')
  const rows = Array.from(
    { length: Math.ceil(calls / processes) },
    (_, place) => `t${Math.floor(place / 5)},Question ${place}?`,
  )
  writeFileSync(set, `thread,message\n${rows.join('\n')}\n`)
  const out = (place: number): string => join(folder, `run-${place}`)
  const start = (place: number, words?: readonly string[]): Running => {
    const rate = isKnown ? `${perSecond}/s` : 'auto'
    const fresh = ['run', set, '--base-url', sandbox.url, '--organization', 'acme', '--rate', rate]
    // Enough calls in flight for the pace, at answers of a second.
    const concurrency = ['--concurrency', String(Math.max(64, perSecond))]
    return startProgram(words ?? [...fresh, ...concurrency, '--limiter', 'redis', '--out', out(place)], {
      cwd: folder,
      env: { ASSIST_API_KEY: keys[place] ?? '', ASSIST_REDIS_URL: redis.url },
    })
  }
  const faults: string[] = []
  const endWith = async (running: readonly Running[], code: number): Promise<void> => {
    const ended = await Promise.all(running.map(async (one) => one.ended))
    for (const one of ended) if (one.code !== code) faults.push(`ended with ${one.code}: ${one.stderr}`)
  }
  try {
    const late = happening === 'one late' ? 1 : 0
    const running = Array.from({ length: processes - late }, (_, place) => start(place))
    let together = Date.now() + BEGIN_MS
    let members = keys
    if (happening !== undefined) {
      await sleep((1000 * calls) / perSecond / 2)
      if (happening !== 'Redis stopped') together = Date.now() + BEGIN_MS
    }
    if (late > 0) running.push(start(processes - 1))
    if (happening === 'one killed') {
      running.shift()?.signal('SIGKILL')
      members = keys.slice(1)
    }
    let end = Infinity
    void Promise.any(running.map(async ({ ended }) => ended)).then(() => {
      end = Date.now() - END_MS
    })
    if (happening === 'Redis stopped') {
      await redis.stop()
      await endWith(running, 4)
      await redis.start()
      await endWith(
        keys.map((_, place) => start(place, ['run', '--resume', out(place)])),
        0,
      )
    } else await endWith(running, 0)
    const ledger = await fetch(`${sandbox.url}/sandbox/usage?detail=calls`, {
      headers: { authorization: `Bearer ${sandbox.adminKey}` },
    })
    const { calls: made } = (await ledger.json()) as { calls: (Omit<Call, 'at'> & { at: string })[] }
    const times = made.map(({ at }) => Date.parse(at))
    const accepted = made.filter(({ outcome }) => outcome === 'answered')
    const seconds = (Math.max(...times) - Math.min(...times)) / 1000
    const counts = members.map((key) => {
      const fingerprint = createHash('sha256').update(key).digest('hex').slice(0, 8)
      const isTogether = (at: number): boolean => at >= together && at <= end
      return accepted.filter((call) => call.keyFingerprint === fingerprint && isTogether(Date.parse(call.at)))
        .length
    })
    return {
      accepted: accepted.length,
      seconds,
      share: (100 * accepted.length) / (perSecond * seconds),
      refused: (100 * (made.length - accepted.length)) / made.length,
      fairness: jain(counts),
      faults,
    }
  } finally {
    await sandbox.close()
    await redis.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** 1 where all have the same, 1/n where one has everything (Jain, Chiu and Hawe, 1984). */
function jain(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value * value, 0)
  return squares === 0 ? 1 : (sum * sum) / (values.length * squares)
}
