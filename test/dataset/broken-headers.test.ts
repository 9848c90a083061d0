// Headers that cannot be understood: each with exactly what is said of it.
import { COMPARISON_COLUMNS } from '../../src/domain/comparison/comparison-columns.ts'
import { HISTORY_COLUMNS } from '../../src/domain/history/history-columns.ts'
import { testBrokenSets } from './broken-sets.ts'

const COMPARISON =
  'set.csv:1: this is the table of a comparison, which does not hold what is expected of answers; give the question set itself, or the results.csv of one of the runs; --format native asks its messages as they are'

testBrokenSets('headers', [
  {
    name: 'no message column',
    content: 'name,details\nx,y\n',
    faults: [
      'set.csv:1: no column holds the questions (found: "name", "details"); name it "message", or question, prompt, query, utterance, text or input',
    ],
  },
  {
    name: 'no message, misspelt',
    content: 'id,mesage\n1,hello\n',
    faults: [
      'set.csv:1: no column holds the questions (found: "id", "mesage"); is it "mesage"? Then name it "message", or question, prompt, query, utterance, text or input',
    ],
  },
  {
    name: 'no message, pipes',
    content: 'id|message|tags\n1|hello|x\n',
    faults: [
      'set.csv:1: no column holds the questions (found: "id|message|tags" alone; cells are separated by comma, semicolon or tab); name it "message", or question, prompt, query, utterance, text or input',
    ],
  },
  {
    name: 'first row is a question',
    content: 'How do I reset my password?\nWhere is the VPN client?\n',
    faults: [
      'set.csv:1: no column holds the questions (found: "How do I reset my password?" alone; cells are separated by comma, semicolon or tab); name it "message", or question, prompt, query, utterance, text or input',
    ],
  },
  {
    name: 'question and prompt',
    content: 'question,prompt\na,b\n',
    faults: [
      'set.csv:1: "question" and "prompt" (columns 1 and 2) are names for one column; name the right one "message", and the others become ordinary columns',
    ],
  },
  {
    name: 'three names for thread',
    content: 'message,session,conversation,Conversation ID\na,b,c,d\n',
    faults: [
      'set.csv:1: "session", "conversation" and "Conversation ID" (columns 2, 3 and 4) are names for one column; name the right one "thread", and the others become ordinary columns',
    ],
  },
  {
    name: 'a name twice',
    content: 'message,Message\na,b\n',
    faults: [
      'set.csv:1: the column "message" stands more than once (columns 1 and 2); rename or delete all but one',
    ],
  },
  {
    name: 'a synonym twice',
    content: 'question,Question?\na,b\n',
    faults: [
      'set.csv:1: the column "question" stands more than once (columns 1 and 2); rename or delete all but one',
    ],
  },
  {
    name: 'an unknown twice',
    content: 'message,owner,Owner\na,b,c\n',
    faults: [
      'set.csv:1: the column "owner" stands more than once (columns 2 and 3); rename or delete all but one',
    ],
  },
  {
    name: 'demoted twice',
    content: 'message,question,QUESTION\na,b,c\n',
    faults: [
      'set.csv:1: the column "question" stands more than once (columns 2 and 3); rename or delete all but one',
    ],
  },
  {
    name: 'everything wrong in a header',
    content: 'question,prompt,id,id,owner,owner\na,b,c,d,e,f\n',
    faults: [
      'set.csv:1: "question" and "prompt" (columns 1 and 2) are names for one column; name the right one "message", and the others become ordinary columns',
      'set.csv:1: the column "id" stands more than once (columns 3 and 4); rename or delete all but one',
      'set.csv:1: the column "owner" stands more than once (columns 5 and 6); rename or delete all but one',
    ],
  },
  {
    name: 'the table of a comparison',
    content: `${COMPARISON_COLUMNS.join(',')}\nq1,q1,1,How?${','.repeat(23)}\n`,
    faults: [COMPARISON],
  },
  {
    name: 'the same, of long answers',
    content: `${COMPARISON_COLUMNS.join(';')}\nq1;q1;1;How?${';'.repeat(15)}${'an answer '.repeat(500_000)};${';'.repeat(7)}\n`,
    faults: [COMPARISON],
  },
  {
    name: 'the same, of which an editor left some columns',
    content: `${COMPARISON_COLUMNS.slice(3, 20).join(',')}\nHow?${','.repeat(16)}\n`,
    faults: [COMPARISON],
  },
  {
    name: 'the table of a history',
    content: `${HISTORY_COLUMNS.join(',')}\nnightly${','.repeat(HISTORY_COLUMNS.length - 1)}\n`,
    faults: [
      'set.csv:1: this is the table of a history, a row a run, and holds no questions; give a question set, or the results.csv of a run',
    ],
  },
  {
    name: 'a file of reviews',
    content: 'id,answer,review,note\nq1,An answer,acceptable,\n',
    faults: [
      'set.csv:1: this is a file of reviews, and holds no questions; give it with --reviews, beside a question set',
    ],
  },
  {
    name: 'JSON',
    content: '{\n  "formatVersion": 1,\n  "state": "complete"\n}\n',
    faults: ['set.csv:1: this is JSON, and a question set is CSV; of a run, give its results.csv'],
  },
  {
    name: 'JSON on one line',
    content: '[{"message":"How?","tags":["vpn"]}]\n',
    faults: ['set.csv:1: this is JSON, and a question set is CSV; of a run, give its results.csv'],
  },
  {
    name: 'a journal',
    content: '{"kind":"sitting","at":1,"sitting":1}\n{"kind":"end","at":2}\n',
    faults: [
      'set.csv:1: this is the journal of a run, and no question set; its results.csv can be asked again',
    ],
  },
  {
    name: 'a page',
    content: '<!doctype html>\n<title>Report</title>\n',
    faults: [
      'set.csv:1: this is a page (HTML) or XML, and a question set is CSV; of a run, give its results.csv',
    ],
  },
  {
    name: 'Markdown',
    content: '## Passed: every turn was answered\n\n| a | b |\n',
    faults: [
      'set.csv:1: this looks like Markdown or YAML, and a question set is CSV; of a run, give its results.csv; a config file is named with --config',
    ],
  },
  {
    name: 'a config file',
    content: 'concurrency: auto\ntag: vpn\n',
    faults: [
      'set.csv:1: this looks like YAML, and a question set is CSV; a config file is named with --config',
    ],
  },
])
