// Protects the pairing of two runs: by id and text, by thread and text, by a text that is unique in both, then by id.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairRuns, type Pairable } from '../../../src/analysis/comparison/pair.ts'

/** A row is `id thread message repeat`. Defaults: thread `t`, message equal to the id, repeat 1. */
const rowsOf = (...rows: readonly string[]): (Pairable & { readonly repeat: number })[] =>
  rows.map((row) => {
    const [id = '', thread = 't', message = id, repeat = '1'] = row.split(' ')
    return { question: { id, thread, message, file: 0 }, repeat: Number(repeat) }
  })
const paired = (before: readonly Pairable[], after: readonly Pairable[]): string[] =>
  pairRuns(before, after).questions.map(
    ({ presence, baseline, candidate }) =>
      `${presence} ${baseline[0]?.question.id ?? ''}>${candidate[0]?.question.id ?? ''}`,
  )

test.each<[string, string[], string[], string[]]>([
  [
    'pairs by id, in the order of the candidate, removed questions last',
    ['a', 'b', 'gone'],
    ['more', 'b', 'a'],
    ['added >more', 'both b>b', 'both a>a', 'removed gone>'],
  ],
  ['an id with another text is edited', ['a t one'], ['a t two'], ['edited a>a']],
  [
    'pairs by thread and text, even if the text occurs in several threads',
    ['a t how?', 'b u how?'],
    ['x u how?', 'y t how?'],
    ['both b>x', 'both a>y'],
  ],
  ['pairs by a unique text, whatever its thread', ['a t how?'], ['x v how?'], ['both a>x']],
  [
    'does not pair by a text that occurs twice in one run',
    ['a t how?', 'b u how?'],
    ['x v how?'],
    ['added >x', 'removed a>', 'removed b>'],
  ],
  [
    'pairs by text before it pairs by id alone: a row is inserted, and ids are row numbers',
    ['1 1 one', '2 2 two', '3 3 three'],
    ['1 1 one', '2 2 new', '3 3 two', '4 4 three'],
    ['both 1>1', 'added >2', 'both 2>3', 'both 3>4'],
  ],
  [
    'a row is deleted, and ids are row numbers',
    ['1 1 one', '2 2 two', '3 3 three'],
    ['1 1 one', '2 2 three'],
    ['both 1>1', 'both 3>2', 'removed 2>'],
  ],
  ['two rows change places', ['1 1 one', '2 2 two'], ['1 1 two', '2 2 one'], ['both 2>1', 'both 1>2']],
  [
    'an id keeps its text although the text also occurs under a new id',
    ['a t how?'],
    ['b u how?', 'a t how?'],
    ['added >b', 'both a>a'],
  ],
  [
    'of equal texts, those whose ids changed pair by their conversation',
    ['1 s yes', '2 t yes', '3 t no'],
    ['8 s yes', '9 t yes', '3 t no'],
    ['both 1>8', 'both 2>9', 'both 3>3'],
  ],
  [
    'an edited row beside an inserted one pairs by its id',
    ['1 1 one', '2 2 two', '3 3 three'],
    ['1 1 edited', '2 2 new', '3 3 two', '4 4 three'],
    ['edited 1>1', 'added >2', 'both 2>3', 'both 3>4'],
  ],
])('%s', (_, before, after, expected) => {
  expect(paired(rowsOf(...before), rowsOf(...after))).toEqual(expected)
})

test.each([
  ["can't", 'can’t'],
  ['how\u00a0to?', 'How  to?'],
  ['caf\u00e9', 'cafe\u0301'],
  ['Straße', 'STRASSE'],
  ['"so" - yes', '„so“ – yes'],
  ['wait...', 'wait…'],
  ['ＶＰＮ', 'vpn'],
  ['a\u200bb', ' ab '],
])('%j and %j are one text, whatever the ids', (before, after) => {
  const questionOf = (id: string, message: string) => [{ question: { id, thread: id, message, file: 0 } }]
  expect(paired(questionOf('1', before), questionOf('1', after))).toEqual(['both 1>1'])
  expect(paired(questionOf('1', before), questionOf('2', after))).toEqual(['both 1>2'])
})

test('keeps the repeats of a question together', () => {
  const { questions, overlap } = pairRuns(rowsOf('a t m 1', 'a t m 2'), rowsOf('a t m 1', 'a t m 3'))
  const repeats = questions.map(({ baseline, candidate }) =>
    [baseline, candidate].map((turns) => turns.map(({ repeat }) => repeat)),
  )
  expect(repeats).toEqual([
    [
      [1, 2],
      [1, 3],
    ],
  ])
  expect(overlap).toEqual({ shared: 1, edited: 0, baseline: 1, candidate: 1, share: 1 })
})

test('the overlap counts renamed questions as shared and edited ones as not; without questions its share is null', () => {
  const { overlap } = pairRuns(rowsOf('a t x', 'b t one', 'gone'), rowsOf('z t x', 'b t two', 'new'))
  expect(overlap).toEqual({ shared: 1, edited: 1, baseline: 3, candidate: 3, share: 1 / 4 })
  expect(pairRuns([], []).overlap.share).toBeNull()
  expect(pairRuns(rowsOf('a'), []).overlap.share).toBe(0)
})

/** Ids, threads and texts from few values, so that they often match. */
const run = fc.uniqueArray(
  fc.record({
    question: fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      thread: fc.constantFrom('s', 't'),
      message: fc.constantFrom('x', 'y', 'z'),
      file: fc.constant(0),
    }),
    repeat: fc.integer({ min: 1, max: 2 }),
  }),
  { selector: ({ question }) => question.id, maxLength: 8 },
)

const idsOf = (turns: readonly Pairable[]): string[] => turns.map(({ question }) => question.id)

test('every question of any two runs has one row, and swapped runs have the same pairs', () => {
  const pairsOf = (before: readonly Pairable[], after: readonly Pairable[]): string[] =>
    paired(before, after).filter((one) => /^(both|edited)/.test(one))
  fc.assert(
    fc.property(run, run, (before, after) => {
      const { questions } = pairRuns(before, after)
      expect(questions.flatMap(({ candidate }) => idsOf(candidate))).toEqual(idsOf(after))
      expect(questions.flatMap(({ baseline }) => idsOf(baseline)).toSorted()).toEqual(
        idsOf(before).toSorted(),
      )
      const turned = pairsOf(after, before).map((one) => one.replace(/(\w+)>(\w+)/, '$2>$1'))
      expect(turned.toSorted()).toEqual(pairsOf(before, after).toSorted())
    }),
    { numRuns: 500 },
  )
})
