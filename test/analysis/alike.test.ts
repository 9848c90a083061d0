// Protects what `validate` lists besides faults: conversations that ask the same, and personal data.
import { expect, test } from 'vitest'
import { findAlike } from '../../src/analysis/alike.ts'
import { findPersonalData } from '../../src/dataset/personal-data.ts'
import type { Expectations } from '../../src/domain/question.ts'
import { makeQuestion } from '../support/questions.ts'

const ask = (id: string, message: string, expected?: Expectations) => ({
  turns: [makeQuestion(id, id, 1, { message, ...(expected && { expect: expected }) })],
})
const kindOf = (...conversations: Parameters<typeof findAlike>[0]): string => {
  const [found] = findAlike(conversations)
  return found === undefined ? 'none' : found.isEqual ? 'equal' : 'near'
}

test.each([
  ['How do I reset my password?', 'how do I  reset my password?', 'equal'],
  ['What’s the limit?', "What's the limit?", 'equal'],
  ['How do I reset my password?', 'How can I reset the password, please', 'near'],
  ['How do I reset my password?', 'How do I reset my pasword?', 'near'],
  ['How do I reset my passwords?', 'How do I reset my password?', 'near'],
  ['Wie setze ich mein Passwort zurück?', 'Bitte, wie setze ich das Passwort zurück', 'near'],
  ['Wie lange gilt es?', 'Wie lang gilt es?', 'near'],
  ['How do I install version 10?', 'How do I install version 11?', 'none'],
  ['How do I enable 2FA?', 'How do I disable 2FA?', 'none'],
  ['How do I add a user?', 'How do I delete a user?', 'none'],
  ['When is the office open?', 'Where is the office open?', 'none'],
  ['Kann ich ein Passwort wählen?', 'Kann ich kein Passwort wählen?', 'none'],
  ['Is it?', 'Is he?', 'none'],
])('%s and %s: %s', (one, other, kind) => {
  expect(kindOf(ask('a', one), ask('b', other))).toBe(kind)
})

test.each([
  ['equal', { contains: ['x'] }, { contains: ['x'] }],
  ['equal', { contains: ['x'] }, { contains: ['y'] }],
  ['equal', { contains: ['x'] }, undefined],
  ['equal', undefined, undefined],
])('%s is listed for the expectations %j and %j', (kind, one, other) => {
  expect(kindOf(ask('a', 'Why?', one), ask('b', 'why?', other))).toBe(kind)
})

const answer = (text: string, minSimilarity = 0.5): Expectations => ({ answer: { text, minSimilarity } })
const source = (value: string, not = false): Expectations => ({ source: { value, not } })

test.each<readonly [Expectations | undefined, Expectations | undefined, string | undefined]>([
  [undefined, source('KB'), undefined],
  [source('KB'), source('kb'), undefined],
  [source('KB'), source('WEB'), 'expect_source: KB / WEB'],
  [source('KB'), source('kb', true), 'expect_source: KB / !kb'],
  [source('KB', true), source('WEB'), undefined],
  [source('KB', true), source('WEB', true), undefined],
  [{ contains: ['7 days'] }, { contains: ['30 days'] }, undefined],
  [
    { contains: ['The Portal'] },
    { notContains: ['sorry', 'portal'] },
    'expect_contains: The Portal / not: portal',
  ],
  [{ notContains: ['portal'] }, { contains: ['a  portal'] }, 'expect_contains: not: portal / a  portal'],
  [{ contains: ['portal'] }, { notContains: ['portal page'] }, undefined],
  [answer('It holds 50 GB'), answer('Ten gigabytes'), 'expect_answer: It holds 50 GB / Ten gigabytes'],
  [answer('It holds 50 GB'), answer('The mailbox holds 50 GB.'), undefined],
  [answer('50 GB'), answer('Every mailbox of the whole company has at most 50 GB, alas'), undefined],
  // The shares of words are 0.4: both pass with the lower line.
  [
    answer('one two three four five'),
    answer('one two six seven eight'),
    'expect_answer: one two three four five / one two six seven eight',
  ],
  [answer('one two three four five'), answer('one two six seven eight', 0.4), undefined],
])('equal questions that expect %j and %j', (one, other, found) => {
  const [group] = findAlike([ask('a', 'Why?', one), ask('b', 'why?', other)])
  const [first, ...more] = group?.contradictions ?? []
  expect(first && `${first.column}: ${first.expected.join(' / ')}`).toBe(found)
  expect(more).toEqual([])
})

test('each two of three contradict each other; questions that are only nearly equal do not', () => {
  const [group] = findAlike([
    ask('a', 'How do I reset my password?', source('A')),
    ask('b', 'how do I reset my password?', source('B')),
    ask('c', 'How do I reset my password?', source('C')),
    ask('d', 'How do I reset my password?', source('A')),
    ask('e', 'How can I reset the password?', source('E')),
  ])
  expect(group?.questions).toHaveLength(5)
  const pairs = group?.contradictions.map(({ questions }) => questions.map(({ id }) => id).join(''))
  expect(pairs).toEqual(['ab', 'ac', 'bc'])
})

test('conversations are compared as a whole', () => {
  const talk = (id: string, last: string) => ({
    turns: ['Hello', 'My VPN fails', last].map((message, turn) =>
      makeQuestion(`${id}${turn}`, id, turn + 1, { message }),
    ),
  })
  expect(kindOf(talk('a', 'On my phone'), talk('b', 'At home'))).toBe('none')
  expect(kindOf(talk('a', 'On my phone'), talk('b', 'On my phone!'))).toBe('near')
})

test.each([
  ['Mail jane.doe@example.com', ['e-mail address']],
  ['Call +31 20 123 4567', ['telephone number']],
  ['Ruf 0151 23456789 an', ['telephone number']],
  ['It is (020) 7946 0958', ['telephone number']],
  ['Dial 555-123-4567', ['telephone number']],
  ['Card 4111 1111 1111 1111', ['card number']],
  ['Card 4111-1111-1111-1112', []],
  ['IBAN DE89 3704 0044 0532 0130 00', ['account number']],
  ['gb82west12345698765432', ['account number']],
  ['IBAN DE88 3704 0044 0532 0130 00', []],
  ['Order 2026-05-17 12:30 and version 10.0.22631', []],
  ['Invoice 4711-0815, 1,000,000 rows, 192.168.100.200', []],
  ['a@1, tenant@17', []],
  ['Send 4111111111111111 to a@b.example', ['e-mail address', 'card number']],
])('%s holds %j', (message, kinds) => {
  expect(findPersonalData(message)).toEqual(kinds)
})
