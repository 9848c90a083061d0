// Rows that say something wrong: each with exactly what is said of it.
import { testBrokenSets } from './broken-sets.ts'

testBrokenSets('rows', [
  {
    name: 'no message in a row',
    content: 'message,tags\n,x\n   ,y\nfine,z\n',
    faults: [
      'set.csv:2: the row has other cells, but no message; write the question, or empty the whole row',
      'set.csv:3: the row has other cells, but no message; write the question, or empty the whole row',
    ],
  },
  {
    name: 'no message under a multi-line',
    content: 'message,tags\n"one\ntwo\nthree",x\n,y\n',
    faults: [
      'set.csv:5: the row has other cells, but no message; write the question, or empty the whole row',
    ],
  },
  {
    name: 'turn no number',
    content: 'thread,turn,message\na,first,hello\na,2,bye\n',
    faults: [
      'set.csv:2: turn "first" is no whole number from 0 on; write the place in the thread, such as 1, 2, 3',
    ],
  },
  {
    name: 'turn fraction and sign',
    content: 'thread,turn,message\na,1.5,hello\nb,-1,bye\nc,99999999999,x\n',
    faults: [
      'set.csv:2: turn "1.5" is no whole number from 0 on; write the place in the thread, such as 1, 2, 3',
      'set.csv:3: turn "-1" is no whole number from 0 on; write the place in the thread, such as 1, 2, 3',
      'set.csv:4: turn "99999999999" is no whole number from 0 on; write the place in the thread, such as 1, 2, 3',
    ],
  },
  {
    name: 'turn gap',
    content: 'thread,turn,message\na,1,x\na,2,y\na,4,z\n',
    faults: [
      'set.csv:4: thread "a" goes from turn 2 (line 3) to turn 4; number its turns without gaps, or add the missing row',
    ],
  },
  {
    name: 'turn from 2',
    content: 'thread,turn,message\na,2,x\na,3,y\n',
    faults: ['set.csv:2: thread "a" begins with turn 2; number its turns from 0 or 1'],
  },
  {
    name: 'dup turn',
    content: 'thread,turn,message\na,1,x\nb,1,y\na,2,z\na,1,w\n',
    faults: [
      'set.csv:5: turn 1 of thread "a" stands in line 2 already; give each row of a thread its own turn',
    ],
  },
  {
    name: 'gap in apart rows',
    content: 'thread,turn,message\na,3,x\nb,1,y\na,1,z\n',
    faults: [
      'set.csv:2: thread "a" goes from turn 1 (line 4) to turn 3; number its turns without gaps, or add the missing row',
    ],
  },
  {
    name: 'mix',
    content: 'thread,turn,message\na,1,x\na,,y\nb,,z\nb,1,w\n',
    faults: [
      'set.csv:3: the turn of thread "a" is empty here and filled in line 2; number all rows of a thread, or none',
      'set.csv:5: the turn of thread "b" is filled here and empty in line 4; number all rows of a thread, or none',
    ],
  },
  {
    name: 'turn without thread cell',
    content: 'thread,turn,message\n,2,x\n,1,y\na,0,z\n',
    faults: [
      'set.csv:2: turn 2 in a row without a thread, which would be a conversation of its own; name its thread, or empty the turn',
    ],
  },
  {
    name: 'turn without thread column',
    content: 'turn,message\n1,x\n2,y\n3,z\n',
    faults: [
      'set.csv:3: turn 2, but no column names the thread; add the column "thread" (or conversation), or delete the turns',
    ],
  },
  {
    name: 'long thread name',
    content: `thread,turn,message\n${'t'.repeat(80)},2,x\n`,
    faults: [
      'set.csv:2: thread "tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt…" begins with turn 2; number its turns from 0 or 1',
    ],
  },
  {
    name: 'duplicate id',
    content: 'id,message\nq1,x\nq2,y\nq1,z\n',
    faults: [
      'set.csv:4: the id "q1" stands in line 2 already; give each question its own, or empty the cell',
    ],
  },
  {
    name: 'end user e-mail',
    content: 'message,end_user_ref\nx,joe.doe@example.com\ny,mailto:joe@mail.example.co.uk\nz,user-17\n',
    faults: [
      'set.csv:2: end_user_ref holds an e-mail address, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell',
      'set.csv:3: end_user_ref holds an e-mail address, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell',
    ],
  },
  {
    name: 'end user phone',
    content: 'message,end_user_ref\nx,+49 (151) 2345-6789\ny,tel +15550100\nz,a+1\n',
    faults: [
      'set.csv:2: end_user_ref holds a phone number, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell',
      'set.csv:3: end_user_ref holds a phone number, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell',
    ],
  },
  {
    name: 'source',
    content: 'message,expect_source\nx,!\ny,! \n',
    faults: [
      'set.csv:2: expect_source names no source after the "!"; write the one that must not be, such as !NONE',
      'set.csv:3: expect_source names no source after the "!"; write the one that must not be, such as !NONE',
    ],
  },
  {
    name: 'contains only bars',
    content: 'message,expect_contains,expect_not_contains\nx,|,y\nx,y,| |\n',
    faults: [
      'set.csv:2: expect_contains "|" holds only bars; write words between them, or \\| for a bar itself',
      'set.csv:3: expect_not_contains "| |" holds only bars; write words between them, or \\| for a bar itself',
    ],
  },
  {
    name: 'bad regex',
    content: 'message,expect_regex\nx,(\ny,[z-a]\nz,"a{2,1}"\nw,\\p{Foo}\nv,ok.*\n',
    faults: [
      'set.csv:2: expect_regex "(" is no regular expression (Unterminated group); mend it, or put a backslash before a sign that stands for itself',
      'set.csv:3: expect_regex "[z-a]" is no regular expression (Range out of order in character class); mend it, or put a backslash before a sign that stands for itself',
      'set.csv:4: expect_regex "a{2,1}" is no regular expression (numbers out of order in {} quantifier); mend it, or put a backslash before a sign that stands for itself',
      'set.csv:5: expect_regex "\\p{Foo}" is no regular expression (Invalid property name); mend it, or put a backslash before a sign that stands for itself',
    ],
  },
  {
    name: 'bad similarity',
    content: 'message,expect_answer,min_similarity\nx,y,high\nx,y,1.5\nx,y,-0.1\nx,y,80%\nx,y,1\nx,y,"0,7"\n',
    faults: [
      'set.csv:2: min_similarity "high" is no number from 0 to 1; write one such as 0.7',
      'set.csv:3: min_similarity "1.5" is no number from 0 to 1; write one such as 0.7',
      'set.csv:4: min_similarity "-0.1" is no number from 0 to 1; write one such as 0.7',
      'set.csv:5: min_similarity "80%" is no number from 0 to 1; write one such as 0.7',
    ],
  },
  {
    name: 'bad latency',
    content: 'message,max_latency_ms\nx,fast\nx,0\nx,3s\nx,"1,500"\nx,1.500\nx,-5\nx,1e3\nx,2500\n',
    faults: [
      'set.csv:2: max_latency_ms "fast" is no number of milliseconds over 0; write one such as 3000 for three seconds',
      'set.csv:3: max_latency_ms "0" is no number of milliseconds over 0; write one such as 3000 for three seconds',
      'set.csv:4: max_latency_ms "3s" is no number of milliseconds over 0; write one such as 3000 for three seconds',
      'set.csv:5: max_latency_ms "1,500" can be read in two ways; write it without a separator, such as 1500',
      'set.csv:6: max_latency_ms "1.500" can be read in two ways; write it without a separator, such as 1500',
      'set.csv:7: max_latency_ms "-5" is no number of milliseconds over 0; write one such as 3000 for three seconds',
      'set.csv:8: max_latency_ms "1e3" is no number of milliseconds over 0; write one such as 3000 for three seconds',
    ],
  },
  {
    name: 'bad must_pass',
    content: 'message,must_pass\nx,maybe\ny,YES\nz,wahr\n',
    faults: [
      'set.csv:2: must_pass "maybe" is neither yes nor no; write true or false, yes or no, 1 or 0, or x',
      'set.csv:4: must_pass "wahr" is neither yes nor no; write true or false, yes or no, 1 or 0, or x',
    ],
  },
  {
    name: 'several in one row',
    content: 'message,turn,expect_regex,min_similarity,must_pass\n,x,(,2,?\n',
    faults: [
      'set.csv:2: the row has other cells, but no message; write the question, or empty the whole row',
      'set.csv:2: turn "x" is no whole number from 0 on; write the place in the thread, such as 1, 2, 3',
      'set.csv:2: expect_regex "(" is no regular expression (Unterminated group); mend it, or put a backslash before a sign that stands for itself',
      'set.csv:2: min_similarity "2" is no number from 0 to 1; write one such as 0.7',
      'set.csv:2: must_pass "?" is neither yes nor no; write true or false, yes or no, 1 or 0, or x',
    ],
  },
  {
    name: 'invisible',
    content: 'message,must_pass\nx,"y\u202eno\u0007\n\t!"\n',
    faults: [
      'set.csv:2: must_pass "y\\u{202e}no\\u{7}\\n\\t!" is neither yes nor no; write true or false, yes or no, 1 or 0, or x',
    ],
  },
  {
    name: 'semicolons',
    content: 'message;tags;expect_regex\r\nx;y;(\r\n',
    faults: [
      'set.csv:2: expect_regex "(" is no regular expression (Unterminated group); mend it, or put a backslash before a sign that stands for itself',
    ],
  },
  {
    name: 'Mac',
    content: 'message,expect_regex\rx,y\rz,(\r',
    faults: [
      'set.csv:3: expect_regex "(" is no regular expression (Unterminated group); mend it, or put a backslash before a sign that stands for itself',
    ],
  },
  {
    name: 'sep line',
    content: 'sep=;\nmessage;must_pass\nx;?\n',
    faults: ['set.csv:3: must_pass "?" is neither yes nor no; write true or false, yes or no, 1 or 0, or x'],
  },
  {
    name: 'header after blanks',
    content: '\n\nmessage,must_pass\n\nx,?\n',
    faults: ['set.csv:5: must_pass "?" is neither yes nor no; write true or false, yes or no, 1 or 0, or x'],
  },
])
