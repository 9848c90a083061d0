// Pairing two runs: by id and repeat, whatever the rows went through.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  pairRuns,
  turnPairs,
  type Pairing,
  type QuestionPair,
} from '../../../src/analysis/comparison/pair.ts'
import type { Pairable } from '../../../src/analysis/comparison/pairing/questions.ts'
import { pairNaively } from '../../support/naive-pairing.ts'
import { walk } from '../../../src/stats/steps.ts'

const turn = (id: string, more: Partial<Pairable> = {}): Pairable => ({
  id,
  repeat: 1,
  file: 0,
  thread: `t-${id}`,
  turn: 1,
  message: `message of ${id}`,
  ...more,
})
const ids = (questions: Iterable<readonly Pairable[]>): (string | undefined)[] =>
  Array.from(questions, ([first]) => first?.id)
const pairIds = (pairs: Iterable<QuestionPair<Pairable>>): string[] =>
  Array.from(pairs, ({ baseline, candidate }) => `${baseline[0]?.id}>${candidate[0]?.id}`)

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
  const { paired, edited, added, removed, overlap } = walk(pairRuns(before, after))
  expect(pairIds(paired)).toEqual(['b>b', 'a>a'])
  expect(pairIds(edited)).toEqual(['old>new', 'text>text'])
  expect(ids(added)).toEqual(['more'])
  expect(ids(removed)).toEqual(['gone'])
  expect(overlap).toEqual({ shared: 2, edited: 2, baseline: 5, candidate: 5, share: 2 / 6 })
})

