// Offered arrivals of the built program over HTTP, against the timetable: which were sent, when they were due, how late.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manifestSchema } from '../../../src/domain/manifest.ts'
import { readJournal } from '../../../src/journal/read.ts'
import { createTimetable } from '../../../src/runner/load/timetable.ts'
import { createRandomStreams } from '../../../src/stats/random.ts'
import { main } from '../../support/program.ts'
import type { BenchServer } from './processes.ts'

const RATES = [
  [1, 10],
  [50, 8],
  [500, 8],
  [2000, 8],
] as const

export async function measureArrivals({ url }: BenchServer): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))
  const set = join(folder, 'set.csv')
  writeFileSync(set, `message\n${Array.from({ length: 100 }, (_, i) => `Question ${i}?`).join('\n')}\n`)
  console.log('Arrivals over HTTP; a lag is what the generator was late by, milliseconds')
  console.log(
    'offered          due     sent  dropped  missed  due off by  lag p50    p99    max  busiest 1 s',
  )
  try {
    for (const arrivals of ['constant', 'poisson'] as const)
      for (const [rate, seconds] of RATES) {
        const out = join(folder, `${arrivals}-${rate}`)
        const words = ['load', set, '--base-url', url, '--arrival-rate', `${rate}/s`, '--out', out]
        await runProgram([...words, '--duration', `${seconds}s`, '--arrivals', arrivals], folder)
        await report(`${rate}/s ${arrivals}`, out)
      }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runProgram(words: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, ASSIST_API_KEY: 'bench-key-0123456789' }
  const child = spawn(process.execPath, [main, ...words], { cwd, env, stdio: 'ignore' })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`load ended with ${code}`)
}

async function report(name: string, out: string): Promise<void> {
  const { load } = manifestSchema.parse(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')))
  if (load?.model.kind !== 'open') throw new Error(`${out} is no open load test`)
  const timetable = createTimetable(load.model.stages, load.model.arrivals, createRandomStreams(load.seed)(0))
  const expected: number[] = []
  for (let one = timetable.next(); one !== undefined; one = timetable.next()) expected.push(one)

  const due = new Map<number, number>()
  const lags: number[] = []
  const sentIn = new Map<number, number>()
  let [sent, dropped] = [0, 0]
  for await (const entry of readJournal(join(out, 'journal.ndjson'))) {
    if (entry.kind !== 'record') continue
    const { record } = entry
    if (record.kind === 'result') lags.push(record.lagMs ?? NaN)
    if (record.kind === 'intent') {
      sent += 1
      const second = Math.floor(record.at / 1000)
      sentIn.set(second, (sentIn.get(second) ?? 0) + 1)
    }
    if (record.kind === 'dropped') dropped += 1
    if (record.kind === 'intent' || record.kind === 'dropped')
      due.set(record.arrival ?? -1, record.dueAt ?? NaN)
  }
  const start = (due.get(0) ?? NaN) - (expected[0] ?? NaN)
  const misses = expected.map((moment, arrival) => Math.abs((due.get(arrival) ?? Infinity) - start - moment))
  const missed = misses.filter((one) => one === Infinity).length
  const off = misses.reduce((most, one) => (one === Infinity ? most : Math.max(most, one)), 0)
  const sorted = [...lags].sort((a, b) => a - b)
  const at = (share: number): string =>
    (sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN).toFixed(2).padStart(6)
  const counts = [expected.length, sent, dropped, missed].map((count) => String(count).padStart(7)).join('  ')
  console.log(
    `${name.padEnd(14)} ${counts}  ${off.toFixed(3).padStart(7)} ms  ${at(0.5)} ${at(0.99)} ${at(1)}  ${String(Math.max(...sentIn.values())).padStart(11)}`,
  )
}
