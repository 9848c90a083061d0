// No call of a run, its copies, its parts and their wholes counts twice, and what is left out says why.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countedOnce } from '../../../src/analysis/history/counted-once.ts'
import type { RecordedRun } from '../../../src/analysis/history/recorded-run.ts'
import { nightOf, type Night } from '../../support/nights.ts'
import { recordedNight } from '../../support/recorded-nights.ts'

interface Made extends Partial<Night> {
  readonly folder?: string
  readonly parts?: readonly string[]
  readonly shard?: string
  readonly endedAt?: string | null
}

const make = (id: string, { folder = id, parts = [], shard, endedAt, ...night }: Made = {}): RecordedRun =>
  recordedNight(
    { startedAt: nightOf(0), id, ...night, ...(endedAt === undefined ? {} : { manifest: { endedAt } }) },
    { folder, parts: [...parts], shard: shard ?? null },
  )
const calls = (count: number): Pick<Night, 'calls'> => ({ calls: [count, count] })
const part = (index: number, more: Made = {}): RecordedRun =>
  make(`p${index}`, { shard: `${index}/3`, ...calls(10), ...more })

const outcome = (runs: readonly RecordedRun[]) => {
  const once = countedOnce(runs)
  expect(countedOnce(runs.toReversed())).toMatchObject({ runs: once.runs })
  return {
    kept: once.runs.map(({ folder }) => folder).sort(),
    calls: once.runs.reduce((sum, { summary }) => sum + summary.quota.max, 0),
    leftOut: Object.fromEntries(once.doubled.map(({ folder, reason }) => [folder, reason])),
  }
}

test('of copies the one with most attempts stands, whatever its name', () => {
  const runs = [make('r', { folder: 'a', ...calls(5) }), make('r', { folder: 'b', ...calls(20) })]
  expect(outcome(runs)).toMatchObject({
    kept: ['b'],
    leftOut: { a: 'a copy of b: it has the same run id' },
  })
})

test('of equal copies the first by name stands', () => {
  expect(outcome([make('r', { folder: 'b' }), make('r', { folder: 'a' })]).kept).toEqual(['a'])
})

const all = ['p1', 'p2', 'p3']
const parts = [part(1), part(2), part(3)]

test('a whole whose shards all stand in a larger one is left out, and so are the shards', () => {
  const runs = [
    make('some', { parts: ['p1', 'p2'], ...calls(20) }),
    make('whole', { parts: all, ...calls(30) }),
  ]
  expect(outcome([...runs, ...parts])).toEqual({
    kept: ['whole'],
    calls: 30,
    leftOut: {
      some: 'its shards stand in whole, too',
      p1: 'shard 1/3 of whole, which has its figures',
      p2: 'shard 2/3 of whole, which has its figures',
      p3: 'shard 3/3 of whole, which has its figures',
    },
  })
})

test('of wholes that share some shards the one with more calls stands, and the shard that it lacks stands alone', () => {
  const runs = [
    make('before', { parts: all, ...calls(28) }),
    make('after', { parts: ['p1', 'p2', 'again'], ...calls(30) }),
  ]
  const found = outcome([...runs, ...parts])
  expect([found.kept, found.calls, found.leftOut['before']]).toEqual([
    ['after', 'p3'],
    40,
    'its shards stand in after, too',
  ])
})

test('whatever was joined with what, no part counts twice, and every folder is kept or said', () => {
  const ids = ['1', '2', '3', '4', '5']
  const wholes = fc.array(fc.subarray(ids, { minLength: 1 }), { maxLength: 6 })
  fc.assert(
    fc.property(wholes, fc.subarray(ids), (joined, here) => {
      const runs = [
        ...joined.map((of, place) => make(`w${place}`, { parts: of, ...calls(of.length) })),
        ...here.map((id) => make(id, { shard: `${id}/5`, ...calls(1) })),
      ]
      const once = countedOnce(runs)
      const counted = once.runs.flatMap(({ manifest, parts: of }) => (of.length > 0 ? of : [manifest.runId]))
      expect(new Set(counted).size).toBe(counted.length)
      for (const id of here) expect(counted).toContain(id)
      expect(once.runs.length + once.doubled.length).toBe(runs.length)
    }),
  )
})
