// Reviews of a comparison's folder over comparisons: merged with those of the runs and of files, and never lost.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, test } from 'vitest'
import { compare as compareRuns, type CompareResult } from '../../src/library/compare.ts'
import { UsageError } from '../../src/library/usage-error.ts'
import { answered, askedAs, fromArticle, onlyFirst, recordDay } from '../support/answered.ts'
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
  turnsOfPage(readFileSync(page, 'utf8')).flatMap(({ id, needsReview }) => (needsReview ? [id] : []))

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

  test('outlives a set without its question', async () => {
    const folder = newFolder()
    await compare(folder, [base, same])
    review(join(folder, 'comparison.csv'), { q0: 'poor' })
    const without = at('without')
    recordDay(without, 11, answered(COUNT).slice(1))
    const bothWithout = at('both-without')
    recordDay(bothWithout, 10, answered(COUNT).slice(1))
    await compare(folder, [bothWithout, without])
    expect(wordsOf(join(folder, 'comparison.csv'))).toEqual({})
    await compare(folder, [base, same])
    expect(wordsOf(join(folder, 'comparison.csv'))).toEqual({ q0: 'poor' })
  })

  test('of several candidates is shared, and a table that is left from then overrules nothing later', async () => {
    const folder = newFolder()
    await compare(folder, [base, same, changed])
    const [first = '', second = ''] = readdirSync(folder)
      .filter((name) => name.endsWith('.csv'))
      .toSorted()
      .map((name) => join(folder, name))
    review(first, { q0: 'good', q1: 'good' })
    review(second, { q0: 'poor' })
    await compare(folder, [base, same, changed])
    expect([wordsOf(first), wordsOf(second)]).toEqual([
      { q0: 'good', q1: 'good' },
      { q0: 'poor', q1: 'good' },
    ])
    const table = join(folder, 'comparison.csv')
    await compare(folder, [base, same])
    expect(wordsOf(table)).toEqual({ q0: 'good', q1: 'good' })
    review(table, { q1: 'poor' })
    for (let times = 0; times < 2; times += 1) {
      await compare(folder, [base, same])
      expect(wordsOf(table)).toEqual({ q0: 'good', q1: 'poor' })
    }
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

  test('follow what is written there later, though the comparison shows the old word', async () => {
    const [before, after, folder] = [record(10), record(11), newFolder()]
    for (const word of ['good', 'poor']) {
      writeResults(before, word)
      await compare(folder, [before, after])
      expect(wordsOf(join(folder, 'comparison.csv'))).toEqual({ q0: word })
    }
  })

  test('say what is changed since', async () => {
    const [before, after] = [record(10), record(11, NEW)]
    writeResults(before, 'good')
    expect(awaitedOf(await compare(newFolder(), [before, after]))).toEqual(['q0'])
  })

  test('that cannot be read are rejected with their line', async () => {
    const before = at('with-columns')
    const question = askedAs(0, { expect: {}, review: 'see law', note: 'from the set' })
    recordDay(before, 10, answered(COUNT, onlyFirst(1, { question })))
    writeReviews(join(before, 'results.csv'), [
      ['q0', OLD, 'see law', 'from the set'],
      ['q1', 'x', 'goood', ''],
    ])
    await expect(compare(newFolder(), [before, same])).rejects.toThrow(
      /results\.csv:3: .*goood[^]*nothing was written$/,
    )
  })
})

test('a faulty file of reviews: nothing was sent anyway, so nothing was written', async () => {
  const file = writeReviews(at('faulty.csv'), [['q0', OLD, 'goood', '']])
  const folder = at('of-faulty')
  const refused = compare(folder, [base, same], [file])
  await expect(refused).rejects.toThrow(UsageError)
  await expect(refused).rejects.toThrow(/goood[^]*1 fault; nothing was written$/)
  expect(existsSync(folder)).toBe(false)
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
