// Protects the mark "other article": which answers get it, and which questions draw no line.
import { expect, test } from 'vitest'
import { fitOf } from '../../src/analysis/articles/misfits.ts'
import { createEarlier } from '../../src/analysis/gaps/collect.ts'
import { ArticleIndex } from '../../src/articles/index.ts'
import { makeArticle } from '../articles/make-article.ts'
import { makeQuestion } from '../support/recorded.ts'

const index = new ArticleIndex([
  makeArticle('lockers', 'Bike lockers in the garage', 'Rent a bike locker for five euros a month.'),
  makeArticle('vpn', 'Set up the VPN', 'Install the client. Sign in on your laptop at the gateway address.'),
  makeArticle('leave', 'Annual leave', 'Request leave in the portal. Your manager agrees within a week.'),
  makeArticle('toner', 'Replace the printer toner', 'Toner lies in the cupboard beside the printer.'),
])

const RENT = 'How do I rent a bike locker in the garage?'
const INSTALL = 'Does my manager install the printer client?'

test.each([
  [RENT, 'vpn', undefined, 'lockers'],
  [RENT, 'lockers', undefined, undefined],
  // Its words are in no article: nothing is nearer.
  ['Which zebra won the derby?', 'vpn', undefined, undefined],
  ['And the cupboard?', 'leave', undefined, undefined],
  // What was said before speaks for the source.
  [INSTALL, 'vpn', 'How do I set up the VPN gateway address?', undefined],
])('the answer to %j from %s after %s fits %s better', (message, source, earlier, other) => {
  expect(fitOf(index, { message, earlier }, source).other?.id).toBe(other)
})

test('the questions before one are those of its conversation', () => {
  const earlierOf = createEarlier()
  const ask = (thread: string, turn: number, message: string) =>
    earlierOf(makeQuestion(`${thread}${turn}`, thread, turn, { message }))
  const asked = [ask('a', 1, 'One'), ask('a', 2, 'Two'), ask('a', 3, 'Three'), ask('b', 1, 'Four')]
  expect(asked).toEqual([undefined, 'One', 'One\nTwo', undefined])
})
