// `npm run bench -- cluster [WORD..]`: 1, 3 and 8 processes of the built program share a pace through Redis
// against one limit of the sandbox; figures beside their goals. Words select scenarios by name.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { startProgram, type Running } from '../support/program.ts'
import { startRedis } from '../support/redis-server.ts'
import { callsOf } from '../support/sandbox-usage.ts'
import { inFolder, row, writeQuestions } from './measured.ts'

interface Scenario {
  readonly name: string
  readonly rule: object
  /** `perSecond`: the sustained rate of the limit; `calls`: total of all processes. */
  readonly perSecond: number
  readonly calls: number
  readonly processes: number
  /** The processes get the limit as `--rate`. */
  readonly isKnown?: boolean
  /** What happens in the middle of the run. */
  readonly happening?: 'one killed' | 'one late' | 'Redis stopped'
}

const bucket = { kind: 'token-bucket', limit: 15, window: '1s', burst: 15 }
const fixed = { kind: 'fixed-window', limit: 30, window: '2s' }
const sliding = { kind: 'sliding-window', limit: 150, window: '10s' }
const known = { perSecond: 15, calls: 600, isKnown: true }
const scenarios: readonly Scenario[] = [
  ...[1, 3, 8].flatMap((processes) => {
    const unknown = { perSecond: 15, calls: 1000, processes }
    return [
      { ...unknown, name: `${processes}, token bucket 15/s b15, auto`, rule: bucket },
      { ...unknown, name: `${processes}, fixed window 30/2s, auto`, rule: fixed },
      { ...unknown, name: `${processes}, sliding window 150/10s, auto`, rule: sliding },
    ]
  }),
  { ...known, name: '3, token bucket 15/s b15, --rate', rule: bucket, processes: 3 },
  { ...known, name: '8, token bucket 15/s b15, --rate', rule: bucket, processes: 8 },
  ...(['one killed', 'one late', 'Redis stopped'] as const).map((happening) => {
    const name = `3, sliding window, --rate, ${happening}`
    return { ...known, name, rule: sliding, processes: 3, happening }
  }),
  {
    name: '3, token bucket 300/s, --rate',
    rule: { ...bucket, limit: 300, burst: 300 },
    processes: 3,
    perSecond: 300,
    calls: 3000,
    isKnown: true,
  },
]

/** The key of another organization. */
const WARMING = 'key-of-nobody'

const fingerprintOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 8)

const words = process.argv.slice(2)
console.log('share: accepted calls against the sustained rate of the limit, from first to last call, %')
console.log('goals: share 95, 429s 2 %, Jain 0.95; a stopped Redis: all end with 4 and resume\n')
row('processes, limit', 'calls', 'seconds', 'share', '429s', 'Jain')
for (const scenario of scenarios)
  if (words.every((word) => scenario.name.includes(word)))
    await inFolder(async (folder) => play(scenario, folder))

async function play(scenario: Scenario, folder: string): Promise<void> {
  const { name, rule, processes, perSecond, calls, isKnown = false, happening } = scenario
  const keys = Array.from({ length: processes }, (_, place) => `key-of-process-${place}`)
  const redis = await startRedis()
  const config = sandboxConfigSchema.parse({
    organizations: { acme: { keys: keys.map((key) => ({ key })) }, other: { keys: [{ key: WARMING }] } },
    rateLimit: { rules: [rule], retryAfter: 'none' },
    latency: { kind: 'lognormal', median: '300ms', p95: '900ms' },
  })
  const sandbox = await startSandbox({ config })
  // A desk is not cold: the sandbox's first answer takes 0.2 s, by which a window would begin later than its
  // first call.
  const { status } = await fetch(`${sandbox.url}/api/v1/assist`, {
    method: 'POST',
    headers: { authorization: `Bearer ${WARMING}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Is anybody there?' }),
  })
  if (status !== 200) throw new Error(`the sandbox answers ${status}`)
  const set = writeQuestions(folder, Math.ceil(calls / processes), 5)
  const organization = ['--base-url', sandbox.url, '--organization', 'acme', '--limiter', 'redis']
  const pace = ['--rate', isKnown ? `${perSecond}/s` : 'auto', '--concurrency', `${Math.max(64, perSecond)}`]
  const fresh = ['run', set, ...organization, ...pace]
  const start = (place: number, typed = [...fresh, '--out', `run-${place}`]): Running =>
    startProgram(typed, {
      cwd: folder,
      env: { ASSIST_API_KEY: keys[place] ?? '', ASSIST_REDIS_URL: redis.url },
    })
  const endWith = async (running: readonly Running[], code: number): Promise<void> => {
    for (const { ended } of running) {
      const { code: actual, stderr } = await ended
      if (actual !== code) console.log(`  ended with ${actual}, not ${code}: ${stderr.slice(-300)}`)
    }
  }
  const isLate = happening === 'one late'
  const running = keys.slice(isLate ? 1 : 0).map((_, place) => start(place))
  let [together, end, members] = [Date.now() + 3000, Infinity, keys]
  if (happening !== undefined) await sleep((1000 * calls) / perSecond / 2)
  if (isLate) running.push(start(processes - 1))
  if (happening === 'one killed') {
    running.shift()?.signal('SIGKILL')
    members = keys.slice(1)
  }
  if (isLate || happening === 'one killed') together = Date.now() + 3000
  // From the time when all have started until the first ends.
  void Promise.any(running.map(async ({ ended }) => ended)).then(() => {
    end = Date.now() - 1500
  })
  if (happening === 'Redis stopped') {
    await redis.stop()
    await endWith(running, 4)
    await redis.start()
    await endWith(
      keys.map((_, place) => start(place, ['run', '--resume', `run-${place}`])),
      0,
    )
  } else await endWith(running, 0)
  const ofAcme = new Set(keys.map(fingerprintOf))
  const made = (await callsOf(sandbox)).filter(({ keyFingerprint }) => ofAcme.has(keyFingerprint))
  const accepted = made.filter(({ outcome }) => outcome === 'answered')
  const times = made.map(({ at }) => Date.parse(at))
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  const counts = members.map((key) => {
    const fingerprint = fingerprintOf(key)
    const own = accepted.filter((call) => call.keyFingerprint === fingerprint).map(({ at }) => Date.parse(at))
    return own.filter((at) => at >= together && at <= end).length
  })
  const share = (100 * accepted.length) / (perSecond * seconds)
  const refused = 100 - (100 * accepted.length) / made.length
  const figures = [seconds.toFixed(1), share.toFixed(1), refused.toFixed(2), jainIndex(counts).toFixed(3)]
  row(name, accepted.length, ...figures)
  await sandbox.close()
  await redis.close()
}

/** Fairness: 1 if all have the same, 1/n if one has everything (Jain, Chiu and Hawe, 1984). */
function jainIndex(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value ** 2, 0)
  return squares === 0 ? 1 : sum ** 2 / (values.length * squares)
}
