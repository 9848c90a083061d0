// Protects reviews in the built program: filled in with a spreadsheet, kept, carried to unchanged answers, and listed as "needs review".
import { readFileSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { beforeAll, expect, test } from 'vitest'
import { answerJson, goodReply, serveFile } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const answers = {
  same: '=Yes → you may.\r\nAsk at the desk.',
  reworded: 'You have 14 days to return it.',
  changed: 'It costs 5 euros.',
  long: 'word '.repeat(8000),
  new: 'Nobody looked at this.',
}
const ids = Object.keys(answers)
const { at, put, read, rows, summary, runLine, expectExit } = openWorkspace(
  { 'set.csv': `id,message\n${ids.map((id) => `${id},${id}\n`).join('')}` },
  KEY_ENV,
)
let now: Record<string, string> = answers
const endpoint = await serveFile((call) =>
  answerJson(call, 200, { ...goodReply(call), message: now[call.body.message] ?? '' }),
)
const ask = async (out: string, more = '', set = 'set.csv') =>
  expectExit(0, `run ${set} --base-url ${endpoint.url} --rate unlimited --out ${out} ${more}`)
const reviewed = (run: string): string[][] =>
  rows(run, 'results.csv').map(({ id = '', review = '', note = '' }) => [id, review, note])

/** Saves like a German Excel: semicolons, Windows-1252, truncated cells, question marks for unknown characters. */
function saveAsExcel(run: string, said: Readonly<Record<string, readonly [review: string, note: string]>>) {
  const edited = rows(run, 'results.csv').map((row) => {
    const [review, note] = said[row['id'] ?? ''] ?? [row['review'] ?? '', row['note'] ?? '']
    return { ...row, answer: (row['answer'] ?? '').slice(0, 32_767), review, note }
  })
  const text = stringify(edited, { header: true, delimiter: ';', record_delimiter: '\r\n' })
  put(`${run}/results.csv`, Buffer.from(text.replaceAll('→', '?'), 'latin1'))
}

beforeAll(async () => {
  expect((await ask('first')).screen).not.toMatch(/review/i)
  saveAsExcel('first', {
    same: ['GOOD', 'clear'],
    reworded: ['acceptable', ''],
    changed: ['good', ''],
    long: ['poor', 'far too long'],
  })
})

const words = [
  ['same', 'good', 'clear'],
  ['reworded', 'acceptable', ''],
  ['changed', 'good', ''],
  ['long', 'poor', 'far too long'],
  ['new', '', ''],
]
/** The reviews that remain when the answers to two questions have changed. */
const unchanged = words.map((row) => (row[0] === 'changed' || row[0] === 'reworded' ? [row[0], '', ''] : row))

test('reviews in results.csv stay, byte for byte, when the reports are written again', async () => {
  await expectExit(0, 'report first')
  expect(reviewed('first')).toEqual(words)
  const counts = { reviewed: 4, good: 2, acceptable: 1, poor: 1, changed: 0, new: 1 }
  expect(summary('first').reviews).toEqual(counts)
  expect(read('first/report.html')).toMatch(
    />poor<.*?>1<.*?>acceptable<.*?>1<.*?>good<.*?>2<.*?>not reviewed<.*?>1</,
  )
  const texts = () =>
    ['results.csv', 'reviews.csv', 'summary.json', 'summary.md'].map((name) => read('first', name))
  const before = texts()
  await runLine('report first')
  expect(texts()).toEqual(before)
})

test('reviews whose ids a spreadsheet changed keep their questions, and those of no question are named', async () => {
  put('ids.csv', 'id,message\n001,same\n1-2,reworded\n2E5,changed\nok,new\n')
  put(
    'excel.csv',
    `id;answer;review;note\r\n1;"${answers.same.replace('→', '?')}";good;\r\n01. Feb;${answers.reworded};poor;\r\n` +
      `2,00E+05;${answers.changed};good;\r\nok;${answers.new};good;\r\ngone;Nobody says this.;poor;old\r\n`,
  )
  const { screen } = await ask('ids', '--reviews excel.csv', 'ids.csv')
  expect(reviewed('ids')).toEqual([
    ['001', 'good', ''],
    ['1-2', 'poor', ''],
    ['2E5', 'good', ''],
    ['ok', 'good', ''],
  ])
  const named = 'Reviews match no question of this run; reviews.csv keeps them. Their ids: gone.'
  expect(screen.replaceAll(/\s+/g, ' ')).toContain(named)
  expect(rows('ids/reviews.csv').map(({ id }) => id)).toEqual(['001', '1-2', '2E5', 'ok', 'gone'])
  // Neither shard knows whether an answer is the only one of its kind: merge does.
  for (const shard of [1, 2]) await ask(`shard-${shard}`, `--reviews excel.csv --shard ${shard}/2`, 'ids.csv')
  const merged = await expectExit(0, 'merge shard-1 shard-2 --out merged')
  expect(merged.screen.replaceAll(/\s+/g, ' ')).toContain(named)
  expect(reviewed('merged')).toEqual(reviewed('ids'))
  // The same in the run's own table: the message tells which question a row is about.
  const edited = rows('ids', 'results.csv').map((row) => ({
    ...row,
    id: `=${row['id']}`,
    review: 'acceptable',
  }))
  put('ids/results.csv', stringify(edited, { header: true }))
  await expectExit(0, 'report ids')
  expect(reviewed('ids').map(([id, review]) => [id, review])).toEqual(
    ['001', '1-2', '2E5', 'ok'].map((id) => [id, 'acceptable']),
  )
})

test('a folder without reviews is named, and one without a run is rejected', async () => {
  put('empty/notes.txt', '')
  const { screen } = await expectExit(2, 'report first --reviews empty')
  expect(screen).toContain('empty holds no run')
  await ask('unread')
  expect((await expectExit(0, 'report first --reviews unread')).screen).toContain('unread holds no reviews')
})

test('an invalid rating in results.csv is rejected with its line, and nothing is written', async () => {
  put('reviews.yaml', 'reviews: first/results.csv\n')
  await ask('broken', '--config reviews.yaml')
  expect(reviewed('broken')).toEqual(words)
  saveAsExcel('broken', { same: ['gut', ''], changed: ['poor', 'wrong price'] })
  const edited = readFileSync(at('broken/results.csv'))
  const { screen } = await expectExit(2, 'report broken')
  expect(screen).toMatch(/results\.csv:2: the rating "gut" must be one of good, /)
  expect(readFileSync(at('broken/results.csv')).equals(edited)).toBe(true)
  const reused = await ask('reused', '', 'broken/results.csv')
  expect(reused.screen).toMatch(/results\.csv:2: the rating "gut" must be .*; the cell is ignored/)
})

test('run --reviews carries reviews to unchanged answers and lists the changed ones', async () => {
  now = { ...answers, reworded: 'To return it you have 14 days.', changed: 'It costs 7 euros.' }
  const file = read('first/results.csv')
  const { screen } = await ask('next', '--reviews first/results.csv')
  expect(reviewed('next')).toEqual(unchanged)
  expect(read('next/report.html')).toContain('Needs review<span class="count">2</span>')
  expect(screen).toMatch(/Needs review \(2\)\n +reworded · was acceptable\n +changed · was good/)
  expect(read('first/results.csv')).toBe(file)
  // From here on the folder is enough: the file is not needed.
  const before = read('next/summary.json')
  await runLine('report next')
  expect(read('next/summary.json')).toBe(before)

  // The table no longer has their ratings; the reviews.csv beside it has.
  const after = await ask('last', '--reviews next/results.csv')
  expect(after.screen).toMatch(/Needs review \(2\)\n +reworded · was acceptable\n +changed · was good/)

  // A run folder gives all that it carries, and so does a baseline.
  await ask('from-folder', '--reviews next')
  await ask('from-baseline', '--baseline next')
  for (const run of ['from-folder', 'from-baseline']) {
    expect(reviewed(run)).toEqual(unchanged)
    expect(read(run, 'reviews.csv')).toBe(read('next', 'reviews.csv'))
  }

  // A results.csv that is used as a question set carries its own reviews, by answer.
  await ask('again', '', 'first/results.csv')
  expect(reviewed('again')).toEqual(unchanged)
})