test('keeps the repeats of a question together; turns pair by repeat', () => {
  const before = [turn('a', { repeat: 2 }), turn('a'), turn('b')]
  const after = [turn('a', { repeat: 3 }), turn('a', { repeat: 2 }), turn('b')]
  const { paired, overlap } = walk(pairRuns(before, after))
  const repeats = (turns: readonly Pairable[]): number[] => turns.map(({ repeat }) => repeat)
  expect(Array.from(paired, ({ baseline, candidate }) => [repeats(baseline), repeats(candidate)])).toEqual([
    [
      [1, 2],
      [2, 3],
    ],
    [[1], [1]],
  ])
  expect([...turnPairs(paired)].map(({ baseline, candidate }) => [baseline.id, candidate.repeat])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
  expect(overlap.share).toBe(1)
})

describe('other names', () => {
  const talk = (thread: string, texts: readonly string[], name: string): Pairable[] =>
    texts.map((message, place) => turn(`${name}${place}`, { thread, turn: place + 1, message }))

  test('of a thread pair by the texts of the conversation', () => {
    const before = [...talk('t', ['hello', 'how?'], 'a'), ...talk('u', ['goodbye', 'how?'], 'b')]
    const after = [...talk('v', ['goodbye', 'how?'], 'x'), ...talk('w', ['hello', 'how?'], 'y')]
    const { paired, renamed, edited, added } = walk(pairRuns(before, after))
    expect(pairIds(paired)).toEqual(['b0>x0', 'b1>x1', 'a0>y0', 'a1>y1'])
    expect([renamed, ...edited, ...added]).toEqual([4])
  })
  test('of rows that were numbered anew are no edits', () => {
    const rows = (texts: readonly string[]): Pairable[] =>
      texts.map((message, place) => turn(`q${place}`, { thread: `t${place}`, message }))
    const { paired, edited, added } = walk(
      pairRuns(rows(['one', 'two', 'three']), rows(['new', 'one', 'two', 'three'])),
    )
    expect(pairIds(paired)).toEqual(['q0>q1', 'q1>q2', 'q2>q3'])
    expect([pairIds(edited), ids(added)]).toEqual([[], ['q0']])
  })
  test('of a question that stands there twice are taken once each', () => {
    const { paired, removed } = walk(
      pairRuns(
        [turn('a', { message: 'same' }), turn('b', { message: 'same' }), turn('c', { message: 'same' })],
        [turn('x', { message: 'same' }), turn('y', { message: 'same' })],
      ),
    )
    expect([pairIds(paired), ids(removed)]).toEqual([['a>x', 'b>y'], ['c']])
  })
  test('a follow-up whose earlier turn was edited is paired, and counted as of another context', () => {
    const { paired, edited, otherContext } = walk(
      pairRuns(talk('t', ['hello', 'how?'], 'a'), talk('t', ['good day', 'how?'], 'a')),
    )
    expect([pairIds(paired), pairIds(edited), otherContext]).toEqual([['a1>a1'], ['a0>a0'], 1])
  })
})

test('runs without turns share nothing, which is not zero', () => {
  expect(walk(pairRuns([], [])).overlap.share).toBeUndefined()
  expect(walk(pairRuns([turn('a')], [])).overlap.share).toBe(0)
})

test('a question at a place of its thread is not taken for one of another file', () => {
  const { edited, added, removed } = walk(
    pairRuns([turn('a', { thread: 't' })], [turn('b', { thread: 't', file: 1 })]),
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
  // A question has one place, of its own, and one text in its run, whatever its repeat.
  const first = new Map<string, Pairable>()
  const vacant = (row: (typeof rows)[number]): (typeof rows)[number] => {
    const isTaken = [...first.values()].some(
      ({ thread, turn: at }) => thread === row.thread && at === row.turn,
    )
    return isTaken ? vacant({ ...row, turn: row.turn + 1 }) : row
  }
  return rows.map((row) => {
    const known = first.get(row.id) ?? { ...vacant(row), file: 0, message: row.id === 'a' ? text : row.id }
    first.set(row.id, known)
    return { ...known, repeat: row.repeat }
  })
})

test('every turn stands in one list, once', () => {
  fc.assert(
    fc.property(dressed, dressed, (before, after) => {
      const { paired, edited, added, removed, overlap } = walk(pairRuns(before, after))
      const pairs = [...paired, ...edited]
      const left = [...pairs.flatMap(({ baseline }) => baseline), ...[...removed].flat()]
      const right = [...pairs.flatMap(({ candidate }) => candidate), ...[...added].flat()]
      expect(new Set(left)).toEqual(new Set(before))
      expect(new Set(right)).toEqual(new Set(after))
      expect([left.length, right.length]).toEqual([before.length, after.length])
      for (const { baseline, candidate } of paired) expect(baseline[0]?.message).toBe(candidate[0]?.message)
      expect(overlap.share ?? 0).toBeLessThanOrEqual(1)
    }),
    { numRuns: 1000 },
  )
})

const unordered = ({ paired, edited, added, removed, ...rest }: Pairing<Pairable>): unknown => ({
  ...rest,
  lists: [new Set(pairIds(paired)), new Set(pairIds(edited)), new Set(ids(added)), new Set(ids(removed))],
})

test('shuffled and doubled rows change nothing but the order', () => {
  const shuffled = (rows: Pairable[]): fc.Arbitrary<Pairable[]> =>
    fc.shuffledSubarray([...rows, ...rows], { minLength: rows.length * 2 })
  const both = fc
    .tuple(dressed, dressed)
    .chain(([before, after]) =>
      fc.tuple(fc.constant([before, after] as const), shuffled(before), shuffled(after)),
    )
  fc.assert(
    fc.property(both, ([[before, after], before2, after2]) => {
      expect(unordered(walk(pairRuns(before2, after2)))).toEqual(unordered(walk(pairRuns(before, after))))
    }),
    { numRuns: 1000 },
  )
})

test('a run pairs with itself whole; the other way round is the mirror', () => {
  fc.assert(
    fc.property(dressed, dressed, (before, after) => {
      const itself = walk(pairRuns(before, before))
      expect(itself.paired.length).toBe(new Set(before.map(({ id }) => id)).size)
      expect([itself.renamed, itself.otherContext]).toEqual([0, 0])
      expect([...itself.edited, ...itself.added, ...itself.removed]).toEqual([])
      const [there, back] = [walk(pairRuns(before, after)), walk(pairRuns(after, before))]
      expect(new Set(pairIds(there.paired))).toEqual(new Set(pairIds(back.paired)))
      expect(there.overlap.share).toBe(back.overlap.share)
    }),
    { numRuns: 500 },
  )
})

test('pairs as the naive model does, whatever the rows', () => {
  const row = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    repeat: fc.integer({ min: 1, max: 2 }),
    file: fc.integer({ min: 0, max: 1 }),
    thread: fc.constantFrom('s', 't'),
    turn: fc.integer({ min: 1, max: 3 }),
    message: fc.constantFrom('x', 'y', 'z'),
  })
  // The last question at a place stands for it: where one place has several, the model would take the first.
  const rows = fc.uniqueArray(row, {
    selector: ({ file, thread, turn: at }) => `${file} ${thread} ${at}`,
    maxLength: 10,
  })
  const halves = (pairs: Iterable<QuestionPair<Pairable>>): unknown[] =>
    Array.from(pairs, ({ baseline, candidate }) => [baseline, candidate])
  fc.assert(
    fc.property(rows, rows, (before, after) => {
      const { paired, edited, added, removed, renamed, otherContext } = walk(pairRuns(before, after))
      const found = {
        paired: halves(paired),
        edited: halves(edited),
        added: [...added],
        removed: [...removed],
        renamed,
        otherContext,
      }
      expect(found).toEqual(pairNaively(before, after))
    }),
    { numRuns: 2000 },
  )
})
