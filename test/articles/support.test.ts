// Protects the support of facts: supported, unsupported, conflict, not checked; hostile texts.
import { describe, expect, test } from 'vitest'
import type { Article } from '../../src/articles/article.ts'
import { FactIndex } from '../../src/articles/fact-index.ts'
import { supportOf } from '../../src/articles/support.ts'
import { makeArticle } from './make-article.ts'
import { cpuMs } from '../support/cpu-time.ts'

const RESET = makeArticle(
  'reset',
  'Password reset',
  'Reset it at https://desk.example.com/password, within 14 days, Monday to Friday from 09:00 to 17:30. ' +
    'The account is locked for 30 minutes after 5 attempts. A new token costs €1,200 and 25 MB, in 90 per cent ' +
    'of cases by 3 November 2026.\n\n1. Call +49 30 123456, ext. 4460, or write to help@example.com.\n2. Wait two hours.',
)
const PARKING = makeArticle('parking', 'Parking', 'A space costs €4 a day. Cancel 7 days before.')
const CORPUS = new FactIndex([RESET, PARKING])

/** `text: kind by`, by fact. */
const found = (answer: string, question = '', source: Article | null = RESET, corpus = CORPUS): string[] =>
  supportOf(answer, question, source, corpus).findings.map(
    ({ fact, support }) => `${fact.text}: ${'by' in support ? support.by : support.kind}`,
  )

test.each([
  ['14 days', 'source'],
  ['two weeks', 'source'],
  ['2 weeks', 'source'],
  ['20 days', 'unsupported'],
  ['half an hour, or 30 mins', '30 mins: source'],
  ['9 am', 'source'],
  ['5:30 pm', 'source'],
  ['10:45', 'unsupported'],
  ['1.200 €', 'source'],
  ['EUR 1,200', 'source'],
  ['$1,200', 'unsupported'],
  ['90%', 'source'],
  ['95%', 'unsupported'],
  ['25MB', 'source'],
  ['25 GB', 'unsupported'],
  ['3 Nov', 'source'],
  ['November 3rd, 2026', 'source'],
  ['2026-11-03', 'source'],
  ['03/11/2026', 'source'],
  ['November', 'source'],
  ['3 November 2027', 'unsupported'],
  ['4 November', 'unsupported'],
  ['Monday', 'source'],
  ['Sunday', 'unsupported'],
  ['030 123456', 'source'],
  ['+49 (0)30 123456', 'source'],
  ['+49 30 123457', 'unsupported'],
  ['Help@Example.com', 'source'],
  ['hello@example.com', 'unsupported'],
  ['http://desk.example.com/password/', 'source'],
  ['desk.example.com', 'source'],
  ['https://desk.example.com/account', 'unsupported'],
  ['https://kb.example/reset', 'source'],
  ['2 h', 'source'],
  ['€4', 'article'],
  ['7 days', 'article'],
  ['4460', 'source'],
  ['4461', 'unsupported'],
])('%s is found in: %s', (written, expected) => {
  expect(found(`It is ${written}.`)).toEqual([expected.includes(': ') ? expected : `${written}: ${expected}`])
})

test.each([
  ['a list number', '1. Open it\n2. Wait\nStep 3: Call', []],
  ['a citation mark', 'Open it [1]. Wait【7†kb】', []],
  ['a negation', 'You cannot do it', []],
  ['a count', 'There are 3 ways to do it', []],
  ['a name', 'On Windows 11', []],
  ['another way to write "an hour"', 'It takes 1 hour', []],
  ['a count that the source has otherwise', 'It is locked after 3 attempts', ['3: unsupported']],
  ['a count that the source has', 'It is locked after 5 attempts', ['5: source']],
])('%s: %j', (_, answer, expected) => {
  expect(found(answer)).toEqual(expected)
})

test('the question’s own numbers are no facts of the answer', () => {
  const question = 'Is 45 days too late?'
  expect(found('45 days is too late.', question)).toEqual(['45 days: question'])
  expect(supportOf('45 days is too late.', question, RESET, CORPUS).checked).toBe(0)
  expect(supportOf('After 45 days call 4460.', question, RESET, CORPUS).checked).toBe(1)
})

test.each(['1,200 EUR', 'EUR 1,200.50', '1.200 €', '12,5 %', '30 days'])(
  '%s has its unit in the head of a table',
  (written) => {
    const table = '| EUR | Share | Days |\n| 1,200 | 12.5 | 30 |\n| 1200.50 | 1 | 2 |'
    const limits = makeArticle('limits', 'Limits', table)
    expect(found(`It is ${written}.`, '', limits, new FactIndex([limits]))).toEqual([`${written}: source`])
  },
)

