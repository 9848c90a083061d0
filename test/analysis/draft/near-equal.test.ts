// Protects which questions of tickets count as one, and which questions a limited set takes.
import { expect, test } from 'vitest'
import { chooseQuestions } from '../../../src/analysis/draft/choose.ts'
import { joinNearEqual } from '../../../src/analysis/draft/near-equal.ts'

test.each([
  ['How do I reset my password?', 'how do i reset my pasword'],
  ['How do I reset my password?', 'HOW DO I RESET MY PASSWORD!!'],
  ['How do I reset my password?', 'Hello, how can I reset the password please?'],
  ['How do I reset my password?', 'I want to reset my password'],
  ['Where is the holiday form?', 'Whree is the holiday form?'],
  ["My card doesn't work", 'My card doesnt work'],
  ['Wie setze ich mein Passwort zurück?', 'Bitte, wie setze ich das Pasword zurück'],
  ['Le VPN ne marche pas', 'Bonjour, le VPN ne marche pas.'],
  ['How do I move mail to the archive?', 'How can I move my mail to an archive'],
  ['?!', '?!'],
])('%j and %j are one question', (one, other) => {
  expect(joinNearEqual([one, other])).toEqual([[0, 1]])
})

test.each([
  ['When are cards delivered?', 'Where are cards delivered?'],
  ['My card works', 'My card does not work'],
  ['How do I install version 10?', 'How do I install version 11?'],
  ['How do I enable 2FA?', 'How do I disable 2FA?'],
  ['Where can I use my card?', 'Where can I get my card?'],
  ['The printer on floor 3 is broken', 'The scanner on floor 3 is broken'],
  ['Kann ich ein Passwort wählen?', 'Kann ich kein Passwort wählen?'],
  ['How do I install the VPN client?', 'How do I uninstall the VPN client?'],
  ['How do I activate my account?', 'How do I deactivate my account?'],
  ['Who can increase my mailbox quota?', 'Who can decrease my mailbox quota?'],
  ['How do I move mail to the archive?', 'How do I move mail from the archive?'],
  ['Can I be called by the support?', 'Can I be called from the support?'],
  ['Wie komme ich zu einem Archiv?', 'Wie komme ich von einem Archiv?'],
  ['?!', '…'],
])('%j and %j are two questions', (one, other) => {
  expect(joinNearEqual([one, other])).toEqual([[0], [1]])
})

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
