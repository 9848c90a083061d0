// Calls per second, and processor time per thousand calls, of the real commands beside autocannon on the same
// server.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { main } from '../../support/program.ts'
import { BENCH_ENV, median, row, writeQuestions } from '../measured.ts'
import { startBenchServer, type BenchServer } from '../server.ts'
import { pinnedTo, startNginx } from './nginx.ts'

const CONNECTIONS = '50'
const ROUNDS = 3
/** The first seconds are not measured, because the code is not compiled yet. */
const SETTLE_MS = 2500
const MEASURED_MS = 4000
const BODY = JSON.stringify({ message: 'Question 1234?', endUserRef: 'bench-1234-1-1' })

interface Throughput {
  readonly perSecond: number
  /** Milliseconds of the load generator's process: all threads, user and system. */
  readonly cpuMs: number
}

/** Linux only: it reads /proc. */
export async function measureThroughput(folder: string): Promise<void> {
  const nginx = await startNginx(folder)
  const server = nginx ?? (await startBenchServer())
  const [set, out] = [writeQuestions(folder, 4000), join(folder, 'out')]
  const assist = [set, '--base-url', server.url, '--out', out, '--rotating-ids']
  const headers = [`authorization=Bearer ${BENCH_ENV.ASSIST_API_KEY}`, 'content-type=application/json']
  const call = ['-m', 'POST', ...headers.flatMap((header) => ['-H', header]), '-b', BODY]
  const unpaced = ['--rate', 'unlimited', '--concurrency', CONNECTIONS]
  const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
  const contenders = {
    autocannon: [autocannon, ...call, '-c', CONNECTIONS, '-d', '60', `${server.url}/api/v1/assist`],
    'run --rate unlimited': [main, 'run', ...assist, '--repeat', '100', ...unpaced],
    load: [main, 'load', ...assist, '--users', CONNECTIONS, '--duration', '60s'],
  }
  const measured = Object.entries(contenders).map(([name, words]) => ({
    name,
    words,
    rounds: [] as Throughput[],
  }))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { words, rounds } of measured) {
      const [command, ...rest] = pinnedTo(1, [process.execPath, ...words])
      const child = spawn(command, rest, { cwd: folder, env: BENCH_ENV, stdio: 'ignore' })
      const ended = once(child, 'close')
      rounds.push(await measureCalling(child.pid ?? 0, server))
      // Its report is not measured.
      child.kill('SIGKILL')
      await ended
      rmSync(out, { recursive: true, force: true })
    }
  console.log(
    `\n${CONNECTIONS} connections, ${ROUNDS} interleaved rounds, ${nginx?.name ?? 'a server of Node, which is the limit: there is no nginx here'}`,
  )
  row('', 'calls/s', 'CPU ms/k', 'rate', 'CPU')
  const of = (rounds: readonly Throughput[], what: keyof Throughput): number =>
    median(rounds.map((one) => one[what]))
  const [peer] = measured
  for (const { name, rounds } of measured) {
    const [rate, cpu] = [of(rounds, 'perSecond'), of(rounds, 'cpuMs')]
    const ratios = [rate / of(peer?.rounds ?? [], 'perSecond'), cpu / of(peer?.rounds ?? [], 'cpuMs')]
    row(name, rate.toFixed(0), cpu.toFixed(1), ...ratios.map((ratio) => ratio.toFixed(2)))
  }
  console.log("goals: 0.5 of autocannon's rate, 2 times its CPU")
}

/** Measures from the first answers on, without start-up and the first seconds. */
async function measureCalling(pid: number, { answered }: BenchServer): Promise<Throughput> {
  const before = await answered()
  while ((await answered()) < before + 500) await sleep(50)
  await sleep(SETTLE_MS)
  const [begin, cpuAtBegin, callsAtBegin] = [performance.now(), cpuOf(pid), await answered()]
  await sleep(MEASURED_MS)
  const [end, cpuAtEnd, callsAtEnd] = [performance.now(), cpuOf(pid), await answered()]
  const calls = callsAtEnd - callsAtBegin
  return { perSecond: (1000 * calls) / (end - begin), cpuMs: (1000 * (cpuAtEnd - cpuAtBegin)) / calls }
}

/**
 * Milliseconds of processor time so far: fields 14 and 15 of proc(5), counted after the name, which may hold
 * blanks.
 */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks
}
