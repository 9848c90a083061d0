// Pairing two runs: by id, by thread and text, by a text that stands once; whatever the rows went through.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  pairRuns,
  turnPairs,
  type Pairable,
  type Pairing,
  type QuestionPair,
} from '../../../src/analysis/comparison/pair.ts'

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
  const { paired, edited, added, removed, overlap } = pairRuns(before, after)
  expect(pairIds(paired)).toEqual(['b>b', 'a>a'])
  expect(pairIds(edited)).toEqual(['text>text'])
  expect(ids(added)).toEqual(['new', 'more'])
  expect(ids(removed)).toEqual(['old', 'gone'])
  expect(overlap).toEqual({ shared: 2, edited: 1, baseline: 5, candidate: 5, share: 2 / 7 })
})

test('keeps the repeats of a question together; turns pair by repeat', () => {
  const before = [turn('a', { repeat: 2 }), turn('a'), turn('b')]
  const after = [turn('a', { repeat: 3 }), turn('a', { repeat: 2 }), turn('b')]
  const { paired, overlap } = pairRuns(before, after)
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

const talk = (thread: string, texts: readonly string[], name: string): Pairable[] =>
  texts.map((message, place) => turn(`${name}${place}`, { thread, turn: place + 1, message }))

describe('other ids pair', () => {
  test('by thread and text, though the text stands in several threads', () => {
    const before = [...talk('t', ['hello', 'how?'], 'a'), ...talk('u', ['goodbye', 'how?'], 'b')]
    const after = [...talk('u', ['goodbye', 'how?'], 'x'), ...talk('t', ['hello', 'how?'], 'y')]
    const { paired, renamed } = pairRuns(before, after)
    expect([pairIds(paired), renamed]).toEqual([['b0>x0', 'b1>x1', 'a0>y0', 'a1>y1'], 4])
  })
  test('by a text that stands once in what is left of either run, whatever its thread is called', () => {
    const before = [...talk('t', ['hello', 'how?'], 'a'), ...talk('u', ['goodbye', 'how?'], 'b')]
    const after = [...talk('v', ['goodbye', 'how?'], 'x'), ...talk('w', ['hello', 'how?'], 'y')]
    const { paired, added, removed } = pairRuns(before, after)
    expect(pairIds(paired)).toEqual(['b0>x0', 'a0>y0'])
    expect([ids(added), ids(removed)]).toEqual([
      ['x1', 'y1'],
      ['a1', 'b1'],
    ])
  })
})

test('an id that has another text is an edited question, not the one that the text moved to', () => {
  const rows = (texts: readonly string[]): Pairable[] =>
    texts.map((message, place) => turn(`q${place}`, { thread: `t${place}`, message }))
  const { paired, edited, added } = pairRuns(rows(['one', 'two']), rows(['new', 'one', 'two']))
  expect([paired.length, pairIds(edited), ids(added)]).toEqual([0, ['q0>q0', 'q1>q1'], ['q2']])
})

test('a follow-up whose earlier turn was edited is paired, and counted as of another context', () => {
  const { paired, edited, otherContext } = pairRuns(
    talk('t', ['hello', 'how?'], 'a'),
    talk('t', ['good day', 'how?'], 'a'),
  )
  expect([pairIds(paired), pairIds(edited), otherContext]).toEqual([['a1>a1'], ['a0>a0'], 1])
})

test('runs without turns share nothing, which is not zero', () => {
  expect(pairRuns([], []).overlap.share).toBeUndefined()
  expect(pairRuns([turn('a')], []).overlap.share).toBe(0)
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
      const { paired, edited, added, removed, overlap } = pairRuns(before, after)
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
      expect(unordered(pairRuns(before2, after2))).toEqual(unordered(pairRuns(before, after)))
    }),
    { numRuns: 1000 },
  )
})

test('a run pairs with itself whole; the other way round is the mirror', () => {
  fc.assert(
    fc.property(dressed, dressed, (before, after) => {
      const itself = pairRuns(before, before)
      expect(itself.paired.length).toBe(new Set(before.map(({ id }) => id)).size)
      expect([itself.renamed, itself.otherContext]).toEqual([0, 0])
      expect([...itself.edited, ...itself.added, ...itself.removed]).toEqual([])
      const [there, back] = [pairRuns(before, after), pairRuns(after, before)]
      expect(new Set(pairIds(there.paired))).toEqual(new Set(pairIds(back.paired)))
      expect(there.overlap.share).toBe(back.overlap.share)
    }),
    { numRuns: 500 },
  )
})
