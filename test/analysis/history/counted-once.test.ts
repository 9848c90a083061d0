// No call of a run, its copies, its parts and their wholes counts twice, and what is left out says why.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countedOnce } from '../../../src/analysis/history/counted-once.ts'
import { monthlyUse } from '../../../src/analysis/history/months.ts'
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

test.each<[string, Made, Made]>([
  ['most attempts', { ...calls(5), endedAt: nightOf(9) }, { ...calls(20), endedAt: nightOf(1) }],
  ['the latest end', { ...calls(20), endedAt: nightOf(1) }, { ...calls(20), endedAt: nightOf(2) }],
  ['an end at all', { ...calls(20), endedAt: null }, { ...calls(20), endedAt: nightOf(1) }],
])('of copies the one with %s stands, whatever its name', (_, behind, ahead) => {
  const runs = [make('r', { folder: 'a', ...behind }), make('r', { folder: 'b', ...ahead })]
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

test('a partial whole whose parts all stand in the full one is left out', () => {
  const runs = [
    make('some', { parts: ['p1', 'p2'], ...calls(20) }),
    make('whole', { parts: all, ...calls(30) }),
  ]
  expect(outcome([...runs, ...parts])).toEqual({
    kept: ['whole'],
    calls: 30,
    leftOut: {
      some: 'joined of parts that all stand in whole, too',
      p1: 'part 1/3 of whole, which has its figures',
      p2: 'part 2/3 of whole, which has its figures',
      p3: 'part 3/3 of whole, which has its figures',
    },
  })
})

test('of wholes that share some parts one stands, and the part that it has not stands alone', () => {
  const runs = [
    make('before', { parts: all, ...calls(28) }),
    make('after', { parts: ['p1', 'p2', 'again'], ...calls(30) }),
  ]
  const found = outcome([...runs, ...parts])
  expect([found.kept, found.calls]).toEqual([['after', 'p3'], 40])
  expect(found.leftOut['before']).toBe(
    'joined of parts some of which stand in after, too: left out, so that no call counts twice; its other parts stand alone',
  )
  expect(outcome(runs)).toMatchObject({
    kept: ['after'],
    calls: 30,
    leftOut: {
      before: expect.stringContaining(
        'calls of 1 of its other parts are not counted, as their folders are not here',
      ),
    },
  })
})

test('a part that went on after it was joined is said, and its whole stands', () => {
  const whole = make('whole', { parts: all, endedAt: nightOf(1), ...calls(30) })
  const found = outcome([whole, part(1), part(2), part(3, { endedAt: nightOf(2), ...calls(15) })])
  expect([found.kept, found.calls]).toEqual([['whole'], 30])
  expect(found.leftOut['p3']).toBe(
    'part 3/3 of whole, asked further after it was joined: what it asked since is not counted; merge the parts anew',
  )
  expect(found.leftOut['p2']).toBe('part 2/3 of whole, which has its figures')
  // Joined anew it has the same id.
  const anew = make('whole', { folder: 'anew', parts: all, endedAt: nightOf(2), ...calls(35) })
  expect(outcome([whole, anew, ...parts])).toMatchObject({ kept: ['anew'], calls: 35 })
})

/** A whole that says what each part had cost when it was joined. */
const wholeOf = (
  folder: string,
  usage: Readonly<Record<string, readonly [number, number]>>,
  now: readonly [number, number],
): RecordedRun => ({
  // The same parts make the same id.
  ...make('whole', { folder, parts: Object.keys(usage), calls: now, endedAt: nightOf(3) }),
  usageOfParts: new Map(Object.entries(usage).map(([id, [min, max]]) => [id, { min, max }])),
})
const restsOf = (runs: readonly RecordedRun[]): unknown =>
  countedOnce(runs)
    .rests.toSorted((some, other) => (some.folder < other.folder ? -1 : 1))
    .map(({ folder, usage: { quota } }) => [folder, quota.min, quota.max])
const JOINED = { p1: [10, 10], p2: [10, 10], p3: [8, 10] } as const

test('what a part asked after it was joined counts, also where its whole went on later', () => {
  const whole = wholeOf('whole', JOINED, [31, 33])
  const runs = [whole, part(1), part(2), part(3, { calls: [12, 15], endedAt: nightOf(2) })]
  expect(restsOf(runs)).toEqual([['p3', 4, 5]])
  expect(outcome(runs).leftOut).toEqual({
    p1: 'part 1/3 of whole, which has its figures',
    p2: 'part 2/3 of whole, which has its figures',
    p3: 'part 3/3 of whole, asked further after it was joined: 4 to 5 calls that it made since count in the months, and its answers since in no figure; merge the parts anew',
  })
})

test('the same parts, joined again when they had come further, are no copy, and what each whole asked since counts', () => {
  const before = wholeOf('before', JOINED, [31, 33])
  const anew = wholeOf('anew', { ...JOINED, p3: [14, 16] }, [34, 36])
  const runs = [before, anew, part(1), part(2), part(3, { calls: [14, 16] })]
  // 28 to 30 when it was joined.
  expect(restsOf(runs)).toEqual([['before', 3, 3]])
  expect(outcome(runs)).toMatchObject({
    kept: ['anew'],
    leftOut: {
      before:
        'joined of the same parts as anew, when they had come less or further: anew stands, as more calls were sent for it (36 instead of 33); 3 calls that it made since count in the months',
    },
  })
  expect(outcome([before, wholeOf('twin', JOINED, [28, 30])])).toMatchObject({
    kept: ['before'],
    leftOut: { twin: 'a copy of before: it has the same run id' },
  })
})

test('a part that a whole left out holds as it is now needs no joining anew, and why the other whole stands is said', () => {
  const partial = (end: number): RecordedRun => {
    const whole = wholeOf('partial', { ...JOINED, p2: [4, 4] }, [28, 30])
    return { ...whole, manifest: { ...whole.manifest, endedAt: nightOf(end) } }
  }
  const anew = wholeOf('anew', JOINED, [28, 30])
  // Both asked the six that were missing.
  const runs = (end: number): RecordedRun[] => [partial(end), anew, part(1), part(2), part(3, calls(8))]
  expect(restsOf(runs(5))).toEqual([['p2', 6, 6]])
  expect(outcome(runs(5))).toMatchObject({
    kept: ['partial'],
    leftOut: {
      anew: 'joined of the same parts as partial, when they had come less or further: partial stands, as it was ended later',
      p2: 'part 2/3 of partial, asked further after it was joined: 6 calls that it made since count in the months, and its answers since stand in anew, which is left out',
    },
  })
  expect(outcome([partial(5), part(2)]).leftOut['p2']).toMatch(/in no figure; merge the parts anew$/)
  expect(outcome(runs(3)).leftOut['partial']).toContain(
    ': anew stands, as both went equally far, and its name comes first; 6 calls',
  )
})

test('what a part asked further counts with its whole, whenever the part began', () => {
  const whole = wholeOf('a-whole', JOINED, [28, 30])
  const late = part(3, { calls: [12, 15] })
  const moved = { ...late, manifest: { ...late.manifest, startedAt: nightOf(1) } }
  const { runs, rests } = countedOnce([whole, moved])
  const { months, soFar } = monthlyUse(runs, [], rests)
  expect(soFar.get('a-whole')).toMatchObject({ min: 32, max: 35 })
  expect(months).toMatchObject([{ min: 32, max: 35, runs: 1 }])
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
