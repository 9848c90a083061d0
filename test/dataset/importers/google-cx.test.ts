// Google CX Agent Studio's golden conversations.
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary.ts'
import { questionsOf } from '../reading-files.ts'
import { accountOf, fixture, importedIn, importFaults, importSet, importText } from './importing.ts'

const folder = temporaryFolder()
const HEADER = 'display_name,turn_index,action_type,text_content'

test('a file as its template has it: a turn an INPUT_TEXT, with what is expected of it', async () => {
  const set = await importSet(fixture('google-cx.csv'))
  expect(importedIn(set)).toEqual([
    {
      thread: 'Password reset',
      turn: 1,
      message: 'How do I reset my password?',
      expect: { answer: { text: 'Open the portal.\nThen choose Forgot password.', minSimilarity: 0.5 } },
    },
    { thread: 'Password reset', turn: 2, message: 'And on my phone, "offline"?' },
    { thread: 'Greeting', turn: 1, message: 'Is there a gym?' },
    {
      thread: 'Greeting',
      turn: 2,
      message: 'Thanks',
      expect: { answer: { text: "You're welcome.", minSimilarity: 0.5 } },
    },
  ])
  expect(questionsOf(set).map(({ line, tags, note }) => ({ line, tags, note }))).toEqual([
    { line: 3, tags: ['access', 'urgent'], note: 'names the portal' },
    { line: 8, tags: ['access', 'urgent'], note: undefined },
    { line: 11, tags: [], note: undefined },
    { line: 13, tags: [], note: undefined },
  ])
  expect(accountOf(set)).toEqual([
    'google-cx.csv: read as a set of Google CX golden conversations: 4 questions; mapped: reference answer 2; lost: EXPECTATION_TOOL_CALL 1, response_agent 4, INPUT_UPDATED_VARIABLES 1, expectation before the first question 1, INPUT_IMAGE 1',
    'google-cx.csv:4: EXPECTATION_TOOL_CALL (1): the endpoint does not say which tools it called',
    'google-cx.csv:5: response_agent (4): the endpoint does not say which agent answered',
    'google-cx.csv:7: INPUT_UPDATED_VARIABLES (1): the endpoint takes no variables',
    'google-cx.csv:10: expectation before the first question (1): the harness asks first; a greeting cannot be expected',
    'google-cx.csv:12: INPUT_IMAGE (1): the endpoint takes text alone',
    'google-cx.csv:5: EXPECTATION_TEXT (3): a model judges it there; here it is a reference answer, compared by the words they share',
  ])
})

test('the name may stand on the first step, or on every row', async () => {
  const expected = [
    { thread: 'a', turn: 1, message: 'x', expect: { answer: { text: 'y', minSimilarity: 0.5 } } },
    { thread: 'a', turn: 2, message: 'z' },
  ]
  const rows = ['1,INPUT_TEXT,x', '1,expectation_text,y', '2,INPUT_TEXT,z']
  expect(
    importedIn(
      await importText(
        folder,
        [HEADER, ...rows.map((row, place) => `${place === 0 ? 'a' : ''},${row}`)].join('\n'),
      ),
    ),
  ).toEqual(expected)
  expect(importedIn(await importText(folder, [HEADER, ...rows.map((row) => `a,${row}`)].join('\n')))).toEqual(
    expected,
  )
})

test('columns that are no steps are carried along, from the row or from the one that carries the name', async () => {
  const text = `${HEADER},team\na,,,,net\n,1,INPUT_TEXT,x,\n,2,INPUT_TEXT,y,own\n`
  expect(questionsOf(await importText(folder, text)).map(({ cells }) => cells)).toEqual([
    { team: 'net' },
    { team: 'own' },
  ])
})

describe('is refused, with the line, where', () => {
  test.each([
    [
      'a turn falls',
      'a,,,\n,1,INPUT_TEXT,x\n,2,INPUT_TEXT,y\n,1,INPUT_TEXT,z',
      '5: turn_index "1" follows 2; number the turns of a conversation from 1 on, never falling',
    ],
    [
      'a conversation begins late',
      'a,,,\n,2,INPUT_TEXT,x',
      '3: turn_index "2" begins a conversation, which begins with 1; number the turns of a conversation from 1 on, never falling',
    ],
    [
      'a turn is missing',
      'a,,,\n,1,INPUT_TEXT,x\n,,INPUT_TEXT,y',
      '4: turn_index "" follows 1; number the turns of a conversation from 1 on, never falling',
    ],
    [
      'a step has no name above',
      ',1,INPUT_TEXT,x',
      '2: a step before the first display_name; put the name of the conversation above its rows',
    ],
    [
      'a name comes again',
      'a,,,\n,1,INPUT_TEXT,x\nb,,,\n,1,INPUT_TEXT,y\na,,,\n,1,INPUT_TEXT,z',
      '6: the conversation "a" begins in line 2 already; give each its own name',
    ],
    [
      'a question is empty',
      'a,,,\n,1,INPUT_TEXT,',
      '3: the row has other cells, but no message; write the question, or empty the whole row',
    ],
  ])('%s', async (_name, rows, fault) => {
    expect(await importFaults(folder, `${HEADER}\n${rows}\n`)).toContain(`set.csv:${fault}`)
  })

  test('an action is unknown', async () => {
    expect(await importFaults(folder, `${HEADER}\na,,,\n,1,INPUT_TEXT,x\n,1,INPUT_VOICE,y\n`)).toEqual([
      expect.stringMatching(
        /^set\.csv:4: action_type "INPUT_VOICE" is none of INPUT_TEXT, EXPECTATION_TEXT, INPUT_IMAGE/,
      ),
    ])
  })

  test('the texts have no column', async () => {
    expect(await importFaults(folder, 'display_name,turn_index,action_type\na,1,INPUT_TEXT\n')).toEqual([
      expect.stringMatching(
        /^set\.csv:1: a set of Google CX golden conversations has a column "text_content"/,
      ),
    ])
  })

  test('nothing is asked', async () => {
    expect(await importFaults(folder, `${HEADER}\na,,,\n,1,EXPECTATION_TEXT,x\n`)).toEqual([
      'set.csv: read as a set of Google CX golden conversations, no row of the file is a question; is that what it is?',
    ])
  })

  test('what is expected of one question does not end', async () => {
    const rows = Array.from({ length: 30 }, () => `,1,EXPECTATION_TEXT,${'word '.repeat(2000)}\n`)
    expect(await importFaults(folder, `${HEADER}\na,,,\n,1,INPUT_TEXT,x\n${rows.join('')}`)).toEqual([
      'set.csv:24: what is expected of "x" in line 3 is over 200000 characters; is a question missing between these rows?',
    ])
  })
})
