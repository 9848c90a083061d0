// Protects the reading of question sets, up to what the endpoint receives.
import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { step, type Scenario } from './play.ts'
import { ALL_FOUR, SMALL, SMALL_CONVERSATIONS } from './sets.ts'

const LATIN = Buffer.from('id;message;team\na;How do I set up the VPN in Z\u00fcrich?;K\u00f6ln\n', 'latin1')

const HASH_KEY = 'a-hash-key-0123456789'
const HASHED = createHmac('sha256', HASH_KEY).update('user-17').digest('hex')

export const INPUTS: readonly Scenario[] = [
  {
    name: 'a set in UTF-16 with semicolons and other spellings of headers is the same set',
    set: Buffer.from(
      `\uFEFF${SMALL.replaceAll(',', ';').replace('id;thread;message;tags', 'ID;Conversation ID;Question;TAG')}`,
      'utf16le',
    ),
    steps: [step('run set.csv --out out', 0, ALL_FOUR)],
    conversations: SMALL_CONVERSATIONS,
  },
  {
    name: 'a set in Windows-1252 is read with a warning; its own column is in the results',
    set: LATIN,
    steps: [
      step('run set.csv --out out', 0, {
        says: /Windows-1252/,
        results: ['id|message|team', 'a|How do I set up the VPN in Zürich?|Köln'],
      }),
    ],
    conversations: [['How do I set up the VPN in Zürich?']],
  },
  {
    name: 'rows in any order, turns from 0, quoted cells: each conversation is sent in the order of its turns',
    set: `thread,turn,message
a,2,"Third, with a comma"
b,1,Hello
a,0,"First
on two lines"
,,

a,1,"Second ""quoted"""
`,
    steps: [step('run set.csv --out out', 0, { summary: { 'turns.answered': 4 } })],
    conversations: [['First\non two lines', 'Second "quoted"', 'Third, with a comma'], ['Hello']],
  },
  {
    name: 'results.csv is a question set: sent again, it has the same questions with the same ids',
    set: SMALL,
    account: ['first', 'out'],
    steps: [
      step('run set.csv --out first --repeat 2', 0),
      step('run first/results.csv --out out', 0, {
        figures: ALL_FOUR,
        results: [
          'id|thread|turn|message|tags',
          'vpn|office|1|How do I set up the VPN?|network',
          'permit|office|2|What does a parking permit cost?|cars',
          'toner|toner|1|How do I replace the printer toner?|devices',
          'zebra|zoo|1|Which zebra won?|fun',
        ],
      }),
    ],
    ledger: 'calls 12, counted 12, answered 12',
    conversations: [...SMALL_CONVERSATIONS, ...SMALL_CONVERSATIONS, ...SMALL_CONVERSATIONS],
  },
  {
    name: 'end_user_ref is sent as it is, or as its HMAC with --hash-end-user-refs; then no file has the raw value',
    set: 'message,end_user_ref\nHow do I set up the VPN?,user-17\n',
    account: ['plain', 'out'],
    steps: [
      step('run set.csv --out plain', 0),
      step('run set.csv --out out --hash-end-user-refs', 0, {
        env: { ASSIST_HASH_KEY: HASH_KEY },
        results: ['end_user_ref', HASHED],
        nowhere: 'user-17',
      }),
    ],
    endUserRefs: ['user-17', HASHED],
  },
  {
    name: 'a promptfoo set is recognised: assertions become expectations, and code is reported as lost',
    set: `question,__expected1,__expected2,__metadata:category
How do I set up the VPN?,contains: gate.example.com,javascript: output.length < 100,network
What does a parking permit cost?,not-contains: 12 euros,,cars
`,
    steps: [
      step('run set.csv --out out', 1, {
        says: [/read as a promptfoo set: 2 questions/, /javascript/],
        figures: 'failed; answered 2; grounded 2 of 2; expectations passed 1, failed 1; certain 2',
        results: [
          'message|passed|tags',
          'How do I set up the VPN?|true|network',
          'What does a parking permit cost?|false|cars',
        ],
      }),
    ],
  },
  {
    name: 'Google CX and Botium conversations are sent as conversations',
    account: ['cx', 'out'],
    files: {
      'cx.csv': `display_name,turn_index,action_type,text_content,response_agent,expectation_note,tool_name,tool_response_json,updated_variables_json,image_mime_type,image_content,tags
Access,,,,,,,,,,,network
,1,INPUT_TEXT,How do I set up the VPN?,,,,,,,,
,1,EXPECTATION_TEXT,Install NorthGate,root,,,,,,,
,2,INPUT_TEXT,Does the VPN work from home?,,,,,,,,
`,
      'botium.csv': `conversationId,sender,text
cars,me,What does a parking permit cost?
cars,bot,12 euros
cars,bot,a year
cars,me,Where are parking permits handed out?
cars,bot,!sorry | unable
`,
    },
    steps: [
      step(`run cx.csv --out cx --threshold 'passed>=0%'`, 0, {
        folder: 'cx',
        says: /read as/,
        results: [
          'thread|turn|message|tags|expect_answer',
          'Access|1|How do I set up the VPN?|network|Install NorthGate',
          'Access|2|Does the VPN work from home?|network|',
        ],
      }),
      step(`run botium.csv --out out --threshold 'passed>=0%'`, 0, {
        says: /^Note: botium\.csv: read as a set of Botium conversations/m,
        results: [
          'thread|turn|message|expect_answer|expect_not_contains',
          'cars|1|What does a parking permit cost?|12 euros\na year|',
          String.raw`cars|2|Where are parking permits handed out?||sorry \| unable`,
        ],
        holds: {
          'out/run.json': {
            'warnings.0': expect.stringContaining('read as a set of Botium conversations: 2 questions'),
          },
        },
      }),
      step('run --resume out --format botium', 2, {
        error:
          '--resume cannot change what is sent: --format was not given, now botium; leave it out, or start a new run',
      }),
      step('validate out/results.csv --json', 0, {
        json: {
          'survey.turns': 2,
          'survey.expectations': { expect_answer: 1, expect_not_contains: 1 },
        },
      }),
    ],
    conversations: [
      ['How do I set up the VPN?', 'Does the VPN work from home?'],
      ['What does a parking permit cost?', 'Where are parking permits handed out?'],
    ],
  },
]
