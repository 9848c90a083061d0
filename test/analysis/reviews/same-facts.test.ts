// Whether a review holds for an answer in other words.
import { describe, expect, test } from 'vitest'
import { tokensOf } from '../../../src/analysis/grading/tokens.ts'
import { similarityOfSame, type Wording } from '../../../src/analysis/reviews/same-facts.ts'

const wording = (answer: string): Wording => ({ answer, words: tokensOf(answer) })
const holds = (before: string, after: string): boolean =>
  similarityOfSame(wording(before), wording(after)) !== undefined

describe('holds', () => {
  test.each([
    ['the same facts in other words', 'You have 14 days to return it.', 'To return it you have 14 days.'],
    ['a fact written otherwise', 'Call us at 2:30 pm on weekdays.', 'On weekdays call us at 14:30.'],
    ['other punctuation, no facts', 'Open the portal. Choose "Reset".', 'Open the portal - choose **Reset**'],
  ])('%s', (_, before, after) => {
    expect([holds(before, after), holds(after, before)]).toEqual([true, true])
  })
})

describe('does not hold', () => {
  test.each([
    ['another number', 'You have 14 days to return it.', 'You have 30 days to return it.'],
    ['a denial', 'You can return it within 14 days.', 'You cannot return it within 14 days.'],
    ['a fact that went', 'Return it within 14 days to room 2.', 'Return it within 14 days.'],
    ['no facts, opposite words', 'Guests are allowed to use it.', 'Guests are forbidden to use it.'],
    ['no facts, another order', 'Lock the screen before you leave.', 'Leave before you lock the screen.'],
    ['no facts, unrelated', 'Ask your manager.', 'Use the portal.'],
    ['a name only', 'The VPN is allowed abroad.', 'The VPN is forbidden abroad.'],
    ['a denial only', 'It is not possible abroad.', 'It is not allowed abroad.'],
    ['one number by chance', 'There are 3 printers on each floor.', 'Reset it, wait, and try 3 times.'],
    ['no words', '?', '!'],
  ])('%s', (_, before, after) => {
    expect([holds(before, after), holds(after, before)]).toEqual([false, false])
  })
})
