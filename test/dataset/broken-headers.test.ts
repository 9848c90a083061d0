// Headers that cannot be understood: each with exactly what is said of it.
import { testBrokenSets } from './broken-sets.ts'

testBrokenSets('headers', [
  {
    name: 'no message column',
    content: 'name,details\nx,y\n',
    faults: ['set.csv:1: this is not a question set: column message is missing (found: "name", "details")'],
  },
  {
    name: 'no message, misspelt',
    content: 'id,mesage\n1,hello\n',
    faults: [
      'set.csv:1: this is not a question set: column message is missing (found: "id", "mesage"); is it "mesage"? Then name it "message"',
    ],
  },
  {
    name: 'no message, pipes',
    content: 'id|message|tags\n1|hello|x\n',
    faults: ['set.csv:1: this is not a question set: column message is missing (found: "id|message|tags")'],
  },
  {
    name: 'first row is a question',
    content: 'How do I reset my password?\nWhere is the VPN client?\n',
    faults: [
      'set.csv:1: this is not a question set: column message is missing (found: "How do I reset my password?")',
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
    name: 'JSON',
    content: '{\n  "formatVersion": 1,\n  "state": "complete"\n}\n',
    faults: ['set.csv:1: this is not a question set: column message is missing (found: "{")'],
  },
  {
    name: 'a config file',
    content: 'concurrency: auto\ntag: vpn\n',
    faults: ['set.csv:1: this is not a question set: column message is missing (found: "concurrency: auto")'],
  },
])
