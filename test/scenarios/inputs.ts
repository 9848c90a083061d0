// Question sets as people have them, and what of them reaches the endpoint.
import { createHmac } from 'node:crypto'
import type { Scenario } from './play.ts'
import { SMALL, SMALL_CONVERSATIONS, ofFour } from './sets.ts'

const LATIN = Buffer.from('id;message;team\na;How do I set up the VPN in Z\u00fcrich?;K\u00f6ln\n', 'latin1')

const HASH_KEY = 'a-hash-key-0123456789'
const HASHED = createHmac('sha256', HASH_KEY).update('user-17').digest('hex')

export const INPUTS: readonly Scenario[] = [
  {
    name: 'a set in UTF-16 with semicolons and headers of other case is the same set',
    set: Buffer.from(
      `\uFEFF${SMALL.replaceAll(',', ';').replace('id;thread;message;tags', 'ID;Conversation ID;Question;TAG')}`,
      'utf16le',
    ),
    steps: [{ run: 'run set.csv --out out', code: 0, figures: ofFour() }],
    conversations: SMALL_CONVERSATIONS,
  },
  {
    name: 'a set in Windows-1252 is read with a warning; a column of its own stands in the results',
    set: LATIN,
    steps: [
      {
        run: 'run set.csv --out out',
        code: 0,
        says: /Windows-1252/,
        results: { columns: 'id,message,team', rows: ['a|How do I set up the VPN in Zürich?|Köln'] },
      },
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
    steps: [{ run: 'run set.csv --out out', code: 0, summary: { 'turns.answered': 4 } }],
    conversations: [['First\non two lines', 'Second "quoted"', 'Third, with a comma'], ['Hello']],
  },
  {
    name: 'results.csv is a set: asked again, it is the same questions with the same ids',
    set: SMALL,
    account: ['first', 'out'],
    steps: [
      { run: 'run set.csv --out first --repeat 2', code: 0 },
      {
        run: 'run first/results.csv --out out',
        code: 0,
        figures: ofFour(),
        results: {
          columns: 'id,thread,turn,message,tags',
          rows: [
            'vpn|office|1|How do I set up the VPN?|network',
            'permit|office|2|What does a parking permit cost?|cars',
            'toner|toner|1|How do I replace the printer toner?|devices',
            'zebra|zoo|1|Which zebra won?|fun',
          ],
        },
      },
    ],
    ledger: 'calls 12, counted 12, answered 12',
    conversations: [...SMALL_CONVERSATIONS, ...SMALL_CONVERSATIONS, ...SMALL_CONVERSATIONS],
  },
  {
    name: 'end_user_ref is sent as it is, and with --hash-end-user-refs as its HMAC; the raw value is then nowhere',
    set: 'message,end_user_ref\nHow do I set up the VPN?,user-17\n',
    account: ['plain', 'out'],
    steps: [
      { run: 'run set.csv --out plain', code: 0 },
      {
        run: 'run set.csv --out out --hash-end-user-refs',
        env: { ASSIST_HASH_KEY: HASH_KEY },
        code: 0,
        results: { columns: 'end_user_ref', rows: [HASHED] },
        nowhere: 'user-17',
      },
    ],
    endUserRefs: ['user-17', HASHED],
  },
  {
    name: 'a promptfoo set is recognised: its assertions become expectations, what is code is lost and said',
    set: `question,__expected1,__expected2,__metadata:category
How do I set up the VPN?,contains: gate.example.com,javascript: output.length < 100,network
What does a parking permit cost?,not-contains: 12 euros,,cars
`,
    steps: [
      {
        run: 'run set.csv --out out',
        code: 1,
        says: [/read as a promptfoo set: 2 questions/, /javascript/],
        figures: {
          verdict: 'failed, complete',
          turns: 'total 2, answered 2',
          grounded: '2 of 2',
          errors: '',
          expectations: 'passed 1, failed 1',
          usage: 'certain 2',
        },
        results: {
          columns: 'message,passed,tags',
          rows: ['How do I set up the VPN?|true|network', 'What does a parking permit cost?|false|cars'],
        },
      },
    ],
  },
  {
    name: 'a Copilot Studio test set, its results export, and a list of pairs are recognised',
    account: [],
    files: {
      'test-set.csv': '"Question","Expected response"\n"How do I set up the VPN?","Install NorthGate"\n',
      'export.csv': `question,expectedResponse,actualResponse,testMethodType_1,result_1,passingScore_1,explanation_1
What is the code?,A-17,The code is B-18,ExactMatch,Fail,,
`,
      'pairs.csv': 'question,answer\nHow do I set up the VPN?,Install NorthGate\nWhy?,\n',
    },
    steps: [
      {
        run: 'validate test-set.csv --json',
        code: 0,
        says: /read as/,
        json: { 'survey.turns': 1, 'survey.expectations': { expect_answer: 1 } },
      },
      {
        run: 'validate export.csv --json',
        code: 0,
        says: /read as/,
        json: { 'survey.turns': 1, 'survey.expectations': { expect_regex: 1 } },
      },
      {
        run: 'validate pairs.csv --json',
        code: 0,
        says: /read as/,
        json: { 'survey.turns': 2, 'survey.expectations': { expect_answer: 1 } },
      },
    ],
  },
  {
    name: 'Google CX and Botium conversations are asked as conversations',
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
cars,me,Where are parking permits handed out?
`,
    },
    steps: [
      {
        run: `run cx.csv --out cx --threshold 'passed>=0%'`,
        code: 0,
        folder: 'cx',
        says: /read as/,
        results: {
          columns: 'thread,turn,message,tags,expect_answer',
          rows: [
            'Access|1|How do I set up the VPN?|network|Install NorthGate',
            'Access|2|Does the VPN work from home?|network|',
          ],
        },
      },
      {
        run: `run botium.csv --out out --threshold 'passed>=0%'`,
        code: 0,
        says: /read as/,
        results: {
          columns: 'thread,turn,message,expect_answer',
          rows: [
            'cars|1|What does a parking permit cost?|12 euros',
            'cars|2|Where are parking permits handed out?|',
          ],
        },
      },
    ],
    conversations: [
      ['How do I set up the VPN?', 'Does the VPN work from home?'],
      ['What does a parking permit cost?', 'Where are parking permits handed out?'],
    ],
  },
  {
    name: 'run --sandbox --kb DIR answers from the folder, and finds an article by its title of common words',
    files: {
      'kb/home.md': '# Work from home\n\nTwo days a week.',
      'kb/office.md': '# Office\n\nOpen at eight.',
    },
    account: [],
    set: 'id,message\na,Work from home\nb,Which planets have rings?\n',
    steps: [
      {
        run: 'run set.csv --sandbox --kb kb --out out',
        code: 0,
        results: {
          columns: 'id,context_source,status',
          rows: ['a|KNOWLEDGE_BASE|success', 'b|MODEL|success'],
        },
      },
    ],
    conversations: [],
  },
]
