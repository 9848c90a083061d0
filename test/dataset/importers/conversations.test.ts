// Botium's conversations and Zendesk's history: a row a message.
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary.ts'
import { questionsOf } from '../reading-files.ts'
import { accountOf, fixture, importedIn, importFaults, importSet, importText } from './importing.ts'

const folder = temporaryFolder()

describe('Botium', () => {
  test('me asks, bot is expected', async () => {
    const set = await importSet(fixture('botium.csv'))
    expect(importedIn(set)).toEqual([
      {
        thread: 'hello',
        turn: 1,
        message: 'hello',
        expect: { answer: { text: 'Hello! What can I do?', minSimilarity: 0.5 } },
      },
      {
        thread: 'hello',
        turn: 2,
        message: 'How do I reset my password?',
        expect: {
          notContains: ['sorry | unable'],
          answer: { text: 'Use the portal\nIt takes a minute', minSimilarity: 0.5 },
        },
      },
      { thread: 'login', turn: 1, message: 'Am I logged in?' },
    ])
    expect(accountOf(set)).toEqual([
      'botium.csv: read as a set of Botium conversations: 3 questions; mapped: reference answer 2, answer that must not be 1; lost: answer before the first question 1, asserter of Botium 1, logic hook or input of Botium 1, name of an utterance list 2',
      'botium.csv:2: answer before the first question (1): the harness asks first; a greeting cannot be expected',
      'botium.csv:5: asserter of Botium (1): such as BUTTONS or INTENT: the endpoint answers with text alone',
      'botium.csv:10: logic hook or input of Botium (1): such as INCLUDE, PAUSE or BUTTON: they are no text to ask',
      'botium.csv:11: name of an utterance list (2): the lists are in files of their own; write the text itself',
      'botium.csv:4: text of the bot (3): Botium looks for it in the answer; here it is a reference answer, compared by the words they share',
    ])
  })

  test('an answer belongs to the question of its own conversation', async () => {
    const set = await importText(folder, 'conversationId,sender,text\na,me,x\nb,bot,early\nb,me,y\nb,bot,z\n')
    expect(importedIn(set).map((one) => one.expect?.answer?.text)).toEqual([undefined, 'z'])
  })

  test('two columns are questions and answers, one is a column of our own', async () => {
    expect(accountOf(await importText(folder, 'question,answer\nx,y\n'))[0]).toContain(
      'read as a list of questions and answers',
    )
    expect(accountOf(await importText(folder, 'text\nx\n'))).toEqual([])
  })

  test('is refused where someone else speaks, a name or a question is missing', async () => {
    expect(
      await importFaults(folder, 'conversationId,sender,text\na,me,x\na,user,y\n,me,z\nb,me,\nb,bot,w\n'),
    ).toEqual([
      'set.csv:3: sender "user" is neither me nor bot; write who says it',
      'set.csv:4: a row without a conversationId; name its conversation',
      'set.csv:5: the row has other cells, but no message; write the question, or empty the whole row',
    ])
  })
})

describe('Zendesk', () => {
  test('what visitors said becomes threads', async () => {
    const set = await importSet(fixture('zendesk.tsv'))
    expect(importedIn(set)).toEqual([
      { thread: '12345', turn: 1, message: 'Hi, my VPN is broken' },
      { thread: '12345', turn: 2, message: 'Since "yesterday"' },
      { thread: '23456', turn: 1, message: 'how are you' },
      { thread: '23456', turn: 2, message: 'is anyone present?' },
    ])
    expect(questionsOf(set)[0]?.cells).toEqual({ sendTime: '2021-03-22T04:55:51+00:00' })
    expect(accountOf(set)).toEqual([
      'zendesk.tsv: read as a Zendesk conversation history: 4 questions; mapped: message of a visitor 4; lost: agentId 2, message of an agent 2',
      'zendesk.tsv:3: agentId (2): it says who answered, which is nothing to ask or expect',
      'zendesk.tsv:3: message of an agent (2): what a person answered once is nothing to expect of the endpoint',
      'zendesk.tsv:6: message sent before the one above it (1): the order of the rows is kept; sort the rows by sendTime if that is not how it went',
    ])
  })

  test('conversations may run into each other, and need no agentId', async () => {
    const rows = ['a,1,visitor,x', 'b,2,visitor,y', 'a,3,visitor,z']
    const set = await importText(folder, `conversationId,sendTime,senderType,text\n${rows.join('\n')}`)
    expect(importedIn(set).map(({ thread, turn, message }) => `${thread}${turn}${message}`)).toEqual([
      'a1x',
      'a2z',
      'b1y',
    ])
  })

  test('a message without text is left out, and said: a history is not written by hand', async () => {
    const set = await importText(
      folder,
      'conversationId,sendTime,senderType,text\na,1,visitor,x\na,2,visitor,\na,3,visitor,y\n',
    )
    expect(importedIn(set).map(({ turn, message }) => `${turn}${message}`)).toEqual(['1x', '2y'])
    expect(accountOf(set)[0]).toContain('lost: message without text 1')
  })

  test('is refused where someone else speaks', async () => {
    expect(
      await importFaults(folder, 'conversationId,sendTime,senderType,text\na,1,visitor,x\na,2,bot,y\n'),
    ).toEqual(['set.csv:3: senderType "bot" is neither agent nor visitor; write who says it'])
  })
})
