// Protects an edited `results.csv` as a question set, and files of reviews as pages, spreadsheets and people save them.
// properties/round-trip.test.ts covers unedited results.
import { expect, test } from 'vitest'
import { formatFault } from '../../src/dataset/messages.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { RESULT_COLUMNS } from '../../src/domain/result-columns.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { csvOf, messagesOf, questionsOf, readFaults, readValid, rowsOf, writeSet } from './reading-files.ts'

const folder = temporaryFolder()
type Fields = Partial<Record<(typeof RESULT_COLUMNS)[number], string>> & { readonly own?: readonly string[] }

/** `results.csv` as the harness writes it: fixed columns, then the set's own. */
const results = (rows: readonly Fields[], own: readonly string[] = []): string =>
  csvOf([
    [...RESULT_COLUMNS, ...own],
    ...rows.map((row) => [...RESULT_COLUMNS.map((name) => row[name] ?? ''), ...(row.own ?? [])]),
  ])

const read = async (rows: readonly Fields[], own?: readonly string[]) =>
  readValid(writeSet(folder, results(rows, own)))

const answered = { repeat: '1', answer: 'Use the portal.', outcome: 'answered', grounded: 'true' }
const q1: Fields = { ...answered, id: 'q1', thread: 'q1', turn: '1', message: 'How?' }

test('result columns, reviews included, are ignored; questions keep their own columns', async () => {
  const row = { ...q1, review: 'good', note: 'see', own: ['KNOWLEDGE_BASE', 'old', 'vpn', 'Zoë'] }
  const set = await read([row], ['expect_source', 'answer (set)', 'sandbox_article', 'author'])
  expect(set.warnings).toEqual([])
  expect(set.columns).toEqual(['expect_source', 'answer', 'author'])
  expect(questionsOf(set)[0]).not.toHaveProperty('review')
  expect(questionsOf(set)[0]).toMatchObject({ cells: { expect_source: 'KNOWLEDGE_BASE', answer: 'old' } })
})

test('repeats become one question, in any order of rows', async () => {
  const rows = ['2', '1', '3'].flatMap((repeat) => [
    { ...q1, id: 'a', thread: 't', repeat, answer: `answer ${repeat}`, note: repeat },
    { ...q1, id: 'b', thread: 't', turn: '2', repeat },
  ])
  const set = await read(rows)
  expect(questionsOf(set).map(({ id, turn }) => `${id} ${turn}`)).toEqual(['a 1', 'b 2'])
  expect(set.files[0]?.rows).toBe(6)
})

test('turns are renumbered after rows were deleted', async () => {
  const rows = ['3', '5', '9'].map((turn) => ({ ...q1, id: `q${turn}`, thread: 't', turn }))
  expect(questionsOf(await read(rows)).map(({ id, turn }) => `${id} ${turn}`)).toEqual([
    'q3 1',
    'q5 2',
    'q9 3',
  ])
})

test('added rows need no id and no thread', async () => {
  const set = await read([q1, { message: 'new' }, { message: 'new' }])
  expect(messagesOf(set)).toEqual(['How?', 'new', 'new'])
  expect(new Set(questionsOf(set).map(({ thread }) => thread)).size).toBe(3)
})

test('answers of megabytes are read', async () => {
  const set = await read([
    { ...q1, answer: 'Say "x",\n'.repeat(2 ** 17) },
    { ...q1, id: 'q2', thread: 'q2' },
  ])
  expect(questionsOf(set).map(({ id, line, cells }) => [id, line, cells])).toEqual([
    ['q1', 2, {}],
    ['q2', 3 + 2 ** 17, {}],
  ])
})

test('columns may be deleted and moved, and the file saved as UTF-16 with tabs', async () => {
  const table = [
    'outcome,message,context_source,grounded,status,http_status,wait_ms,latency_ms,conversation_id,context_lost,tags',
    "answered,'=1+1 formula,KNOWLEDGE_BASE,true,success,200,0,12,c1,false,a;b",
    "answered,''=quoted already,KNOWLEDGE_BASE,true,success,200,0,12,c2,false,",
  ]
  const bytes = Buffer.from(`\ufeff${table.join('\r\n').replaceAll(',', '\t')}`, 'utf16le')
  const set = await readValid(writeSet(folder, bytes))
  expect(messagesOf(set)).toEqual(['=1+1 formula', "'=quoted already"])
  expect(set.columns).toEqual([])
  expect(questionsOf(set)[0]?.tags).toEqual(['a', 'b'])
})

test('with few of its fixed columns it is an ordinary set', async () => {
  const set = await readValid(writeSet(folder, 'id,thread,turn,repeat,message,answer\nq1,t,1,1,x,y\n'))
  expect(questionsOf(set)[0]?.cells).toEqual({ repeat: '1', answer: 'y' })
})

const id = 'set.csv:3: the id "q1" is already in line 2; give each question its own id, or clear the cell'
const turn = 'set.csv:3: turn 1 of thread "q1" is already in line 2; give each row of a thread its own turn'
const differs =
  'set.csv:3: it differs from line 2, another repeat of the question; edit both alike, or delete one'
const first = { ...q1, own: ['a'] }
test.each<[string, Fields, string[]]>([
  ['the message of one repeat was edited', { ...first, repeat: '2', message: 'Why?' }, [differs]],
  ['an own column of one repeat was edited', { ...first, repeat: '2', own: ['b'] }, [differs]],
  ['a row was copied', first, [id, turn]],
  ['a row was copied for another turn', { ...first, turn: '2' }, [id]],
])('is rejected if %s', async (_, row, faults) => {
  expect(await readFaults(writeSet(folder, results([first, row], ['owner'])))).toEqual(faults)
})

/** The reviews as rows of id, message, answer, rating and note. */
const reviewsIn = async (content: string | Uint8Array) => {
  const { reviews, faults } = await readReviews(writeSet(folder, content, 'r.csv'))
  const rows = reviews.map((one) => [one.questionId, one.message, one.answer, one.review ?? null, one.note])
  return { rows, faults: faults.map((fault) => formatFault(fault).replace(`${folder}/`, '')) }
}

test.each(
  rowsOf<[what: string, text: string, rows: (string | null)[][], faults: string[]]>('reviews.ndjson'),
)('a file of reviews is read: %s', async (_, text, rows, faults) => {
  expect(await reviewsIn(text)).toEqual({ rows, faults })
})

test('a file of reviews is read in Windows-1252', async () => {
  const text = 'id;answer;review;note\nq1;long \x96 and \x93quotes\x94;good;sch\xf6n\n'
  const rows = [['q1', '', 'long – and “quotes”', 'good', 'schön']]
  expect(await reviewsIn(Buffer.from(text, 'latin1'))).toEqual({ rows, faults: [] })
})
