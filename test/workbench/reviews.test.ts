// Protects ratings: those of several tabs and of a report that runs meanwhile stay, and a disk that is full is
// said where the rating was made.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { readReviews } from '../../src/dataset/reviews.ts'
import { report } from '../../src/library/report.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { unpackRecorded } from '../recorded/run-case.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { openWorkbench } from '../support/workbench.ts'

const pathOf = temporaryPaths()

/** Of a recorded run with ten answers and more. */
async function openRun() {
  const folder = pathOf()
  unpackRecorded(join(recordedFolder, 'articles/run'), join(folder, 'night'))
  await report({ run: join(folder, 'night') })
  const workbench = await openWorkbench(folder)
  const rate = async (id: string, word: string | null, note = '', answer = `Answer ${id}`) =>
    workbench.post('/api/review', {
      run: 'night',
      id,
      message: `Question ${id}`,
      answer,
      review: word,
      note,
      reviewer: 'Ada',
    })
  const saved = async () => (await readReviews(join(folder, 'night/reviews.csv'))).reviews
  return { folder, workbench, rate, saved }
}

test('a rating is a line of reviews.csv, with who made it and when', async () => {
  const { folder, rate } = await openRun()
  expect((await rate('q1', 'poor', '=1+1')).status).toBe(200)
  const [header, row] = readFileSync(join(folder, 'night/reviews.csv'), 'utf8').split('\n')
  expect(header).toBe('id,answer,review,note,message,reviewer,reviewed_at')
  expect(row).toMatch(/^q1,Answer q1,poor,'=1\+1,Question q1,Ada,\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('ratings made at once, and while reports are written, are all kept', async () => {
  const { folder, rate, saved } = await openRun()
  const ids = Array.from({ length: 60 }, (_, index) => `q${index}`)
  const reports = (async () => {
    for (let times = 0; times < 3; times += 1) await report({ run: join(folder, 'night') })
  })()
  for (let from = 0; from < 60; from += 10)
    await Promise.all(ids.slice(from, from + 10).map(async (id) => rate(id, 'good')))
  await reports
  expect((await saved()).map(({ questionId }) => questionId).toSorted()).toEqual(ids.toSorted())
})

test('one that is taken back is not there after a report, nor does an older table bring it back', async () => {
  const { folder, workbench, rate } = await openRun()
  const { text } = await workbench.ask('/file?path=night/results.csv')
  const [first] = parse(text, { columns: true, bom: true }) as { id: string; answer: string }[]
  const { id = '', answer: cell = '' } = first ?? {}
  const answer = cell.replace(/^'/, '')
  const rated = async () => {
    await report({ run: join(folder, 'night') })
    return readFileSync(join(folder, 'night/results.csv'), 'utf8').includes(',poor,')
  }
  await rate(id, 'poor', '', answer)
  expect(await rated()).toBe(true)
  await rate(id, null, '', answer)
  expect(await rated()).toBe(false)
  await rate(id, 'poor', '', answer)
  expect(await rated()).toBe(true)
})

test('a table that a spreadsheet has saved in its own way takes further ratings', async () => {
  const { folder, rate, saved } = await openRun()
  writeFileSync(join(folder, 'night/reviews.csv'), '\uFEFFid;answer;review;note\r\nq1;"Answer; q1";good;\r\n')
  await rate('q2', 'poor')
  expect((await saved()).map(({ answer, review }) => [answer, review])).toEqual([
    ['Answer; q1', 'good'],
    ['Answer q2', 'poor'],
  ])
})

test('what the disk does not take is said, and so is a table that cannot be read', async () => {
  const { folder, rate } = await openRun()
  // A folder in its place cannot be written by anybody.
  mkdirSync(join(folder, 'night/reviews.csv'))
  const { status, text } = await rate('q1', 'good')
  expect(status).toBe(507)
  expect(text).toContain('The disk did not take it')
})

test('two runs are compared; a rating in the comparison is one of its candidate', async () => {
  const folder = pathOf()
  unpackRecorded(join(recordedFolder, 'articles'), folder)
  const workbench = await openWorkbench(folder)
  const { status, text } = await workbench.post('/api/compare', { baseline: 'run', candidate: 'after' })
  expect(status, text).toBe(200)
  const { path } = JSON.parse(text) as { path: string }
  const view = await workbench.ask(`/api/run?path=${path}`)
  expect(JSON.parse(view.text)).toMatchObject({
    run: { kind: 'comparison', sets: ['run', 'after'] },
    reviewed: 'after',
  })
  const rate = {
    run: 'after',
    id: 'q1',
    message: 'm',
    answer: 'a',
    review: 'poor',
    note: '',
    reviewer: 'Ada',
  }
  await workbench.post('/api/review', rate)
  const again = JSON.parse((await workbench.ask(`/api/run?path=${path}`)).text) as { reviews: unknown[] }
  expect(again.reviews).toMatchObject([{ questionId: 'q1', review: 'poor', made: { by: 'Ada' } }])

  // A later comparison in which it is the baseline has the same id first.
  await workbench.post('/api/compare', { baseline: 'after', candidate: 'run' })
  const later = JSON.parse((await workbench.ask(`/api/run?path=${path}`)).text) as { reviewed: unknown }
  expect(later.reviewed).toBe('after')
})
