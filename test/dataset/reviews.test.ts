// Protects the reading of review files, as pages, spreadsheets and people save them.
import { expect, test } from 'vitest'
import { formatFault } from '../../src/dataset/messages.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const read = async (content: string | Uint8Array) => {
  const { reviews, faults } = await readReviews(writeSet(folder, content, 'r.csv'))
  const rows = reviews.map((one) => [one.questionId, one.message, one.answer, one.review, one.note])
  return { rows, faults: faults.map((fault) => formatFault(fault).replace(`${folder}/`, '')) }
}

const SAVED =
  'id;answer;review;note\nq1;"An answer; long,\nof two lines – and “quotes”";Good ;schön\nq2;unseen;;\n'
const SAVED_ROW = ['q1', '', 'An answer; long,\nof two lines – and “quotes”', 'good', 'schön']
const OF_1252: Readonly<Record<string, string>> = { '–': '\x96', '“': '\x93', '”': '\x94' }

test.each<[string, string | Uint8Array, rows: unknown[][]]>([
  ['as a spreadsheet saves it', `\uFEFF${SAVED.replaceAll('\n', '\r\n')}`, [SAVED_ROW]],
  [
    'in Windows-1252',
    Buffer.from(
      SAVED.replaceAll(/[–“”]/g, (sign) => OF_1252[sign] ?? ''),
      'latin1',
    ),
    [SAVED_ROW],
  ],
  [
    'of a comparison, with the answer of the candidate',
    'id,message,baseline_answer,candidate_answer,review,note\nq1,Why?,old,new,poor,\n',
    [['q1', 'Why?', 'new', 'poor', '']],
  ],
  [
    'with defused cells, and a note without a rating',
    "id,answer,review,note\n'=q1,'=1+1,,'-first\n",
    [['=q1', '', '=1+1', undefined, '-first']],
  ],
  ['without a column of ratings', 'Note,Answer,ID\nhm,yes,q1\n', [['q1', '', 'yes', undefined, 'hm']]],
])('a file of reviews is read %s', async (_, content, rows) => {
  expect(await read(content)).toEqual({ rows, faults: [] })
})

const NEEDED = /^r\.csv:1: reviews need the columns "id", "answer" \(or "candidate_answer"\), and "review" or/
test.each([
  ['id,answer,review\nq1,yes,gut\n', /^r\.csv:2: the rating "gut" must be one of good, acceptable, poor$/],
  ['id,anwser,review\n', /\(found: "id", "anwser", "review"\); rename the columns$/],
  ['answer,review\n', NEEDED],
  ['id,answer,reviews\n', NEEDED],
  ['id,answer,review\n,yes,good\n', /^r\.csv:2: the review has no question id; put the id back/],
  ['id,answer,review\nq1,yes, no,good\n', /^r\.csv:2: the row has 4 cells/],
])('a fault of %j has its line and its mend', async (content, fault) => {
  expect((await read(content)).faults).toEqual([expect.stringMatching(fault)])
})

test('valid rows are read beside faulty ones', async () => {
  const { rows, faults } = await read('id,answer,review\nq1,yes,gut\nq2,no,good\nq3,no,x\n')
  expect(rows.map(([id]) => id)).toEqual(['q2'])
  expect(faults.map((fault) => fault.slice(0, 8))).toEqual(['r.csv:2:', 'r.csv:4:'])
})
