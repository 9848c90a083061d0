// `npm run bench -- cluster`: processes of the built program share a pace through Redis against one limit of the
// sandbox, beside the goals: all whole, Redis 60 ms away, and one of three killed in the middle.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { startProgram } from '../support/program.ts'
import { startRedis } from '../support/redis-server.ts'
import { callsOf } from '../support/sandbox-usage.ts'
import { type GoalName, goalOf } from './goals.ts'
import { BENCH_ENV, inFolder, row, writeQuestions } from './measured.ts'

const PER_SECOND = 15
const CALLS = 600
interface Scenario {
  readonly name: string
  readonly processes: number
  readonly rate: string
  readonly awayMs?: number
  readonly kills?: boolean
  /** Of the accepted calls against the sustained rate of the limit. */
  readonly goal: GoalName
}

const KNOWN = `${PER_SECOND}/s`
const SCENARIOS: readonly Scenario[] = [
  { name: '3 processes, auto', processes: 3, rate: 'auto', goal: 'oneKilled' },
  { name: '3 processes, --rate', processes: 3, rate: KNOWN, goal: 'farRedis' },
  { name: '1 process, Redis 60 ms away', processes: 1, rate: KNOWN, awayMs: 60, goal: 'farRedis' },
  { name: '3 processes, one killed', processes: 3, rate: 'auto', kills: true, goal: 'oneKilled' },
]

row('token bucket 15/s b15', 'accepted', 'seconds', 'share', '429s', 'goal')
row('', '', '', '', goalOf('refusedOfShared'))
for (const scenario of SCENARIOS) await inFolder(async (folder) => play(scenario, folder))

async function play(scenario: Scenario, folder: string): Promise<void> {
  const { name, processes, rate, awayMs = 0, kills = false, goal } = scenario
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
  const far = await delayed(redis.port, awayMs / 2)
  const set = writeQuestions(folder, CALLS / processes, 5)
  const words = `run ${set} --base-url ${sandbox.url} --organization acme --limiter redis --rate ${rate} --out`
  const env = { ...BENCH_ENV, ASSIST_REDIS_URL: `redis://127.0.0.1:${far.port}` }
  const running = Array.from({ length: processes }, (_, index) =>
    startProgram([...words.split(' '), `run-${index}`], { cwd: folder, env }),
  )
  if (kills) {
    await sleep((1000 * CALLS) / PER_SECOND / 2)
    running.shift()?.signal('SIGKILL')
  }
  for (const { ended } of running) {
    const { code, stderr } = await ended
    if (code !== 0) console.log(`  ended with ${code}: ${stderr.slice(-300)}`)
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

/** A way to a port of this machine that takes that many milliseconds in each direction. */
async function delayed(port: number, ms: number) {
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), ms))
    from.on('close', () => setTimeout(() => to.destroy(), ms))
    from.on('error', () => undefined)
  }
  const server = createServer((socket) => {
    const there = connect(port, '127.0.0.1')
    pass(socket, there)
    pass(there, socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
