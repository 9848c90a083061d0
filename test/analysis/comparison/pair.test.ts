// Protects the pairing of two runs: by id and text, by thread and text, by a text that is unique in both, then by id.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overlapOf, pairQuestions, pairRuns } from '../../../src/analysis/comparing/pair.ts'
import type { Question } from '../../../src/domain/question.ts'
import { readRows } from '../../support/rows.ts'
import { makeManifest, makeQuestion } from '../../support/recorded.ts'

const questionOf = (id: string, thread: string, message: string): Question =>
  makeQuestion(id, thread, 1, { message })
/** A row is `id thread message`. Defaults: thread `t`, message equal to the id. */
const rowsOf = (...rows: readonly string[]): Question[] =>
  rows.map((row) => {
    const [id = '', thread = 't', message = id] = row.split(' ')
    return questionOf(id, thread, message)
  })
const paired = (before: readonly Question[], after: readonly Question[]): string[] =>
  pairQuestions(before, after).map(
    ({ presence, baseline = -1, candidate = -1 }) =>
      `${presence} ${before[baseline]?.id ?? ''}>${after[candidate]?.id ?? ''}`,
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
  expect(paired([questionOf('1', '1', before)], [questionOf('1', '1', after)])).toEqual(['both 1>1'])
  expect(paired([questionOf('1', '1', before)], [questionOf('2', '2', after)])).toEqual(['both 1>2'])
})

test.each<[string, object, object, boolean]>([
  ['with one tag, whatever their seeds', { tag: ['vpn'], seed: 1 }, { tag: ['vpn'], seed: 2 }, false],
  ['with different tags', { tag: ['vpn'] }, { tag: ['leave'] }, true],
  ['with samples of different seeds', { sample: 9, seed: 1 }, { sample: 9, seed: 2 }, true],
])('of two runs %s (%o and %o), one is of a part of the other: %s', (_, before, now, isPart) => {
  const [baseline, candidate] = [before, now].map((chosen) => {
    const manifest = makeManifest()
    return {
      manifest: { ...manifest, options: { ...manifest.options, ...chosen } },
      model: { questions: [] },
    }
  })
  if (baseline === undefined || candidate === undefined) throw new Error('no run')
  expect(pairRuns(baseline, candidate)).toMatchObject({ baselineIsPart: isPart, candidateIsPart: isPart })
})

test('the overlap counts renamed questions as shared and edited ones as not; without questions its share is null', () => {
  const pairs = pairQuestions(rowsOf('a t x', 'b t one', 'gone'), rowsOf('z t x', 'b t two', 'new'))
  expect(overlapOf(pairs)).toEqual({ shared: 1, edited: 1, baseline: 3, candidate: 3, share: 1 / 4 })
  expect(overlapOf([]).share).toBeNull()
  expect(overlapOf(pairQuestions(rowsOf('a'), [])).share).toBe(0)
})

/** Ids, threads and texts from few values, so that they often match. */
const run = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      fc.constantFrom('s', 't'),
      fc.constantFrom('x', 'y', 'z'),
    )
    .map(([id, thread, message]) => questionOf(id, thread, message)),
  { selector: ({ id }) => id, maxLength: 8 },
)

test('every question of any two runs has one row, and swapped runs have the same pairs', () => {
  const pairsOf = (before: readonly Question[], after: readonly Question[]): string[] =>
    paired(before, after).filter((one) => /^(both|edited)/.test(one))
  fc.assert(
    fc.property(run, run, (before, after) => {
      const pairs = pairQuestions(before, after)
      expect(pairs.flatMap(({ candidate }) => candidate ?? [])).toEqual([...after.keys()])
      const indexes = pairs.flatMap(({ baseline }) => baseline ?? [])
      expect(indexes.toSorted((a, b) => a - b)).toEqual([...before.keys()])
      const turned = pairsOf(after, before).map((one) => one.replace(/(\w+)>(\w+)/, '$2>$1'))
      expect(turned.toSorted()).toEqual(pairsOf(before, after).toSorted())
    }),
    { numRuns: 500 },
  )
})
