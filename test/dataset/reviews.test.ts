// Protects the reading of review files, as pages, spreadsheets and people save them.
import { expect, test } from 'vitest'
import { formatFault } from '../../src/dataset/messages.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { readRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()
/** The reviews as rows of id, message, answer, rating and note. */
const read = async (content: string | Uint8Array) => {
  const { reviews, faults } = await readReviews(writeSet(folder, content, 'r.csv'))
  const rows = reviews.map((one) => [one.questionId, one.message, one.answer, one.review ?? null, one.note])
  return { rows, faults: faults.map((fault) => formatFault(fault).replace(`${folder}/`, '')) }
}

test.each(
  readRows<[what: string, text: string, rows: (string | null)[][], faults: string[]]>(
    new URL('reviews.ndjson', import.meta.url),
  ),
)('a file of reviews is read: %s', async (_, text, rows, faults) => {
  expect(await read(text)).toEqual({ rows, faults })
})

test('a file of reviews is read in Windows-1252', async () => {
  const text = 'id;answer;review;note\nq1;long \x96 and \x93quotes\x94;good;sch\xf6n\n'
  const rows = [['q1', '', 'long – and “quotes”', 'good', 'schön']]
  expect(await read(Buffer.from(text, 'latin1'))).toEqual({ rows, faults: [] })
})