test.each(['03/11/2026', '11/03/2026'])('%s is a day of March or of November', (written) => {
  for (const day of ['March 11, 2026', '3 November 2026', '2026-11-03', '2026-03-11']) {
    const article = makeArticle('day', 'Move', `We move on ${day}.`)
    expect(found(`On ${written}.`, '', article, new FactIndex([article]))).toEqual([`${written}: source`])
    const known = makeArticle('day', 'Move', `We move on ${written}.`)
    expect(found(`On ${day}.`, '', known, new FactIndex([known]))).toEqual([`${day}: source`])
    expect(found(`On ${written.replaceAll('/', '-')}.`, '', known, new FactIndex([known]))).toEqual([
      `${written.replaceAll('/', '-')}: source`,
    ])
  }
  const swapped = written.replace(/(\d+)\/(\d+)/, '$2/$1')
  const other = makeArticle('day', 'Move', `We move on ${swapped}, 03/12/2026 or 12/11/2026.`)
  expect(found(`On ${written}.`, '', other, new FactIndex([other]))).toEqual([`${written}: unsupported`])
})

test('an answer without facts is not checked', () => {
  expect(supportOf('Ask your manager.', '', RESET, CORPUS)).toEqual({ checked: 0, findings: [] })
})

test('without a likely source, every article counts', () => {
  expect(found('It costs €4 or €5.', '', null)).toEqual(['€4: article', '€5: unsupported'])
})

test('a finding says where the fact stands, and in which sentence', () => {
  const answer = 'Open the portal. You have **20** days\u00a0left! Then call.\n- Ask for 99 €'
  const { findings } = supportOf(answer, '', RESET, CORPUS)
  expect(findings.map(({ fact, sentence }) => [answer.slice(fact.start, fact.end), sentence])).toEqual([
    ['20** days', 'You have **20** days\u00a0left!'],
    ['99 €', '- Ask for 99 €'],
  ])
})

describe('a conflict', () => {
  const lockout = (id: string, title: string, minutes: string): Article =>
    makeArticle(id, title, `Your account is locked for ${minutes} after too many failed attempts to sign in.`)
  const [reset, account] = [
    lockout('a', 'Locked account', '30 minutes'),
    lockout('b', 'Failed sign in', '20 minutes'),
  ]
  const corpus = new FactIndex([reset, account, PARKING])
  const conflict = { kind: 'conflict', article: account, inSource: '30 minutes', inArticle: '20 minutes' }
  const supports = (answer: string, of: FactIndex, source = reset) =>
    supportOf(answer, '', source, of).findings.map(({ support }) => support)

  test('is a fact that another article gives differently from the likely source', () => {
    expect(supports('It is locked for 30 minutes.', corpus)).toEqual([conflict])
    expect(supports('It is locked for 20 minutes.', corpus)).toEqual([conflict])
  })
  test.each([
    [
      'the other article knows the fact, too',
      `${account.sections[0].text} Reset it after 30 minutes.`,
      'Failed sign in',
    ],
    [
      'the other sentence says something else',
      'Your meeting room is locked for 20 minutes at night.',
      'Failed sign in',
    ],
    [
      'the other sentence has two such facts',
      account.sections[0].text.replace('20', '10 minutes or 20'),
      'Failed sign in',
    ],
    [
      'the spelling differs',
      account.sections[0].text.replace('20 minutes', 'half an hour or 0.5 hours'),
      'Failed sign in',
    ],
  ])('is none where %s', (_, text, title) => {
    const other = new FactIndex([reset, makeArticle('b', title, text)])
    expect(supports('It is locked for 30 minutes.', other)).toEqual([{ kind: 'supported', by: 'source' }])
  })
  test('is none where each title names a subject of its own', () => {
    const parking = (town: string, price: string): Article =>
      makeArticle(town, `Parking in ${town}`, `A space in the garage costs ${price} a day for each employee.`)
    const [dublin, utrecht] = [parking('Dublin', '€4'), parking('Utrecht', '€6')]
    const both = new FactIndex([dublin, utrecht])
    expect(supports('It costs €4 a day.', both, dublin)).toEqual([{ kind: 'supported', by: 'source' }])
  })
})

const PIECES =
  '1|a| |A|-|.|1.|1,|1 |111.|111 |1-|A1-|a.|a@|a.com.|0 |+|(|http://|1:|\n|ä|€|%|1 to |two |\\|[1]|<b>|5 days. '
test.each(PIECES.split('|'))(
  '100 kB of %j are read in linear time, as an answer and as an article',
  (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length))
    const read = (): void => {
      const article = makeArticle('a', 'A', text)
      const corpus = new FactIndex([article, PARKING])
      supportOf('It is 14 days, €4, desk.example.com and 030 123456.', text.slice(0, 1000), article, corpus)
      supportOf(text, '', article, corpus)
    }
    expect(cpuMs(10_000, read)).toBeLessThan(10_000)
  },
)
