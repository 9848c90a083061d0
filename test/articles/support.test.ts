// Protects the support of facts: what means the same in four languages, what is not checked, what is flagged and
// what the section gives instead; hostile texts.
import { describe, expect, test } from 'vitest'
import type { Article } from '../../src/articles/article.ts'
import { Passages } from '../../src/articles/passages.ts'
import { readAnswer } from '../../src/articles/source.ts'
import { supportOf } from '../../src/articles/support.ts'
import { makeArticle } from './make-article.ts'
import { readRows } from '../support/rows.ts'

const RESET = makeArticle(
  'reset',
  'Password reset',
  'Reset it at https://desk.example.com/password, within 14 days, Monday to Friday from 09:00 to 17:30. ' +
    'The account is locked for 30 minutes after 5 attempts. A new token costs €1,200 and 25 MB, in 90 per cent ' +
    'of cases by 3 November 2026.\n\n1. Call +49 30 123456, ext. 4460, or write to help@example.com.\n2. Wait two hours.',
)
const PARKING = makeArticle('parking', 'Parking', 'A space costs €4 a day. Cancel 7 days before.')
const CORPUS = new Passages([RESET, PARKING])

/** Facts that are not borne out, as `text: kind; what the section gives instead`. */
function flagged(answer: string, question = '', article: Article | null = RESET, corpus = CORPUS): string[] {
  const source = article && { article, section: article.sections[0], share: 1 }
  return supportOf(readAnswer(answer), question, source, corpus).findings.map(
    ({ fact, kind, instead }) => `${fact.text}: ${kind}${instead === null ? '' : `; ${instead.text}`}`,
  )
}

const BORNE_OUT =
  '14 days|two weeks|2 weeks|a fortnight|half an hour, or 30 mins|9 am|5:30 pm|half past five|' +
  '1.200 €|EUR 1,200|90%|nine out of ten|25MB|3 Nov|November 3rd, 2026|2026-11-03|03/11/2026|' +
  'November|Monday|Wednesday|030 123456|+49 (0)30 123456|Help@Example.com|2 h|4460|' +
  'http://desk.example.com/password/|desk.example.com|around 31 minutes|nearly €1,250'
test.each(BORNE_OUT.split('|'))('%s is borne out', (written) => {
  expect(flagged(`It is ${written}.`)).toEqual([])
})

const UNSUPPORTED =
  '20 days|10:45|$1,200|95%|25 GB|3 November 2027|4 November|+49 30 123457|' +
  'hello@example.com|https://desk.example.com/account|4461'
test.each([
  ...UNSUPPORTED.split('|').map((written) => [written, 'unsupported']),
  ['€4', 'elsewhere'],
  ['7 days', 'elsewhere'],
])('%s is %s', (written, kind) => {
  expect(flagged(`It is ${written}.`)).toEqual([`${written}: ${kind}`])
})

/** Texts that several rows of the table name. */
const ARTICLES = new Map(readRows<[string, string]>(new URL('support-articles.ndjson', import.meta.url)))

/** The article, the answer, the question, and what is flagged. */
const ROWS = readRows<[text: string, answer: string, question?: string, ...found: string[]]>(
  new URL('support.ndjson', import.meta.url),
)

test.each(ROWS)('held against %j, %j, asked %j, has %j', (text, answer, question = '', ...found) => {
  const article = makeArticle('a', 'A', ARTICLES.get(text) ?? text)
  expect(flagged(answer, question, article, new Passages([article]))).toEqual(found)
})

describe('not checked', () => {
  test.each([
    ['a list number', '1. Open it\n2. Wait\nStep 3: Call'],
    ['a citation mark', 'Open it [1]. Wait【7†kb】'],
    ['a negation', 'You cannot do it'],
    ['a count of the answer’s own', 'There are 3 ways to do it'],
    ['a small count that the section has not', 'Only 3 people know'],
    ['a weekday where the section names none for this', 'Call on Sunday'],
    ['what it concludes from what it states', 'With 14 days and 30 minutes each, so 28 days for both.'],
  ])('%s: %j', (_, answer) => {
    expect(flagged(answer)).toEqual([])
  })

  test('values of the question', () => {
    const question = 'Is 45 days too late?'
    const count = (answer: string): number =>
      supportOf(
        readAnswer(answer),
        question,
        { article: RESET, section: RESET.sections[0], share: 1 },
        CORPUS,
      ).checked
    expect(count('45 days is too late.')).toBe(0)
    expect(count('After 45 days call 4460.')).toBe(1)
  })
})

test('without a likely source, every article counts', () => {
  expect(flagged('It costs €4 or €5.', '', null)).toEqual(['€5: unsupported'])
})

test('a sentence that another article resembles more is held against that one', () => {
  expect(flagged('Wait two hours. A parking space costs €4 a day.')).toEqual([])
})

test('a finding says where the fact stands, and in which sentence', () => {
  const answer = 'Open the portal. You have **twenty** days\u00a0left! Then call.\n- Ask for 99 €'
  const { findings } = supportOf(readAnswer(answer), '', null, CORPUS)
  expect(
    findings.map(({ fact, sentence }) => [answer.slice(fact.start, fact.end), fact.text, sentence]),
  ).toEqual([
    ['twenty** days', 'twenty days', 'You have **twenty** days\u00a0left!'],
    ['99 €', '99 €', '- Ask for 99 €'],
  ])
})
