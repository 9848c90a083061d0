// Headers: which column is which, what is carried along, what is warned of.
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { questionsOf, readFaults, readSound, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (text: string) => readSound(writeSet(folder, text))
const only = async (text: string) => {
  const [question] = questionsOf(await read(text))
  if (question === undefined) throw new Error('no question')
  return question
}

describe('every name of a column', () => {
  const names: Record<string, string[]> = {
    message: ['message', 'question', 'prompt', 'query', 'utterance', 'text', 'input'],
    thread: ['thread', 'conversation', 'conversation id', 'session'],
    id: ['id', 'question id', 'test id', 'case id'],
    tags: ['tags', 'tag', 'category', 'topic', 'intent', 'class', 'label'],
  }
  for (const [column, headers] of Object.entries(names))
    test.each(headers)(`${column}: %s`, async (header) => {
      const others = ['message', 'thread', 'id', 'tags'].filter((name) => name !== column)
      const question = await only(`${header},${others.join(',')}\nmine,${others.join(',')}\n`)
      const value = {
        message: question.message,
        thread: question.thread,
        id: question.id,
        tags: question.tags[0],
      }
      expect(value).toEqual({
        message: 'message',
        thread: 'thread',
        id: 'id',
        tags: 'tags',
        [column]: 'mine',
      })
      expect(question.cells).toEqual({})
    })

  test.each(['turn', 'turn index', 'step'])('turn: %s', async (header) => {
    const set = await read(`thread,${header},message\na,1,second\na,0,first\n`)
    expect(questionsOf(set).map(({ message }) => message)).toEqual(['first', 'second'])
  })

  test.each(['expect_answer', 'expected', 'expected response', 'reference answer', 'ground truth'])(
    'expect_answer: %s',
    async (header) => {
      const question = await only(`message,${header},min_similarity\nx,y,0.8\n`)
      expect(question.expect).toEqual({ answer: { text: 'y', minSimilarity: 0.8 } })
      expect(question.cells).toEqual({ expect_answer: 'y', min_similarity: '0.8' })
    },
  )
})

test.each(['Message', ' MESSAGE ', 'mes-sage', '"message"', 'Message:', 'ＭＥＳＳＡＧＥ', 'mes_sage'])(
  'a header matches whatever its case, spaces and punctuation: %s',
  async (header) => {
    expect((await only(`id,${header}\n1,hello\n`)).message).toBe('hello')
  },
)

test('beside its own name the other names are ordinary columns', async () => {
  const set = await read('question,message,Category,tags,Expected,expect_answer\na,b,c,d,e,f\n')
  const [question] = questionsOf(set)
  expect(question).toMatchObject({
    message: 'b',
    tags: ['d'],
    expect: { answer: { text: 'f' } },
    cells: { question: 'a', Category: 'c', Expected: 'e', expect_answer: 'f' },
  })
  expect(set.columns).toEqual(['question', 'Category', 'Expected', 'expect_answer'])
})

test('other names of tags are joined, and so are tags that stand twice; each tag once', async () => {
  expect((await only('message,category,topic,Category\nx,a;b,c; a ;,d\n')).tags).toEqual(['a', 'b', 'c', 'd'])
  expect((await only('message,tags,Tags\nx,a,b\n')).tags).toEqual(['a', 'b'])
})

test('own columns keep their names, their order and their cells as they stand', async () => {
  const set = await read('Owner,message,expect source,__proto__,#,7\n" Zoë ",x,!NONE,p,h,s\n')
  expect(set.columns).toEqual(['Owner', 'expect_source', '__proto__', '#', '7'])
  expect(Object.entries(questionsOf(set)[0]?.cells ?? {})).toEqual(
    expect.arrayContaining([
      ['Owner', ' Zoë '],
      ['expect_source', '!NONE'],
      ['__proto__', 'p'],
      ['#', 'h'],
      ['7', 's'],
    ]),
  )
})

test('files share a column that they spell differently, under the name that came first', async () => {
  const first = writeSet(folder, 'message,Team Name\na,x\n', 'first.csv')
  const second = writeSet(folder, 'team_name;message;Site\ny;b;z\n', 'second.csv')
  const set = await readSound(first, second)
  expect(set.columns).toEqual(['Team Name', 'Site'])
  expect(questionsOf(set).map(({ cells, file }) => ({ cells, file }))).toEqual([
    { cells: { 'Team Name': 'x' }, file: 0 },
    { cells: { 'Team Name': 'y', Site: 'z' }, file: 1 },
  ])
  expect(set.files.map(({ delimiter, rows }) => ({ delimiter, rows }))).toEqual([
    { delimiter: ',', rows: 1 },
    { delimiter: ';', rows: 1 },
  ])
})

test('review and note are fields of their own', async () => {
  expect(await only('message,Review,note\nx,looks good,ask again\n')).toMatchObject({
    review: 'looks good',
    note: 'ask again',
    cells: {},
  })
})

describe('a header that nearly spells a known column is a fault', () => {
  test.each([
    ['Thred', 'thread'],
    ['thread_id', 'thread'],
    ['expect_sorce', 'expect_source'],
    ['expect_contain', 'expect_contains'],
    ['expects_source', 'expect_source'],
    ['expected_source', 'expect_source'],
    ['Lable', 'label'],
    ['max_latency', 'max_latency_ms'],
    ['sesion', 'session'],
    ['trun', 'turn'],
    ['must pas', 'must_pass'],
  ])('%s', async (header, name) => {
    expect(await readFaults(folder, writeSet(folder, `message,${header}\nx,y\n`))).toEqual([
      `set.csv:1: the column "${header}" is not known; did you mean "${name}"? Correct the name, or choose another one`,
    ])
  })

  test('and so is an expectation that does not exist', async () => {
    expect(await readFaults(folder, writeSet(folder, 'message,expect_tone\nx,y\n'))).toEqual([
      'set.csv:1: the column "expect_tone" is not known; write one of expect_source, expect_contains, expect_not_contains, expect_regex, expect_answer',
    ])
  })

  test.each([
    'message,owner,priority,test,source,expected_tone,steps,notes,version,reviews,answer_id',
    'message,thread,session,sessions,conversations,question,input',
    'message,tags,topics,labels,intents,glass',
    'message,turn,turns,step,return',
  ])('but not an ordinary word, nor another name beside the own one: %s', async (header) => {
    const row = header.replaceAll(/[^,]+/g, '0')
    await readSound(writeSet(folder, `${header}\n${row}\n`))
  })
})

describe('warns of', () => {
  const warning = async (text: string): Promise<string[]> =>
    (await read(text)).warnings.map((line) => line.replace(/^.*\//, ''))

  test('nothing where a column is what it seems', async () => {
    expect(await warning('message,owner,priority,test,source\nx,y,z,1,2\n')).toEqual([])
  })

  test('rows that are shorter than the header, once, with their number', async () => {
    expect(await warning('message,owner,tags\na,b,c\nd\ne,f\n')).toEqual([
      'set.csv:3: the row has fewer cells than the header names (1 of 3); the missing ones are taken as empty (and 1 more such row)',
    ])
  })
})

describe('the separator', () => {
  test.each([
    ['a header with commas in quotes', '"question";"tags, or topic";owner\n"a, b";c;d\n', ';', 'a, b'],
    ['more commas than semicolons', 'message;owner\na, b, c, d;e\nf, g, h;i\n', ';', 'a, b, c, d'],
    ['more semicolons than commas', 'message,tags\nwhy?,a;b;c;d\n', ',', 'why?'],
    ['tabs, with commas everywhere', 'id\tmessage\n1\ta, b; c\n', '\t', 'a, b; c'],
    ['one column with commas', 'question\nwell, what now?\n', '', 'well, what now?'],
    ['one column, quoted', '"message"\n"a; b, c"\n', '', 'a; b, c'],
    [
      'a first row over the sample',
      `message;owner\n"${'long, '.repeat(20_000)}";x\n`,
      ';',
      'long, '.repeat(20_000).trim(),
    ],
    ['a stray quote', 'message;owner\n5" screen;x\n', ';', '5" screen'],
  ])('%s', async (_name, text, delimiter, message) => {
    const set = await read(text)
    expect(set.files[0]?.delimiter).toBe(delimiter)
    expect(questionsOf(set)[0]?.message).toBe(message)
  })
})
