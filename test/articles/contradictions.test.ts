// Protects the pairs of articles that contradict or repeat each other.
import { expect, test } from 'vitest'
import { contradictionsOf } from '../../src/articles/contradictions.ts'
import { Passages } from '../../src/articles/passages.ts'
import { readArticles } from '../../src/articles/read.ts'
import { KNOWLEDGE_BASE } from '../sandbox/client.ts'
import { makeArticle } from './make-article.ts'

const FILLER = Array.from({ length: 12 }, (_, at) => {
  const [topic, matter] = ['x', 'y'].map((letter) => letter.repeat(at))
  return makeArticle(`filler${at}`, `Filler ${at}`, `Something about topic${topic} and matter${matter} here.`)
})

/** `kind ids: values` */
const found = (...texts: readonly string[]): string[] =>
  contradictionsOf(
    new Passages([...texts.map((text, at) => makeArticle(`a${at}`, `Lockers ${at}`, text)), ...FILLER]),
  ).map(
    ({ kind, passages, values }) =>
      `${kind} ${passages.map(({ article }) => article.id).join()}: ${values.join()}`,
  )

const KEY = 'The deposit for a locker key is'
test.each([
  [
    'another value',
    'For the key of a locker you pay a deposit of 25 euro.',
    `${KEY} 40 euro, paid in cash.`,
    'value a0,a1: 25 euro,40 euro',
  ],
  ['the same value in other words', `${KEY} 90 minutes.`, `${KEY} 1.5 hours.`],
  ['another matter', `${KEY} 25 euro.`, 'Parking in the garage costs 40 euro.'],
  ['a value that the other article gives, too', `${KEY} 25 euro.`, `${KEY} 40 euro. It was 25 euro before.`],
])('%s: %j and %j', (_, one, other, ...expected) => {
  expect(found(one, other).filter((pair) => !pair.startsWith('copy'))).toEqual(expected)
})

test('two articles that nearly say the same are copies', () => {
  const text =
    'Beds are cleaned by the bed team.\nOrder a cleaning in the board under your ward.\nThe bed turns green when ready.'
  expect(found(text, `${text}\nHere, too, on weekends.`)).toEqual(['copy a0,a1: ,'])
})

test('the shipped articles contradict each other nowhere', async () => {
  expect(contradictionsOf(new Passages((await readArticles(KNOWLEDGE_BASE)).articles))).toEqual([])
})
