// Botium's conversations: a row a message.
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary.ts'
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
