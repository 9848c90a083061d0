// `npm run bench -- cluster [WORD]`: processes of the built program share a pace through Redis against one
// limit of the sandbox, beside the goals: all whole, Redis 60 ms away, slow for a while, and one of three
// killed. WORD chooses the scenarios with that word in their names.
import { setTimeout as sleep } from 'node:timers/promises'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { type FarRedis, startFarRedis } from '../support/far-redis.ts'
import { type Running, startProgram } from '../support/program.ts'
import { startRedis } from '../support/redis-server.ts'
import { callsOf } from '../support/sandbox-usage.ts'
import { type GoalName, goalOf } from './goals.ts'
import { BENCH_ENV, inFolder, row, writeQuestions } from './measured.ts'

const PER_SECOND = 20
const CALLS = 600
const AWAY_MS = 60

/** Happens in the middle: to the way to Redis, or to processes, which it takes out. */
type Spell = (far: FarRedis, running: Running[]) => unknown

const stall: Spell = (far) => far.stall(4000)
const slow: Spell = async (far) => {
  far.delay(250)
  await sleep(5000)
  far.delay(AWAY_MS / 2)
}
const kill: Spell = (_, running) => running.shift()?.signal('SIGKILL')
/** Each with its processes, its rate, the way to Redis in ms, and the goal of its calls against the limit's rate. */
const SCENARIOS: readonly (readonly [string, number, string, number, GoalName, Spell?])[] = [
  ['auto', 3, 'auto', 0, 'oneKilled'],
  ['--rate', 3, `${PER_SECOND}/s`, 0, 'farRedis'],
  ['one killed, auto', 3, 'auto', 0, 'oneKilled', kill],
  ['60 ms away, --rate', 1, `${PER_SECOND}/s`, AWAY_MS, 'farRedis'],
  ['60 ms away, --rate', 3, `${PER_SECOND}/s`, AWAY_MS, 'farRedis'],
  ['60 ms away, auto', 1, 'auto', AWAY_MS, 'farRedis'],
  ['60 ms away, auto', 3, 'auto', AWAY_MS, 'farRedis'],
  ['stalled 4 s, --rate', 3, `${PER_SECOND}/s`, AWAY_MS, 'oneKilled', stall],
  ['500 ms for 5 s, auto', 3, 'auto', AWAY_MS, 'oneKilled', slow],
]

const [word = ''] = process.argv.slice(2)
row(`token bucket ${PER_SECOND}/s b${PER_SECOND}`, 'accepted', 'seconds', 'share', '429s', 'goal')
row('', '', '', '', goalOf('refusedOfShared'))
for (const scenario of SCENARIOS) {
  const [what, processes] = scenario
  const name = `${processes} ${processes === 1 ? 'process' : 'processes'}, ${what}`
  if (name.includes(word)) await inFolder(async (folder) => play(name, scenario, folder))
}

async function play(
  name: string,
  [, processes, rate, awayMs, goal, spell]: (typeof SCENARIOS)[number],
  folder: string,
): Promise<void> {
  const redis = await startRedis()
  const config = sandboxConfigSchema.parse({
    organizations: { acme: { keys: [{ key: BENCH_ENV.ASSIST_API_KEY }] } },
    rateLimit: {
      rules: [{ kind: 'token-bucket', limit: PER_SECOND, window: '1s', burst: PER_SECOND }],
      retryAfter: 'none',
    },
    latency: { kind: 'lognormal', median: '300ms', p95: '900ms' },
  })
  const sandbox = await startSandbox({ config })
  const far = await startFarRedis(redis.port, awayMs / 2)
  const set = writeQuestions(folder, CALLS / processes, 5)
  const words = `run ${set} --base-url ${sandbox.url} --limiter redis --rate ${rate} --out`
  const env = { ...BENCH_ENV, ASSIST_REDIS_URL: far.url }
  const running = Array.from({ length: processes }, (_, index) =>
    startProgram([...words.split(' '), `run-${index}`], { cwd: folder, env }),
  )
  if (spell !== undefined) {
    while ((await callsOf(sandbox)).length < CALLS / 2) await sleep(200)
    await spell(far, running)
  }
  for (const { ended } of running) {
    const { code, screen } = await ended
    if (code !== 0) console.log(`  ended with ${code}: ${screen.slice(-300)}`)
  }
  const calls = await callsOf(sandbox)
  const accepted = calls.filter(({ outcome }) => outcome === 'answered').length
  const times = calls.map(({ at }) => Date.parse(at))
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  const share = (100 * accepted) / (PER_SECOND * seconds)
  const refused = 100 - (100 * accepted) / calls.length
  row(name, accepted, ...[seconds, share, refused].map((figure) => figure.toFixed(1)), goalOf(goal))
  far.close()
  await sandbox.close()
  await redis.close()
}
