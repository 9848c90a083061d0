// Protects the pairing of two runs: by id and text, by thread and text, by a text that is unique in both, then by id.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairRuns, type Pairable } from '../../../src/analysis/comparison/pair.ts'
import { readRows } from '../../support/rows.ts'

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

test.each(readRows<[string, string[], string[], string[]]>(new URL('pairs.ndjson', import.meta.url)))(
  '%s',
  (_, before, after, expected) => {
    expect(paired(rowsOf(...before), rowsOf(...after))).toEqual(expected)
  },
)

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
