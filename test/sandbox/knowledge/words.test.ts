// Words and terms, and what a question's grammar says of its context.
import { describe, expect, test } from 'vitest'
import { dependenceOf } from '../../../src/sandbox/knowledge/dependence.ts'
import { questionTerms } from '../../../src/sandbox/knowledge/search.ts'
import { isTopic, splitWords, termsOf } from '../../../src/sandbox/knowledge/words.ts'

test.each([
  ['E-mail and Wi-Fi', ['email', 'and', 'wifi']],
  ["What's the café's menu?", ['what', 'the', 'cafe', 'menu']],
  ['multi-factor set-up', ['multi', 'factor', 'set', 'up']],
  ['see https://desk.example.com/vpn or it@example.com', ['see', 'or']],
  ['Ärger über Ölstände', ['arger', 'uber', 'olstande']],
  ['', []],
])('%j splits into words', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})

test.each([
  ['printing printers print', 'Printer'],
  ['notebooks', 'laptops'],
  ['mobile phones', 'a phone, a smartphone'],
  ['licenses', 'licence'],
  ['deleted', 'erase'],
  ['abroad', 'overseas'],
  ['Spain', 'a country'],
])('%j and %j are the same terms', (one, other) => {
  expect(new Set(termsOf(one))).toEqual(new Set(termsOf(other)))
})

test('small talk, time and number are no topic', () => {
  expect(questionTerms('Hello, can you please tell me how long I have to wait, 3 or 4 days?').topic).toEqual(
    new Set(),
  )
  expect(questionTerms('Please help me with my printer').topic).toEqual(new Set(['print']))
})

describe('how a question hangs on what came before', () => {
  test.each([
    ['How long does it take?', 'reference'],
    ['What are its symptoms?', 'reference'],
    ['Who has to approve that?', 'reference'],
    ['Can contractors use it?', 'reference'],
    ['What if I cannot find them?', 'reference'],
    ['Can I get a new one?', 'reference'],
    ['Do I have to go there in person?', 'reference'],
    ['Does this cost anything? And this?', 'reference'],
    ['And on a Mac?', 'opening'],
    ['What about contractors?', 'opening'],
    ['OK, and how do I cancel?', 'opening'],
    ['For how many days?', 'opening'],
    ['Is the chat staffed as well?', 'reference'],
    ['How long are the copies kept?', 'definite'],
    ['How do I reset my password?', 'none'],
    ['If I lose my badge, who do I tell about it?', 'none'],
    ['My laptop is broken. Where can I have it repaired?', 'none'],
    ['How do I contact IT?', 'none'],
    ['Is it possible to print from my phone?', 'none'],
    ['How long does it take to get a badge?', 'none'],
    ['Is there parking in Utrecht?', 'none'],
    ['The laptop that I got last year is slow this morning', 'none'],
    ['vpn not working', 'none'],
  ])('%j: %s', (message, dependence) => {
    expect(dependenceOf(message, isTopic)).toBe(dependence)
  })
})
