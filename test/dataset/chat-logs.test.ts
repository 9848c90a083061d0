// Protects chat logs and joined files as question sets: the assistant's rows are never sent, nor is a header
// below the first row.
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, readFaults, readValid, warningsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

test('rows of the assistant are left out, with their number, and leave no gap in the turns', async () => {
  const text = [
    'conversation_id,turn,sender,text,timestamp',
    'c1,1,System,Welcome,0',
    'c1,2,End-User,How do I reset it?,1',
    'c1,3,Bot,Open the portal.,2',
    'c1,4,user,And then?,3',
    'c1,5,ai,,4',
    'c2,1,Visitor,Is there a gym?,5',
    'c2,2,Agent,Yes.,6',
    'c3,1,me,Who fixes it?,7',
    'c3,2,Mitarbeiter,We do.,8',
  ].join('\n')
  const set = await readValid(writeSet(folder, text))
  expect(questionsOf(set).map(({ thread, turn, message }) => [thread, turn, message])).toEqual([
    ['c1', 1, 'How do I reset it?'],
    ['c1', 2, 'And then?'],
    ['c2', 1, 'Is there a gym?'],
    ['c3', 1, 'Who fixes it?'],
  ])
  expect(set.columns).toEqual(['timestamp'])
  expect(warningsOf(set)).toEqual(['set.csv: rows of the assistant that were left out: 5'])
})

test('unknown roles are one fault that lists them', async () => {
  const text = 'message,author\nWhy?,user\nBecause,moderator\nHm,\nSo,moderator\n'
  expect(await readFaults(writeSet(folder, text))).toEqual([
    expect.stringMatching(/^set.csv:3: the column "author" .* "moderator", "" .* or rename the column$/),
  ])
})

test('a set in which only the assistant speaks has no questions', async () => {
  expect(await readFaults(writeSet(folder, 'message,role\nHello,assistant\n'))).toEqual([
    'set.csv:1: the file has a header, but no questions; add a row',
  ])
})

test.each([
  ['id,message\na,x\nid,message\nb,y\n', [3]],
  ['id,message\na,x\n\ufeffID, Message \nb,y\n', [3]],
  ['message\nx\nMessage\ny\n', [3]],
  ['id,message,tags\na,x,t\nmessage,thread\nb,y\n', [3]],
  ['question,__expected\nx,y\nquestion,__expected\nz,y\n', [3]],
  ['question;answer\nx;y\n\nquestion;answer\nz;y\n', [4]],
])('a header that stands again below is a fault: %j', async (text, lines) => {
  expect(await readFaults(writeSet(folder, text))).toEqual(
    lines.map(
      (line) =>
        `set.csv:${line}: the header of line 1 stands here again, as in joined files; delete the line`,
    ),
  )
})

test.each([
  'message,owner\nQuestion,\nprompt,input type\n',
  'text,category\nWhat is a label?,text\nquery,database\n',
])('cells that are names of columns are no header: %j', async (text) => {
  expect(questionsOf(await readValid(writeSet(folder, text)))).toHaveLength(2)
})

test.each(['\u200b', '\u00ad\u200d', '\ufeff\u2060', '\ufe0f', '\u3164', '\u2800', '\u00a0\u200e'])(
  'a message of invisible characters only is a fault: %j',
  async (message) => {
    const faults = await readFaults(writeSet(folder, `id,message\na,Why?\nb,${message}\n`))
    expect(faults).toEqual([
      expect.stringMatching(/^set.csv:3: (?:message .* has no visible character|the row has no question)/),
    ])
  },
)

test('an emoji with joiners and selectors is visible', async () => {
  const message = '\u200b👩\u200d💻\ufe0f'
  const set = await readValid(writeSet(folder, `message\n${message}\n`))
  expect(questionsOf(set)[0]?.message).toBe(message)
})
