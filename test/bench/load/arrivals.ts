// Offered arrivals of the built program over HTTP, against the timetable: which were sent, when they were due, how late.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestSchema } from '../../../src/domain/manifest.ts'
import { readJournal } from '../../../src/journal/read.ts'
import { createTimetable } from '../../../src/runner/load/timetable.ts'
import { nearestRank, sortSamples } from '../../../src/stats/quantile.ts'
import { measure, row, writeQuestions } from '../measured.ts'
import { startBenchServer } from '../server.ts'

const RATES = [1, 50, 500, 2000]

export async function measureArrivals(folder: string): Promise<void> {
  const server = await startBenchServer()
  const set = writeQuestions(folder, 100)
  console.log('Arrivals over HTTP; a lag is what the generator was late by, milliseconds')
  row('offered', 'due', 'sent', 'dropped', 'missed', 'off by', 'lag p50', 'p99', 'max')
  for (const rate of RATES) {
    const out = join(folder, String(rate))
    const offer = ['--arrival-rate', `${rate}/s`, '--duration', '8s']
    await measure(folder, ['load', set, '--base-url', server.url, '--out', out, ...offer])
    await report(`${rate}/s`, out)
  }
  await server.stop()
}

async function report(name: string, out: string): Promise<void> {
  const { load } = manifestSchema.parse(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')))
  if (load?.model.kind !== 'open') throw new Error(`${out} is no open load test`)
  const timetable = createTimetable(load.model.stages)
  const expected: number[] = []
  for (let one = timetable.next(); one !== undefined; one = timetable.next()) expected.push(one)
  const due = new Map<number, number>()
  const lags: number[] = []
  let [sent, dropped] = [0, 0]
  for await (const entry of readJournal(join(out, 'journal.ndjson'))) {
    if (entry.kind !== 'record') continue
    const { record } = entry
    if (record.kind === 'result') lags.push(record.lagMs ?? NaN)
    if (record.kind === 'intent') sent += 1
    if (record.kind === 'dropped') dropped += 1
    if (record.kind === 'intent' || record.kind === 'dropped')
      due.set(record.arrival ?? -1, record.dueAt ?? NaN)
  }
  const start = (due.get(0) ?? NaN) - (expected[0] ?? NaN)
  const misses = expected.flatMap((moment, arrival) => Math.abs((due.get(arrival) ?? NaN) - start - moment))
  const met = misses.filter((miss) => !Number.isNaN(miss))
  const samples = sortSamples(lags)
  const lag = (share: number): string => nearestRank(samples, share)?.toFixed(2) ?? ''
  const off = met.reduce((most, one) => Math.max(most, one), 0).toFixed(3)
  row(name, expected.length, sent, dropped, misses.length - met.length, off, lag(0.5), lag(0.99), lag(1))
}
