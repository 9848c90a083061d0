// Protects the reviews in a comparison's folder: they are merged with those of runs and files, and never lost.
import { mkdirSync, readdirSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { expect, test } from 'vitest'
import { compare as compareRuns } from '../../src/library/compare.ts'
import { UsageError } from '../../src/options/faults.ts'
import { groundedTurns, groundedAnswer, recordRunOn } from '../support/runs-to-compare.ts'
import { turnsOfPage } from '../support/report-page.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, has, put, read, rows } = openWorkspace()
const answerOf = (number: number): string => `Open the portal, item ${number}, within 14 days.`

/** Records a run of six questions; `first` is the answer to the first one. */
const record = (name: string, day: number, first = answerOf(0)): void =>
  recordRunOn(
    at(name),
    day,
    groundedTurns(6, (number) => ({ result: groundedAnswer(number === 0 ? first : answerOf(number)) })),
  )
record('base', 10)
record('same', 11)
record('changed', 11, 'Open the portal within 10 days.')

/** Returns the ratings in the table, and the questions that the page lists as changed since their review. */
async function compare(out: string, baseline: string, candidate: string, more: { reviews?: string[] } = {}) {
  const runs = { baseline: at(baseline), candidate: at(candidate) }
  const { notes } = await compareRuns({ ...runs, ...more, out: at(out) })
  const rated = rows(out, 'comparison.csv').filter(({ review }) => review !== '')
  const awaited = turnsOfPage(read(out, 'report.html')).filter(
    ({ reviewedBefore }) => reviewedBefore !== null,
  )
  return {
    notes,
    ratings: Object.fromEntries(rated.map(({ id = '', review }) => [id, review])),
    awaited: awaited.map(({ id }) => id),
  }
}

/** Writes reviews, by question number and rating, in the form of `reviews.csv`. */
const putReviews = (name: string, ...reviews: readonly (readonly [number, string])[]): string =>
  put(
    name,
    stringify([
      ['id', 'answer', 'review', 'note'],
      ...reviews.map(([number, review]) => [`q${number}`, answerOf(number), review, '']),
    ]),
  )
const contentsOf = (folder: string): unknown[] =>
  readdirSync(at(folder)).map((name) => [name, read(folder, name)])

test('a rating is kept while the answer is another one, and applies again with its answer', async () => {
  await compare('kept', 'base', 'same')
  expect(has('kept/reviews.csv')).toBe(false)
  // Edits of the comparison's own table count where --reviews names it.
  const edited = rows('kept', 'comparison.csv').map((row) =>
    row['id'] === 'q0' ? { ...row, review: 'good' } : row,
  )
  const table = at(put('kept/comparison.csv', stringify(edited, { header: true })))
  expect((await compare('other', 'base', 'same', { reviews: [table] })).ratings).toEqual({ q0: 'good' })
  expect((await compare('kept', 'base', 'same')).ratings).toEqual({})
  const reviews = [at('other/reviews.csv')]
  expect(await compare('kept', 'base', 'changed', { reviews })).toMatchObject({
    ratings: {},
    awaited: ['q0'],
  })
  expect((await compare('kept', 'base', 'same')).ratings).toEqual({ q0: 'good' })
  expect(rows('kept/reviews.csv')).toMatchObject([
    { id: 'q0', answer: answerOf(0), review: 'good', note: '' },
  ])
})

test('ratings of the runs apply: the newer run over the older, files over both', async () => {
  record('before', 10)
  record('after', 11)
  putReviews('before/reviews.csv', [0, 'poor'], [1, 'good'], [5, ''])
  const contents = contentsOf('before')
  const first = await compare('first', 'before', 'after')
  expect(first).toMatchObject({ ratings: { q0: 'poor', q1: 'good' }, notes: [] })
  putReviews('after/reviews.csv', [0, 'acceptable'])
  // Whatever the order of the runs.
  const ratings = { q0: 'acceptable', q1: 'good' }
  expect((await compare('merged', 'after', 'before')).ratings).toEqual(ratings)
  expect(contentsOf('before')).toEqual(contents)
  const files = { reviews: [at(putReviews('files.csv', [0, 'good']))] }
  const named = await compare('merged', 'before', 'after', files)
  expect(named.ratings).toEqual({ ...ratings, q0: 'good' })
})

test('a comparison that fails leaves the folder as it was', async () => {
  await compare('left', 'base', 'same')
  putReviews('left/reviews.csv', [0, 'goood'])
  const before = contentsOf('left')
  await expect(compare('left', 'base', 'same')).rejects.toThrow(UsageError)
  mkdirSync(at('empty'))
  await expect(compare('left', 'base', 'empty')).rejects.toThrow(UsageError)
  expect(contentsOf('left')).toEqual(before)
})
