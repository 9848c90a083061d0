// A `results.csv` that is asked again.
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { askedIn, messagesOf, questionsOf, readFaults, readSound, writeSet } from './reading-files.ts'
import { answered, results, type ResultFields } from './results-tables.ts'

const folder = temporaryFolder()

test('result columns are dropped, reviews of the answers among them; questions keep all that is theirs', async () => {
  const path = writeSet(
    folder,
    results(
      [
        {
          ...answered,
          id: 'q1',
          thread: 'vpn',
          turn: '1',
          message: 'How?',
          tags: 'a;b',
          review: 'good',
          note: 'see',
          own: ['KNOWLEDGE_BASE', 'Zoë', 'old'],
        },
        { ...answered, id: 'q-1', thread: 'q-1', turn: '1', message: 'Lone?', own: ['', '', ''] },
      ],
      ['expect_source', 'Owner', 'answer (set)'],
    ),
  )
  const set = await readSound(path)
  expect(set.warnings).toEqual([])
  expect(set.columns).toEqual(['expect_source', 'Owner', 'answer'])
  expect(askedIn(set)).toEqual([
    {
      id: 'q1',
      thread: 'vpn',
      turn: 1,
      message: 'How?',
      tags: ['a', 'b'],
      expect: { source: { not: false, value: 'KNOWLEDGE_BASE' } },
      mustPass: false,
      cells: { expect_source: 'KNOWLEDGE_BASE', Owner: 'Zoë', answer: 'old' },
    },
    {
      id: 'q-1',
      thread: 'q-1',
      turn: 1,
      message: 'Lone?',
      tags: [],
      mustPass: false,
      cells: { expect_source: '', Owner: '', answer: '' },
    },
  ])
})

test('repeats fold into one, in whatever order they stand', async () => {
  const rows = ['2', '1', '3'].flatMap((repeat) => [
    { ...answered, id: 'a', thread: 't', turn: '1', repeat, message: 'x', answer: `answer ${repeat}` },
    { ...answered, id: 'b', thread: 't', turn: '2', repeat, message: 'y' },
  ])
  const set = await readSound(writeSet(folder, results(rows)))
  expect(questionsOf(set).map(({ id, turn }) => `${id} ${turn}`)).toEqual(['a 1', 'b 2'])
  expect(set.files[0]?.rows).toBe(6)
})

test('gaps that deleted rows leave are closed', async () => {
  const rows = ['3', '5', '9'].map((turn) => ({
    ...answered,
    id: `q${turn}`,
    thread: 't',
    turn,
    message: turn,
  }))
  expect(questionsOf(await readSound(writeSet(folder, results(rows)))).map(({ turn }) => turn)).toEqual([
    1, 2, 3,
  ])
})

test('rows that were added need neither id nor thread', async () => {
  const rows = [
    { ...answered, id: 'q1', thread: 'q1', turn: '1', message: 'x' },
    { message: 'new' },
    { message: 'new' },
  ]
  const set = await readSound(writeSet(folder, results(rows)))
  expect(messagesOf(set)).toEqual(['x', 'new', 'new'])
  expect(new Set(questionsOf(set).map(({ thread }) => thread)).size).toBe(3)
})

describe('the defusing quote', () => {
  // What the writer of `results.csv` does to every cell.
  const defuse = (cell: string): string => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
  test.each(['=1+1', '+49', '-x', '@all', `'=x`, `''-y`, `'quoted'`, `'`, 'plain', "it's = 1"])(
    'is undone: %s',
    async (text) => {
      const path = writeSet(
        folder,
        results(
          [
            {
              ...answered,
              id: defuse(text),
              thread: 't',
              turn: '1',
              message: defuse(text),
              own: [defuse(text)],
            },
          ],
          [defuse('=Own')],
        ),
      )
      const set = await readSound(path)
      expect(askedIn(set)[0]).toMatchObject({ id: text, message: text, cells: { '=Own': text } })
    },
  )
})

test('spreadsheets may save it as they like', async () => {
  const text = results([{ ...answered, id: 'q1', thread: 'q1', turn: '1', message: 'a; b' }]).replaceAll(
    '","',
    '"\t"',
  )
  const set = await readSound(writeSet(folder, Buffer.from(`\ufeff${text}`, 'utf16le')))
  expect(messagesOf(set)).toEqual(['a; b'])
})

test('is known by all of its fixed columns: with one missing it is a set like any other', async () => {
  const set = await readSound(writeSet(folder, 'id,thread,turn,repeat,message,answer\nq1,t,1,1,x,y\n'))
  expect(questionsOf(set)[0]?.cells).toEqual({ repeat: '1', answer: 'y' })
})

describe('is refused where', () => {
  const fault = async (...rows: (ResultFields & { own?: readonly string[] })[]): Promise<string[]> =>
    readFaults(folder, writeSet(folder, results(rows, ['owner'])))
  const first = { ...answered, id: 'q1', thread: 't', turn: '1', message: 'x', own: ['a'] }

  test('one repeat of a question was edited and the others not', async () => {
    const differs =
      'set.csv:3: a repeat of the question in line 2, but with another message, tags or columns; make them alike, or delete one of the rows'
    expect(await fault(first, { ...first, repeat: '2', message: 'z' })).toEqual([differs])
    expect(await fault(first, { ...first, repeat: '2', own: ['b'] })).toEqual([differs])
    expect(await fault(first, { ...first, repeat: '2', answer: 'other', note: 'other' })).toEqual([])
  })

  test('a row was copied with its id', async () => {
    const twice = 'the id "q1" stands in line 2 already; give each question its own, or empty the cell'
    expect(await fault(first, { ...first, message: 'z', turn: '2' })).toEqual([`set.csv:3: ${twice}`])
    expect(await fault(first, { ...first, message: 'z' })).toEqual([
      `set.csv:3: ${twice}`,
      'set.csv:3: turn 1 of thread "t" stands in line 2 already; give each row of a thread its own turn',
    ])
  })
})

test('an editor may delete and move columns: what is left is still known as results, its quotes undone', async () => {
  const csv = [
    'outcome,message,context_source,grounded,status,http_status,wait_ms,latency_ms,conversation_id,context_lost,tags',
    "answered,'=1+1 formula,KNOWLEDGE_BASE,true,success,200,0,12,c1,false,a;b",
    "answered,''=quoted already,KNOWLEDGE_BASE,true,success,200,0,12,c2,false,",
  ].join('\n')
  const set = await readSound(writeSet(folder, csv, 'edited.csv'))
  expect(messagesOf(set)).toEqual(['=1+1 formula', "'=quoted already"])
  expect(set.columns).toEqual([])
  expect(questionsOf(set)[0]?.tags).toEqual(['a', 'b'])
})
