// Protects how `draft` reads exports and finds the question of a ticket.
import { expect, test } from 'vitest'
import { readExports } from '../../src/dataset/draft/export.ts'
import { questionOfTicket, turnsOf } from '../../src/dataset/draft/question.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { textRow, workbookOf } from '../support/workbook.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const ask = (subject: string, text: string) =>
  questionOfTicket({ id: '', tags: [], turns: [{ subject, text }] })?.message

test.each([
  // The subject, if it says enough.
  ['How do I reset my password?', 'See above', 'How do I reset my password?'],
  ['RE: AW: [Ticket #4711] VPN drops every hour', 'Why?', 'VPN drops every hour'],
  ['FW: Drucker im 3. Stock druckt nicht', '', 'Drucker im 3. Stock druckt nicht'],
  ['Urgent!!! Please help me', 'My screen is black.', 'My screen is black.'],
  ['Password', 'How long must it be?', 'How long must it be?'],
  ['Password', 'Thanks', 'Password'],
  // The first question, without what stands around it.
  ['', 'Hello, I have a question. How do I order a mouse? Can you help?', 'How do I order a mouse?'],
  [
    'Question',
    'Hi Tom,\n\nwhere is the\nholiday form? It is urgent.\n\nBest regards,\nMary',
    'Where is the holiday form?',
  ],
  ['', 'The update runs since noon. How long?', 'The update runs since noon. How long?'],
  ['', 'Hallo zusammen, mein Drucker druckt nicht. Was kann ich tun?', 'Mein Drucker druckt nicht.'],
  [
    '',
    'Sehr geehrte Damen und Herren,\nwie beantrage ich Urlaub? Vielen Dank im Voraus',
    'Wie beantrage ich Urlaub?',
  ],
  ['', 'Bonjour Madame, comment changer mon mot de passe ? Merci', 'Comment changer mon mot de passe ?'],
  ['', '<p>Hello,</p><p>how do I get <b>VPN</b>?</p><p>Regards<br>Mary</p>', 'How do I get VPN?'],
  // A question that leans on the sentence before it.
  [
    'Hilfe',
    'Ich habe mein Kennwort vergessen. Wie kann ich es zurücksetzen?',
    'Ich habe mein Kennwort vergessen. Wie kann ich es zurücksetzen?',
  ],
  ['Help', 'I forgot my password. How can I reset it?', 'I forgot my password. How can I reset it?'],
  // Quoted mail and signatures.
  [
    '',
    'Where is the form?\n\nOn Mon, 24 Nov 2026 at 10:00, Desk <d@x.example> wrote:\n> What is it?',
    'Where is the form?',
  ],
  [
    '',
    'Es geht noch nicht.\n\nVon: Desk\nGesendet: Montag\nAn: Max\nBetreff: AW\n\nWas ist los?',
    'Es geht noch nicht.',
  ],
  ['', '> What is it?\nThe scanner is broken.', 'The scanner is broken.'],
  [
    '',
    'Le VPN ne marche pas.\n\nLe lun. 24 nov. 2026 à 10:00, Desk a écrit :\n> Quoi ?',
    'Le VPN ne marche pas.',
  ],
  ['', 'Outlook hangs.\n-- \nMary Smith\nWhat can we do for you?', 'Outlook hangs.'],
  ['', 'Outlook hangs.\nSent from my iPhone', 'Outlook hangs.'],
  ['', 'Wer hilft mir mit SAP?\nVon meinem iPhone gesendet', 'Wer hilft mir mit SAP?'],
  // Nothing is asked.
  ['Hello', 'Thanks, that was it!', undefined],
  ['', '', undefined],
  ['Question', 'Hi [name],\nplease help.\nThanks', undefined],
  // No cell begins like a formula.
  ['=HYPERLINK("x")  does not work', '', 'HYPERLINK("x") does not work'],
])('the question of "%s" and %j is %j', (subject, text, expected) => {
  expect(ask(subject, text)).toBe(expected)
})

test('a question without an end is cut', () => {
  expect(ask('', `Why ${'is it so '.repeat(100)}slow?`)?.length).toBeLessThanOrEqual(301)
})

test('whole turns keep what a person wrote, without courtesy', () => {
  const turns = ['Hi', 'My VPN drops. It is slow, too.', 'Thanks!'].map((text) => ({ subject: '', text }))
  expect(turnsOf({ id: 'a', tags: [], turns })).toEqual(['My VPN drops. It is slow, too.'])
})

async function read(text: string | Uint8Array, name = 'tickets.csv', column: string[] = []) {
  const result = await readExports([writeSet(folder, text, name)], column)
  if ('faults' in result) throw new Error(result.faults.map(({ message }) => message).join('\n'))
  return result
}

test.each([
  [
    'Ticket ID,Subject,Description,Category\n7,A,B,x\n',
    { id: '7', turns: [{ subject: 'A', text: 'B' }], tags: ['x'] },
  ],
  [
    'Ticket-Nr;Betreff;Beschreibung;Kategorie\n9;A;B;x|y\n',
    { id: '9', turns: [{ subject: 'A', text: 'B' }], tags: ['x', 'y'] },
  ],
  [
    'All tickets\n\nNumber,Short description\nINC1,A\n',
    { id: 'INC1', turns: [{ subject: 'A', text: '' }], tags: [] },
  ],
  [
    'conversation_id,author_type,message\nc,user,Hi\nc,bot,Hello?\nc,user,Why?\n',
    {
      id: 'c',
      turns: [
        { subject: '', text: 'Hi' },
        { subject: '', text: 'Why?' },
      ],
      tags: [],
    },
  ],
  // The author is somebody's name, so no role.
  ['id,author,text\n1,Mary,Why?\n', { id: '1', turns: [{ subject: '', text: 'Why?' }], tags: [] }],
])('%j is read by its headers', async (text, ticket) => {
  expect((await read(text)).tickets).toEqual([ticket])
})

test('--column names the columns of a workbook', async () => {
  const book = workbookOf({ S: textRow('Nr', 'Was ist los') + textRow('1', 'Why?') })
  const { tickets, files } = await read(book, 'export.xlsx', ['message=Was ist los'])
  expect(tickets).toEqual([{ id: '', turns: [{ subject: '', text: 'Why?' }], tags: [] }])
  expect(files[0]?.columns).toEqual([{ header: 'Was ist los', column: 'message' }])
})
