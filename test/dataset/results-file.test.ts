// A `results.csv` that is asked again.
import { describe, expect, test } from 'vitest'
import { RESULT_COLUMNS } from '../../src/domain/result-columns.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { askedIn, messagesOf, questionsOf, readFaults, readSound, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

type Fields = Partial<Record<(typeof RESULT_COLUMNS)[number], string>>

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** As the harness writes it: fixed columns, then the set's own. */
function results(
  rows: readonly (Fields & { own?: readonly string[] })[],
  own: readonly string[] = [],
): string {
  const lines = rows.map((row) => [...RESULT_COLUMNS.map((name) => row[name] ?? ''), ...(row.own ?? [])])
  return [[...RESULT_COLUMNS, ...own], ...lines].map((cells) => cells.map(quote).join(',')).join('\n')
}

const answered = {
  repeat: '1',
  answer: 'Use the portal.',
  outcome: 'answered',
  grounded: 'true',
  latency_ms: '812.4',
}

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
  const fault = async (...rows: (Fields & { own?: readonly string[] })[]): Promise<string[]> =>
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

describe('answers of any length', () => {
  const asked = { ...answered, id: 'q1', thread: 'q1', turn: '1', message: 'How?' }
  const next = { ...answered, id: 'q2', thread: 'q2', turn: '1', message: 'Why?' }
  const KILOBYTE = 1024

  test.each([
    ['over what a cell of a set may hold', 300 * KILOBYTE],
    ['over what a row of a set may', 8192 * KILOBYTE],
  ])('are dropped with the others: %s', async (_, bytes) => {
    const answer = 'Say "x",\n'.repeat(bytes / 8)
    const set = await readSound(writeSet(folder, results([{ ...asked, answer }, next])))
    expect(askedIn(set).map(({ message, cells }) => [message, cells])).toEqual([
      ['How?', {}],
      ['Why?', {}],
    ])
  })

  test('are no leave for the questions and the set’s own columns', async () => {
    const long = 'x'.repeat(300 * KILOBYTE)
    const rows = [
      { ...asked, answer: long, message: long, own: [''] },
      { ...next, answer: long, own: [long] },
    ]
    expect(await readFaults(folder, writeSet(folder, results(rows, ['Owner'])))).toEqual([
      'set.csv:2: the cell under "message" holds 300 KB, and 256 KB is the most; shorten it, or look for a quote that was never closed',
      'set.csv:3: the cell under "Owner" holds 300 KB, and 256 KB is the most; shorten it, or look for a quote that was never closed',
    ])
  })

  test('do not hide a quote that is never closed, and no more than a row of them is held', async () => {
    const open = `${results([asked])}\nq2,q2,1,1,"Why?,An answer\n`
    expect(await readFaults(folder, writeSet(folder, `${open}${'of a line\n'.repeat(500_000)}`))).toEqual([
      'set.csv:3: a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
    ])
    expect(await readFaults(folder, writeSet(folder, `${open}${'of a line\n'.repeat(7_000_000)}`))).toEqual([
      'set.csv:3: the row is over 64 MB, so no row after it was read; look for a quote that was never closed, or shorten the row: 64 MB is the most for a whole row, and 256 KB for one cell of a question',
    ])
  })
})
