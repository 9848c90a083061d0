// Reviews of a comparison's folder over comparisons: merged with those of the runs and of files, and never lost.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, test } from 'vitest'
import { compare as compareRuns, type CompareResult } from '../../src/library/compare.ts'
import { UsageError } from '../../src/library/usage-error.ts'
import { answered, fromArticle, recordDay } from '../support/answered.ts'
import { turnsOfPage } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = temporaryFolder()
const at = (...names: readonly string[]): string => join(root, ...names)
const COUNT = 6
const [OLD, NEW] = ['Open the portal, item 0, within 14 days.', 'Open the portal within 10 days.']

let made = 0
/** A run in a folder of its own; `answers` to the first questions, the others are as ever. */
function record(day: number, ...answers: readonly string[]): string {
  const path = at(`run-${(made += 1)}`)
  const change = (number: number) => {
    const answer = answers[number]
    return answer === undefined ? undefined : { came: fromArticle(answer) }
  }
  recordDay(path, day, answered(COUNT, change))
  return path
}
const newFolder = (): string => mkdtempSync(at('of-'))

const compare = async (
  out: string,
  [baseline = '', ...candidates]: readonly string[],
  reviews?: readonly string[],
): Promise<CompareResult> =>
  compareRuns({ baseline, candidates, out, ...(reviews === undefined ? {} : { reviews: [...reviews] }) })

const rowsOf = (path: string): Record<string, string>[] => parse(readFileSync(path), { columns: true })
/** As an editor who writes into `review`, by question id. */
function review(path: string, said: Readonly<Record<string, string>>): void {
  const rows = rowsOf(path).map((row) => ({ ...row, review: said[row['id'] ?? ''] ?? row['review'] }))
  writeFileSync(path, stringify(rows, { header: true }))
}
const wordsOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    rowsOf(path)
      .filter(({ review: word }) => word !== '')
      .map(({ id = '', review: word = '' }) => [id, word]),
  )
/** Questions whose answer differs from the reviewed one, by the page. */
const awaitedOf = ({ pages: [page = ''] }: CompareResult): string[] =>
  turnsOfPage(readFileSync(page, 'utf8')).flatMap(({ id, reviewedBefore }) =>
    reviewedBefore === null ? [] : [id],
  )

function writeReviews(path: string, rows: readonly (readonly string[])[]): string {
  writeFileSync(path, stringify([['id', 'answer', 'review', 'note'], ...rows]))
  return path
}
/** As a run leaves its results, with what an editor wrote beside an answer. */
const writeResults = (run: string, word: string, answer = OLD): string =>
  writeReviews(join(run, 'results.csv'), [
    ['q0', answer, word, ''],
    ['q5', 'Open the portal, item 5, within 14 days.', '', ''],
  ])
const contentsOf = (run: string): unknown[] =>
  readdirSync(run)
    .toSorted()
    .map((name) => [name, readFileSync(join(run, name), 'utf8')])

const base = record(10)
const same = record(11)
const changed = record(11, NEW)

describe('what was written into comparison.csv', () => {
  test('waits while another answer comes, and is back when its answer is', async () => {
    const folder = newFolder()
    const table = join(folder, 'comparison.csv')
    await compare(folder, [base, same])
    expect(existsSync(join(folder, 'reviews.csv'))).toBe(false)
    review(table, { q0: 'good' })
    const other = await compare(folder, [base, changed])
    expect([wordsOf(table), awaitedOf(other)]).toEqual([{}, ['q0']])
    await compare(folder, [base, changed])
    await compare(folder, [base, same])
    expect(wordsOf(table)).toEqual({ q0: 'good' })
    expect(rowsOf(join(folder, 'reviews.csv'))).toEqual([{ id: 'q0', answer: OLD, review: 'good', note: '' }])
  })
})

describe("reviews in the runs' folders", () => {
  test('are taken, the newer run over the older, and files over both; nothing is written there', async () => {
    const [before, after] = [record(10), record(11)]
    writeResults(before, 'poor')
    writeReviews(join(before, 'reviews.csv'), [
      ['q1', 'Open the portal, item 1, within 14 days.', 'good', 'clear'],
    ])
    const contents = contentsOf(before)
    const folder = newFolder()
    const table = join(folder, 'comparison.csv')
    const first = await compare(folder, [before, after])
    expect([wordsOf(table), first.notes]).toEqual([{ q0: 'poor', q1: 'good' }, []])
    writeResults(after, 'acceptable')
    // In whatever order they are named.
    await compare(folder, [after, before])
    expect(wordsOf(table)).toEqual({ q0: 'acceptable', q1: 'good' })
    expect(contentsOf(before)).toEqual(contents)
    const file = writeReviews(at('files.csv'), [['q0', OLD, 'good', '']])
    await compare(folder, [before, after], [file])
    expect(wordsOf(table)).toEqual({ q0: 'good', q1: 'good' })
    review(table, { q0: 'poor' })
    await compare(folder, [before, after], [file])
    expect(wordsOf(table)).toEqual({ q0: 'poor', q1: 'good' })
  })
})

test('runs that cannot be compared leave the folder as it was', async () => {
  const folder = newFolder()
  await compare(folder, [base, same])
  review(join(folder, 'comparison.csv'), { q0: 'goood' })
  const before = contentsOf(folder)
  const empty = at('empty')
  mkdirSync(empty)
  await expect(compare(folder, [base, empty])).rejects.toThrow(UsageError)
  expect(contentsOf(folder)).toEqual(before)
})
