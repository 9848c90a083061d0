// Answers compared: facts by example, what changed between two answers, and laws of both.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareAnswers } from '../../../src/analysis/comparison/answers.ts'
import { factsOf } from '../../../src/analysis/comparison/facts.ts'
import { anySign } from '../../support/any-sign.ts'

const named = (text: string): string[] => factsOf(text).map(({ kind, value }) => `${kind} ${value}`)

const FACTS: readonly (readonly [text: string, ...facts: string[]])[] = [
  [''],
  ['Please restart the computer.'],
  ['You may march into the office.'],
  ['One of our colleagues will help you.'],
  ['Not only printers, without delay.'],
  [' 1. Open the app \n 2. Log in '],
  ['once a week'],
  ['may 5 people join', 'number 5'],
  ['The fee is €150.', 'amount 150 EUR'],
  ['It costs 150 EUR', 'amount 150 EUR'],
  ['Das kostet 150,- €.', 'amount 150 EUR'],
  ['A laptop is $1,200.50.', 'amount 1200.5 USD'],
  ['Ein Laptop kostet 1.200,50 €', 'amount 1200.5 EUR'],
  ['CHF 1’200', 'amount 1200 CHF'],
  ['a budget of $2 million, or €5k', 'amount 2000000 USD', 'amount 5000 EUR'],
  ['between 50 and 100 euros', 'amount 50 EUR', 'amount 100 EUR'],
  ['by 3 November', 'date --11-03'],
  ['May 5', 'date --05-05'],
  ['by the 3rd of November 2026', 'date 2026-11-03'],
  ['on Nov. 3rd, 2026', 'date 2026-11-03'],
  ['November 2026, in May', 'date 2026-11', 'date --05'],
  ['2026-11-03T15:00', 'date 2026-11-03', 'time 15:00'],
  ['am 03.11.2026', 'date 2026-11-03'],
  ['am 3. November 2026', 'date 2026-11-03'],
  ['bis 3.11. um 9 Uhr', 'date --11-03', 'time 09:00'],
  ['am 03.11.26', 'date 2026-11-03'],
  ['03/11/2026', 'date 03/11/2026'],
  ['by Friday, jeden Dienstag', 'date weekday 5', 'date weekday 2'],
  ['at 3 pm or 3:30 p.m.', 'time 15:00', 'time 15:30'],
  ['at 12 am', 'time 00:00'],
  ['um 15.30 Uhr, 9-17 Uhr', 'time 15:30', 'time 09:00', 'time 17:00'],
  ['open 9:00–17:00', 'time 09:00', 'time 17:00'],
  ['a 30-minute break', 'duration 1800 s'],
  ['8 hours a day', 'duration 28800 s'],
  ['in 2 Wochen', 'duration 1209600 s'],
  ['90-tägige Frist', 'duration 7776000 s'],
  ['2–3 days', 'duration 172800 s', 'duration 259200 s'],
  ['5 working days', 'duration 5 working days'],
  ['12 months', 'duration 12 months'],
  ['zu 99,9% und 5 Prozent', 'percentage 99.9', 'percentage 5'],
  ['See https://Example.com/Help.', 'url https://example.com/Help'],
  ['[portal](https://example.com/a)', 'url https://example.com/a'],
  ['www.example.com/', 'url https://www.example.com'],
  ['portal.example.com/vpn', 'url https://portal.example.com/vpn'],
  ['https://desk.example.com/?a=/', 'url https://desk.example.com/?a=/'],
  ['mail Help@Example.com.', 'email help@example.com'],
  ['+49 30 1234567', 'phone +49301234567'],
  ["You can't, you do not need it", 'negation not', 'negation not'],
  ['Das geht nicht. Es gibt keinen Zugang', 'negation not', 'negation not'],
  ['Without a form. Das ist verboten, unmöglich', 'negation not', 'negation not', 'negation not'],
  ['1,200 seats and 1.200 Plätze', 'number 1200', 'number 1200'],
  ['at most 25 MB', 'number 25 mb'],
  ['Windows 11, version 2.3.1', 'number 11', 'number 2.3.1'],
  ['error 0x80070005', 'number 0x80070005'],
  ['-5 °C', 'number -5 °c'],
  ['the 2nd floor', 'number 2'],
  ['PIN 0000', 'number 0000'],
  ['release 2.1 and v2.10', 'number 2.1', 'number 2.10'],
  ['no more than 5', 'number 5'],
]

