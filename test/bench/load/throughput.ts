// Requests a second and processor time a thousand requests of the real commands, beside autocannon on the same server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { decodeLine } from '../../../src/journal/line.ts'
import { measureCalling, type Throughput } from './calling-phase.ts'
import { CONNECTIONS, createContenders, temporaryBench, type Contender } from './contenders.ts'
import { CORES, pinnedTo } from './cores.ts'
import { startNginx } from './nginx.ts'
import { startBenchServer, type CountingServer } from './processes.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
/** One line in so many is decoded, its sum too. */
const LOOK_AT_EVERY = 997

/** At least this part of autocannon's rate. */
const GOAL_RATE = 0.5
/** At most so many times autocannon's processor time. */
const GOAL_CPU = 2

/** Prints; throws where a journal does not hold what the server answered. */
export async function measureThroughput(): Promise<void> {
  const server = (await startNginx(CORES?.server ?? 0)) ?? (await startStub())
  const folder = temporaryBench()
  try {
    console.log(
      `\nThroughput over the calling phase: ${CONNECTIONS} connections, ${ROUNDS} interleaved rounds`,
    )
    console.log(`server: ${server.name}`)
    console.log(
      CORES === undefined ? 'not pinned: no taskset, or one core' : 'server and generator on a core each',
    )
    const contenders = createContenders(folder)
    const rounds: Map<string, Throughput>[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const measured = new Map<string, Throughput>()
      for (const contender of contenders)
        measured.set(contender.name, await measureOne(contender, server, folder))
      rounds.push(measured)
    }
    report(contenders, rounds)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startStub(): Promise<CountingServer> {
  console.log('There is no nginx here: a server of Node answers, and is the limit of what can be measured.')
  const { url, stop } = await startBenchServer(CORES?.server)
  return {
    url,
    name: 'a server of Node',
    answered: async () => Number(await (await fetch(`${url}/answered`)).text()),
    stop: async () => void (await stop()),
  }
}

async function measureOne(contender: Contender, server: CountingServer, folder: string): Promise<Throughput> {
  const out = join(folder, 'out')
  const [command, ...words] = pinnedTo(CORES?.generator ?? 0, [
    process.execPath,
    ...contender.words(server.url, out),
  ])
  const env = { ...process.env, ASSIST_API_KEY: 'bench-key-0123456789' }
  const child = spawn(command, words, { cwd: folder, env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const early = ended.then(([code]) => {
    throw new Error(`${contender.name} ended with ${code} before it was measured`)
  })
  const measured = await Promise.race([measureCalling(child.pid ?? 0, server), early])
  early.catch(() => undefined)
  // Ended, not asked to end: what it would report is not measured, and what it has journaled must stand.
  child.kill('SIGKILL')
  await ended
  if (contender.isJournaled) await checkJournal(join(out, 'journal.ndjson'))
  rmSync(out, { recursive: true, force: true })
  return measured
}

/** Every answer is in the journal, whole, but for those under way when the process was ended. */
async function checkJournal(path: string): Promise<void> {
  const counts = { intent: 0, result: 0, outcome: 0 }
  let place = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [, kind = ''] = /^\{"kind":"(\w+)"/.exec(line) ?? []
    if (kind in counts) counts[kind as keyof typeof counts] += 1
    place += 1
    if (place % LOOK_AT_EVERY !== 0) continue
    const decoded = decodeLine(line)
    if (decoded.kind === 'garbled' || !decoded.summed) throw new Error(`line ${place} of ${path}: ${line}`)
  }
  const lost = counts.intent - counts.result
  if (
    counts.result === 0 ||
    lost < 0 ||
    lost > 3 * CONNECTIONS ||
    counts.result - counts.outcome > CONNECTIONS
  )
    throw new Error(`the journal does not hold what was asked: ${JSON.stringify(counts)}`)
}

function report(contenders: readonly Contender[], rounds: readonly Map<string, Throughput>[]): void {
  console.log(
    'generator             requests/s        range   CPU ms a thousand      range  of autocannon: rate, CPU',
  )
  const judgements: string[] = []
  for (const { name, isJournaled } of contenders) {
    const own = rounds.map((round) => round.get(name) ?? NOTHING)
    const peers = rounds.map((round) => round.get(contenders[0]?.name ?? '') ?? NOTHING)
    const ratio = (of: keyof Throughput): number =>
      median(own.map((one, round) => one[of] / (peers[round]?.[of] ?? NaN)))
    const [rates, costs] = [own.map((one) => one.perSecond), own.map((one) => one.cpuMsPerThousand)]
    console.log(
      [
        name.padEnd(20),
        median(rates).toFixed(0).padStart(11),
        range(rates, 0).padStart(13),
        median(costs).toFixed(1).padStart(18),
        range(costs, 1).padStart(12),
        `  ${ratio('perSecond').toFixed(2)}, ${ratio('cpuMsPerThousand').toFixed(2)}`,
      ].join(' '),
    )
    if (isJournaled) judgements.push(judge(name, ratio('perSecond'), ratio('cpuMsPerThousand')))
  }
  console.log(`goals: ${GOAL_RATE} of autocannon's rate, ${GOAL_CPU} times its CPU`)
  for (const judgement of judgements) console.log(judgement)
}

function judge(name: string, rate: number, cost: number): string {
  return [
    name.padEnd(20),
    `rate ${rate >= GOAL_RATE ? 'reached' : 'missed'} (${rate.toFixed(2)}),`,
    `CPU ${cost <= GOAL_CPU ? 'kept' : 'missed'} (${cost.toFixed(2)})`,
  ].join(' ')
}

const NOTHING: Throughput = { perSecond: NaN, cpuMsPerThousand: NaN }
const range = (values: readonly number[], digits: number): string =>
  `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
