// Protects sharding: the shards of a set, merged, equal the run of one process.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { merge } from '../../src/library/index.ts'
import { temporaryPaths } from '../support/temporary.ts'
import {
  journalLines,
  copyKilledRun,
  readRun,
  resumeRun,
  startRun,
  threadOf,
  type Row,
  type RunOptions,
} from './harness.ts'
import { csvOf, steadyEndpoint, worlds } from './worlds.ts'

const newRun = temporaryPaths()

const split = fc.record({
  lengths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 10 }),
  of: fc.integer({ min: 1, max: 5 }),
  repeats: fc.integer({ min: 1, max: 2 }),
  seed: fc.nat({ max: 1000 }),
})

const idsOf = (counts: readonly number[]): string[] =>
  counts.flatMap((count, thread) => Array.from({ length: count }, (_, turn) => `t${thread + 1}.${turn + 1}`))

/** Without the columns that depend on the clock and on the numbers of calls. */
const comparable = (rows: readonly Row[]): Record<string, string>[] =>
  rows.map(({ wait_ms: _wait, latency_ms: _latency, conversation_id: _id, ...row }) => row)

const outcomesOf = (rows: readonly Row[]): string[][] =>
  rows.map(({ id = '', repeat = '', outcome = '', answer = '' }) => [id, repeat, outcome, answer])

async function runShards(csv: string, seed: number, options: RunOptions, of: number): Promise<string[]> {
  const paths: string[] = []
  for (let index = 1; index <= of; index += 1) {
    const path = newRun()
    await startRun(path, csv, steadyEndpoint(seed), { ...options, shard: `${index}/${of}` })
    paths.push(path)
  }
  return paths
}

describe('the shards of a set', () => {
  test('hold each thread once and whole, and merge into the run that was not split', async () => {
    await fc.assert(
      fc.asyncProperty(split, async ({ lengths: counts, of, repeats, seed }) => {
        const ids = idsOf(counts)
        const csv = csvOf(ids)
        const options = { repeat: repeats, concurrency: 2 }
        const whole = newRun()
        await startRun(whole, csv, steadyEndpoint(seed), options)
        const shards = await runShards(csv, seed, options, of)
        const readings = await Promise.all(shards.map(readRun))

        const threads = readings.flatMap(({ rows }) => [...new Set(rows.map(({ id = '' }) => threadOf(id)))])
        expect(new Set(threads).size).toBe(threads.length)
        expect(readings.flatMap(({ rows }) => rows.map(({ id = '' }) => id)).toSorted()).toEqual(
          ids.flatMap((id) => Array.from({ length: repeats }, () => id)).toSorted(),
        )

        const joined = newRun()
        await merge({ runs: shards.toReversed(), out: joined })
        const [one, other] = [await readRun(whole), await readRun(joined)]
        expect(comparable(other.rows)).toEqual(comparable(one.rows))
        expect(other.figures).toEqual(one.figures)
        expect(other.account).toEqual(one.account)
        expect(one.rows.every(({ outcome }) => outcome !== '')).toBe(true)
      }),
      { numRuns: worlds(25) },
    )
  })

  test('merge into the same run after a kill and a resume', async () => {
    const csv = csvOf(idsOf([2, 3, 1, 4, 2, 3]))
    const options = { concurrency: 2 }
    const whole = newRun()
    await startRun(whole, csv, steadyEndpoint(3), options)
    const wanted = outcomesOf((await readRun(whole)).rows)
    const shards = await runShards(csv, 3, options, 2)
    const [first = '', second = ''] = shards
    const lines = journalLines(first)
    for (let kept = 0; kept < lines.length; kept += 15 - worlds(12)) {
      const resumed = newRun()
      copyKilledRun(first, resumed, lines.slice(0, kept).join(''))
      expect((await resumeRun(resumed, steadyEndpoint(3), options)).stop).toBe('done')
      const joined = newRun()
      await merge({ runs: [resumed, second], out: joined })
      const { rows, account } = await readRun(joined)
      expect(outcomesOf(rows)).toEqual(wanted)
      const [one, other] = [(await readRun(resumed)).account, (await readRun(second)).account]
      expect(account).toEqual({
        attempts: one.attempts + other.attempts,
        min: one.min + other.min,
        max: one.max + other.max,
      })
    }
  })
})
