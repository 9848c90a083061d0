// Protects the reading of review files, as pages, spreadsheets and people save them.
import { describe, expect, test } from 'vitest'
import { formatFault } from '../../src/dataset/messages.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { writeSet } from './reading-files.ts'

const folder = temporaryFolder()
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le')
const rows = async (content: string | Uint8Array): Promise<unknown[]> => {
  const { reviews, faults } = await readReviews(writeSet(folder, content))
  expect(faults).toEqual([])
  return reviews.map(({ questionId, answer, review, note }) => [questionId, answer, review, note])
}
const faultsOf = async (content: string): Promise<string[]> =>
  (await readReviews(writeSet(folder, content, 'r.csv'))).faults.map((fault) =>
    formatFault(fault).replace(`${folder}/`, ''),
  )

const one = [['q1', 'An answer; long,\nof two lines – and “quotes”', 'good', 'schön']]
const table = (separator: string, end = '\n'): string =>
  ['id', 'answer', 'review', 'note'].join(separator) +
  end +
  ['q1', `"An answer; long,${end}of two lines – and “quotes”"`, 'Good ', 'schön'].join(separator) +
  end +
  ['q2', 'unseen', '', ''].join(separator) +
  end

describe('a file of reviews is read', () => {
  test.each<[string, string | Uint8Array]>([
    ['as the report page saves it', table(',')],
    ['with a byte order mark and semicolons', `\uFEFF${table(';', '\r\n')}`],
    ['with tabs, in UTF-16', utf16(table('\t', '\r\n'))],
    [
      'in Windows-1252',
      Buffer.from(
        table(';').replaceAll('–', '\x96').replaceAll('“', '\x93').replaceAll('”', '\x94'),
        'latin1',
      ),
    ],
  ])('%s', async (_, content) => {
    expect(await rows(content)).toEqual(one)
  })

  test('of a comparison, with the answer of the candidate', async () => {
    const csv = 'id,message,baseline_answer,candidate_answer,review,note\nq1,Why?,old,new,poor,\n'
    expect(await rows(csv)).toEqual([['q1', 'new', 'poor', '']])
    const { reviews } = await readReviews(writeSet(folder, csv))
    expect(reviews[0]?.message).toBe('Why?')
  })

  test('with defused cells restored, and notes without a rating or without the column of ratings', async () => {
    expect(await rows("id,answer,review,note\n'=q1,'=1+1,,'-first\n")).toEqual([
      ['=q1', '=1+1', undefined, '-first'],
    ])
    expect(await rows('Note,Answer,ID\nhm,yes,q1\n')).toEqual([['q1', 'yes', undefined, 'hm']])
  })
})

describe('a fault is reported with its line and fix:', () => {
  test.each([
    ['id,answer,review\nq1,yes,gut\n', /^r\.csv:2: the rating "gut" must be one of good, acceptable, poor$/],
    [
      'id,anwser,review\n',
      /^r\.csv:1: reviews need the columns "id", "answer" .*\(found: "id", "anwser", "review"\)/,
    ],
    ['answer,review\n', /^r\.csv:1: reviews need the columns/],
    ['id,answer,reviews\n', /^r\.csv:1: reviews need the columns/],
    ['id,answer,review\n,yes,good\n', /^r\.csv:2: the review has no question id; put the id back/],
    ['id,answer,review\nq1,yes, no,good\n', /^r\.csv:2: the row has 4 cells/],
    ['id,answer,review\nq1,"yes,good\n', /^r\.csv:2: a quote opens a cell/],
  ])('%j', async (content, message) => {
    expect(await faultsOf(content)).toEqual([expect.stringMatching(message)])
  })

  test('and valid rows are still read', async () => {
    const { reviews, faults } = await readReviews(
      writeSet(folder, 'id,answer,review\nq1,yes,gut\nq2,no,good\nq3,no,x\n'),
    )
    expect(faults.map(({ line }) => line)).toEqual([2, 4])
    expect(reviews.map(({ questionId }) => questionId)).toEqual(['q2'])
  })
})
