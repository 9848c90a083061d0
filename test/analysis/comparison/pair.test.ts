// Pairing two runs: by id and repeat, whatever the rows went through.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairRuns, type Pairable } from '../../../src/analysis/comparison/pair.ts'

const turn = (id: string, more: Partial<Pairable> = {}): Pairable => ({
  id,
  repeat: 1,
  file: 0,
  thread: `t-${id}`,
  turn: 1,
  message: `message of ${id}`,
  ...more,
})
const ids = (turns: readonly Pairable[]): string[] => turns.map(({ id }) => id)
const pairIds = (pairs: readonly { baseline: Pairable; candidate: Pairable }[]): string[] =>
  pairs.map(({ baseline, candidate }) => `${baseline.id}>${candidate.id}`)

test('pairs by id, and tells added, removed and edited questions', () => {
  const before = [
    turn('a'),
    turn('b'),
    turn('old', { thread: 'x', turn: 2, message: 'before' }),
    turn('text'),
    turn('gone'),
  ]
  const after = [
    turn('new', { thread: 'x', turn: 2, message: 'after' }),
    turn('text', { message: 'another text' }),
    turn('b', { file: 1, thread: 'moved' }),
    turn('more'),
    turn('a'),
  ]
  const { paired, edited, added, removed, overlap } = pairRuns(before, after)
  expect(pairIds(paired)).toEqual(['a>a', 'b>b'])
  expect(pairIds(edited)).toEqual(['text>text', 'old>new'])
  expect(ids(added)).toEqual(['more'])
  expect(ids(removed)).toEqual(['gone'])
  expect(overlap).toEqual({ shared: 2, edited: 2, baseline: 5, candidate: 5, share: 2 / 6 })
})

test('pairs repeat by repeat, and keeps the repeats that only one run has apart', () => {
  const before = [turn('a'), turn('a', { repeat: 2 }), turn('b')]
  const after = [turn('a', { repeat: 2 }), turn('a', { repeat: 3 }), turn('b')]
  const { paired, added, removed, unmatched, overlap } = pairRuns(before, after)
  expect(paired.map(({ baseline, candidate }) => [baseline.id, baseline.repeat, candidate.repeat])).toEqual([
    ['a', 2, 2],
    ['b', 1, 1],
  ])
  expect(unmatched).toEqual({ baseline: [before[0]], candidate: [after[1]] })
  expect([added, removed, overlap.share]).toEqual([[], [], 1])
})

test('runs without turns share nothing, which is not zero', () => {
  expect(pairRuns([], []).overlap.share).toBeUndefined()
  expect(pairRuns([turn('a')], []).overlap.share).toBe(0)
})

test('a question at a place of its thread is not taken for one of another file', () => {
  const { edited, added, removed } = pairRuns(
    [turn('a', { thread: 't' })],
    [turn('b', { thread: 't', file: 1 })],
  )
  expect([edited.length, ids(added), ids(removed)]).toEqual([0, ['b'], ['a']])
})

/** Ids, places and texts from few values, so that they meet. Id and repeat stand for one row only. */
const run = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    repeat: fc.integer({ min: 1, max: 2 }),
    thread: fc.constantFrom('s', 't'),
    turn: fc.integer({ min: 1, max: 3 }),
  }),
  { selector: ({ id, repeat }) => `${id} ${repeat}`, maxLength: 10 },
)
const dressed = fc.tuple(run, fc.constantFrom('x', 'y')).map(([rows, text]): Pairable[] => {
  // A question has one place and one text in its run, whatever its repeat.
  const first = new Map<string, Pairable>()
  return rows.map((row) => {
    const known = first.get(row.id) ?? { ...row, file: 0, message: row.id === 'a' ? text : row.id }
    first.set(row.id, known)
    return { ...known, repeat: row.repeat }
  })
})

test('every turn stands in one list, once', () => {
  fc.assert(
    fc.property(dressed, dressed, (before, after) => {
      const { paired, edited, added, removed, unmatched, overlap } = pairRuns(before, after)
      const pairs = [...paired, ...edited]
      const left = [...pairs.map(({ baseline }) => baseline), ...removed, ...unmatched.baseline]
      const right = [...pairs.map(({ candidate }) => candidate), ...added, ...unmatched.candidate]
      expect(new Set(left)).toEqual(new Set(before))
      expect(new Set(right)).toEqual(new Set(after))
      expect([left.length, right.length]).toEqual([before.length, after.length])
      for (const { baseline, candidate } of paired) {
        expect([baseline.id, baseline.repeat, baseline.message]).toEqual([
          candidate.id,
          candidate.repeat,
          candidate.message,
        ])
      }
      expect(overlap.share ?? 0).toBeLessThanOrEqual(1)
    }),
    { numRuns: 1000 },
  )
})

test('shuffled and doubled rows change nothing', () => {
  const shuffled = (rows: Pairable[]): fc.Arbitrary<Pairable[]> =>
    fc.shuffledSubarray([...rows, ...rows], { minLength: rows.length * 2 })
  const both = fc
    .tuple(dressed, dressed)
    .chain(([before, after]) =>
      fc.tuple(fc.constant([before, after] as const), shuffled(before), shuffled(after)),
    )
  fc.assert(
    fc.property(both, ([[before, after], before2, after2]) => {
      expect(pairRuns(before2, after2)).toEqual(pairRuns(before, after))
    }),
    { numRuns: 1000 },
  )
})

test('a run pairs with itself whole; the other way round is the mirror', () => {
  fc.assert(
    fc.property(dressed, dressed, (before, after) => {
      const itself = pairRuns(before, before)
      expect(itself.paired.length).toBe(before.length)
      expect([itself.edited, itself.added, itself.removed]).toEqual([[], [], []])
      const [there, back] = [pairRuns(before, after), pairRuns(after, before)]
      expect(new Set(pairIds(there.paired))).toEqual(new Set(pairIds(back.paired)))
      expect(there.overlap.share).toBe(back.overlap.share)
    }),
    { numRuns: 500 },
  )
})
