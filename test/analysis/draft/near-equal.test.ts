// Protects which questions of tickets count as one, and which questions a limited set takes.
import { expect, test } from 'vitest'
import { chooseQuestions } from '../../../src/analysis/draft/choose.ts'
import { joinNearEqual } from '../../../src/analysis/draft/near-equal.ts'
import { readRows } from '../../support/rows.ts'

test.each(readRows(new URL('near-equal.ndjson', import.meta.url)))(
  '%j and %j are one question',
  (one, other) => {
    expect(joinNearEqual([one, other])).toEqual([[0, 1]])
  },
)

test.each(readRows(new URL('not-equal.ndjson', import.meta.url)))(
  '%j and %j are two questions',
  (one, other) => {
    expect(joinNearEqual([one, other])).toEqual([[0], [1]])
  },
)

test('a chain of small steps joins nothing that is far apart', () => {
  const words = ['alpha', 'alphb', 'alpcb', 'aldcb', 'aedcb', 'fedcb'].map(
    (word) => `Where is the ${word} form?`,
  )
  const [first = []] = joinNearEqual(words)
  expect(first).not.toContain(words.length - 1)
})

const items = [
  ...Array.from({ length: 40 }, (_, index) => ({
    message: `How do I connect device ${index} to wifi`,
    weight: 1,
  })),
  { message: 'How do I reset my password?', weight: 50 },
  { message: 'Where is the holiday form?', weight: 30 },
  { message: 'Who repairs the coffee machine?', weight: 1 },
]

test('a limited set takes heavy groups first, and one of those that are alike', () => {
  const chosen = chooseQuestions(items, 4, 1)
  expect(chosen).toEqual(expect.arrayContaining([40, 41, 42]))
  expect(chosen.filter((index) => index < 40)).toHaveLength(1)
})

test('the seed decides the sample of the rest, and no limit takes all', () => {
  const [one, again, other] = [1, 1, 2].map((seed) => chooseQuestions(items, 20, seed))
  expect(one).toEqual(again)
  expect(one).not.toEqual(other)
  expect(one).toHaveLength(20)
  expect(chooseQuestions(items, Infinity, 1)).toHaveLength(items.length)
})
