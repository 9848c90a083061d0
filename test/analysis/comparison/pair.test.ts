// Pairing two runs: by id, by thread and text, by a text that stands once; whatever the rows went through.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairRuns, type Pairable } from '../../../src/analysis/comparison/pair.ts'

/** `id thread message repeat`; the message is that of the id, the thread 't', the repeat 1 unless said. */
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
    'by id, in the order of the candidate; then what was removed',
    ['a', 'b', 'gone'],
    ['more', 'b', 'a'],
    ['added >more', 'both b>b', 'both a>a', 'removed gone>'],
  ],
  ['the same id with another text is edited', ['a t one'], ['a t two'], ['edited a>a']],
  [
    'by thread and text, though the text stands in several threads',
    ['a t how?', 'b u how?'],
    ['x u how?', 'y t how?'],
    ['both b>x', 'both a>y'],
  ],
  ['by a text that stands once, whatever its thread', ['a t how?'], ['x v how?'], ['both a>x']],
  [
    'not by a text that stands twice in one run',
    ['a t how?', 'b u how?'],
    ['x v how?'],
    ['added >x', 'removed a>', 'removed b>'],
  ],
  [
    'an id that has another text is edited, and not paired with where its text moved to',
    ['q0 t one', 'q1 u two'],
    ['q0 t new', 'q1 u one', 'q2 v two'],
    ['edited q0>q0', 'edited q1>q1', 'added >q2'],
  ],
])('%s', (_, before, after, expected) => {
  expect(paired(rowsOf(...before), rowsOf(...after))).toEqual(expected)
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
  expect(overlap).toEqual({ shared: 1, baseline: 1, candidate: 1, share: 1 })
})

test('counts: renamed are shared, an edited question stands once in either run, no question is no share', () => {
  const { overlap } = pairRuns(rowsOf('a t x', 'b t one', 'gone'), rowsOf('z t x', 'b t two', 'new'))
  expect(overlap).toEqual({ shared: 1, baseline: 3, candidate: 3, share: 1 / 4 })
  expect(pairRuns([], []).overlap.share).toBeNull()
  expect(pairRuns(rowsOf('a'), []).overlap.share).toBe(0)
})

/** Ids, threads and texts from few values, so that they meet. */
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

test('whatever the runs are, each question stands once, and the other way round the pairs are the same', () => {
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
