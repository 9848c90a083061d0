// `npm run bench -- start`: how long a command takes to its first word, and a run to its first call, beside a bare `node -e 0`.
// Medians of alternating starts, so that what else the machine does meets all alike; CPU time beside the clock's.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { main, projectRoot } from '../support/program.ts'

const STARTS = 15
/** Milliseconds of processor time in a tick of the kernel's accounts. */
const TICK_MS = 10

interface Start {
  readonly wallMs: number
  /** Undefined where the system does not tell. */
  readonly cpuMs: number | undefined
}

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-start-'))
const small = join(folder, 'small.csv')
writeFileSync(small, 'message\nHow do I reset my password?\nWho fixes the printer?\n')
const quickstart = join(projectRoot, 'datasets/quickstart.csv')
const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ASSIST_API_KEY: 'bench-key-0123456789' }

/** From its start to its end, as bash accounts for it. */
function whole(words: readonly string[]): Start {
  const timed = ['-c', 'TIMEFORMAT=\'%3R %3U %3S\'; time "$@" > /dev/null 2>&1', 'bash', process.execPath]
  const { stderr } = spawnSync('bash', [...timed, ...words], { cwd: folder, env, encoding: 'utf8' })
  const [real = NaN, user = NaN, system = NaN] = stderr.trim().split(' ').map(Number)
  return { wallMs: real * 1000, cpuMs: (user + system) * 1000 }
}

const ANSWER = JSON.stringify({
  conversationId: 'c',
  message: 'm',
  status: 'success',
  contextSource: 'KNOWLEDGE_BASE',
})
let runs = 0

/** To the moment in which a bare server of this process has the run's first call. */
async function toFirstCall(server: Server, set: string): Promise<Start> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const startedAt = performance.now()
  runs += 1
  const words = ['run', set, '--base-url', url, '--rotating-ids', '--out', join(folder, `run-${runs}`)]
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const called = once(server, 'request').then(() => performance.now())
  const calledAt = await Promise.race([called, ended.then(() => undefined)])
  if (calledAt === undefined) throw new Error(`${words.join(' ')} ended without a call`)
  const cpuMs = cpuOf(child.pid ?? 0)
  child.kill('SIGKILL')
  await ended
  return { wallMs: calledAt - startedAt, cpuMs }
}

/** User and system time of a process (proc(5): fields 14 and 15); only Linux tells. */
function cpuOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}

/** `--sandbox` is its own endpoint: the first answer that a line of --debug tells of stands for the call. */
async function toFirstSandboxAnswer(): Promise<Start> {
  const startedAt = performance.now()
  runs += 1
  const words = ['run', quickstart, '--sandbox', '--debug', '--out', join(folder, `run-${runs}`)]
  const child = spawn(process.execPath, [main, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  for await (const text of child.stderr.setEncoding('utf8')) {
    said += String(text)
    if (/ 200 /.test(said)) break
  }
  const wallMs = performance.now() - startedAt
  const cpuMs = cpuOf(child.pid ?? 0)
  child.kill('SIGKILL')
  await ended
  return { wallMs, cpuMs }
}

const server = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER))
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})

const cases: [name: string, goalMs: number | undefined, start: () => Promise<Start>][] = [
  ['node -e 0', undefined, async () => whole(['-e', '0'])],
  ['assist-harness --help', 150, async () => whole([main, '--help'])],
  ['assist-harness run --help', undefined, async () => whole([main, 'run', '--help'])],
  ['first call, 2 questions', 400, async () => toFirstCall(server, small)],
  ['first call, quickstart.csv', 400, async () => toFirstCall(server, quickstart)],
  ['first answer, --sandbox', undefined, toFirstSandboxAnswer],
]
const starts = cases.map((): Start[] => [])
for (let round = 0; round < STARTS; round += 1)
  for (const [place, [, , start]] of cases.entries()) starts[place]?.push(await start())
server.close()
rmSync(folder, { recursive: true, force: true })

function median(numbers: readonly (number | undefined)[]): number {
  const known = numbers.filter((one) => one !== undefined).sort((some, other) => some - other)
  return known[Math.floor(known.length / 2)] ?? NaN
}

const figures = cases.map(([name, goalMs], place) => {
  const own = starts[place] ?? []
  const walls = own.map(({ wallMs }) => wallMs)
  return {
    name,
    goalMs,
    wall: median(walls),
    least: Math.min(...walls),
    cpu: median(own.map((s) => s.cpuMs)),
  }
})
const [bare] = figures
console.log(
  `Node ${process.version}, ${availableParallelism()} cores, medians of ${STARTS} alternating starts\n`,
)
console.log('| what | ms | least | goal | CPU ms | of a bare node, by CPU |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
for (const { name, goalMs, wall, least, cpu } of figures) {
  console.log(
    `| ${name} | ${wall.toFixed(0)} | ${least.toFixed(0)} | ${goalMs ?? ''} | ${cpu.toFixed(0)} | ${(cpu / (bare?.cpu ?? NaN)).toFixed(2)} |`,
  )
}