test.each(FACTS)('facts of %j', (text, ...facts) => {
  expect(named(text)).toEqual(facts)
})

test.each([
  ['File it within 30 days.', 'File it within 14 days.', '30 days', '14 days'],
  ['You can use VPN.', 'You cannot use VPN.', '', 'cannot'],
  ['by Friday, €50', 'by Monday, €50', 'Friday', 'Monday'],
  ['Come at 3 pm.', 'Come at 4 p.m.', '3 pm', '4 p.m.'],
  ['am 03.11.', 'am 04.11.', '03.11.', '04.11.'],
  [
    'See https://a.example/vpn.',
    'See **https://a.example/lan**.',
    'https://a.example/vpn',
    'https://a.example/lan',
  ],
  ['It is not so. It is not.', 'It is not.', 'not', ''],
  ['Do not wait. If nothing helps, call.', 'Wait. If nothing helps, call.', 'not', ''],
  ['It is possible', 'It is impossible', '', 'impossible'],
])('from %j to %j: %s lost, %s gained', (before, after, lost, gained) => {
  const change = compareAnswers(before, after)
  expect(change.kind).toBe('factsChanged')
  expect([change.lost, change.gained].map((facts) => facts.map(({ text }) => text).join())).toEqual([
    lost,
    gained,
  ])
})

test.each([
  ['same', 'Open the  Portal.', 'open the portal.'],
  ['same', '“Quoted” – so', '"quoted" - so'],
  ['rephrased', '1,200 users have it', 'users: 1200 have it'],
  ['rephrased', 'Not before 15:00, come later.', "Don't come before 3 pm."],
  ['rephrased', 'The VPN costs €1,200.50', 'The VPN costs 1.200,50 EUR now'],
  ['rephrased', 'You need no password', 'Log in without a password'],
  ['rephrased', 'It is at most 5 users', 'It is no more than 5 users'],
  ['rephrased', 'Ask your manager to approve the request', 'Your manager has to sign off on it first'],
  ['otherAnswer', 'Install the VPN profile.', 'Lunch is served in the canteen.'],
  ['otherAnswer', 'Open the portal.', ''],
  ['otherAnswer', '👍', '👎'],
  ['factsChanged', 'It takes 30 days, mail a@b.example', 'Wait 14 weeks. a@b.example'],
] as const)('%s: %j and %j', (kind, before, after) => {
  expect(compareAnswers(before, after).kind).toBe(kind)
})

const sentence = fc.constantFrom(...FACTS.map(([text]) => text).filter((text) => !text.includes('\n')))
const anyText = fc.oneof(
  fc.string({ unit: anySign, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom('0', '15', '.', ',', ':', '/', '-', '+', '@', ' ', '€', '%', 'h', '\n', '\0', '\ud800'),
      { maxLength: 40 },
    )
    .map((signs) => signs.join('')),
  fc.array(sentence, { maxLength: 4 }).map((parts) => parts.join('; ')),
)

describe('laws', () => {
  test('any two texts compare, and the other way round what was lost is gained', () => {
    fc.assert(
      fc.property(anyText, anyText, (some, other) => {
        const [there, back] = [compareAnswers(some, other), compareAnswers(other, some)]
        expect(there).toEqual({ ...back, lost: back.gained, gained: back.lost })
        expect(compareAnswers(some, some).kind).toBe('same')
      }),
      { numRuns: 1000 },
    )
  })

  // Backtracking over so long a text would not end within the time that any test has.
  const PIECES =
    "1|a| |A|-|.|1.|1,|1 |111.|111 |1-|A1-|a.|a@|a.com.|0 |+|(|http://|1:|\n|ä|n't|€|%|1 to |2026-11-03T"
  test.each(PIECES.split('|'))('%j again and again comes to an end', (piece) => {
    expect(Array.isArray(factsOf(piece.repeat(Math.ceil(150_000 / piece.length))))).toBe(true)
  })
})
