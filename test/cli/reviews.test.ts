// People's verdicts through the built program: filled in as in a spreadsheet, kept, carried, and asked for again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerJson, goodReply, startEndpoint, type TestEndpoint } from '../support/endpoint.ts'
import { readResults, readSummary, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const out = join(folder, 'first')
const long = 'word '.repeat(8000)
const answers = {
  same: '=Yes → you may.\r\nAsk at the desk.',
  reworded: 'You have 14 days to return it.',
  changed: 'It costs 5 euros.',
  long,
  new: 'Nobody looked at this.',
}
let now: Record<string, string> = answers
let endpoint: TestEndpoint
/** Called with each call. */
let look: (() => void) | undefined
const read = (name: string, run = out): string => readFileSync(join(run, name), 'utf8')
const go = async (...words: readonly string[]): Promise<Ended> =>
  runProgram(words, { cwd: folder, env: { ASSIST_API_KEY: 'a-key-of-a-test' } })
const ask = async (to: string, ...more: readonly string[]): Promise<Ended> =>
  go('run', 'set.csv', '--base-url', endpoint.url, '--rate', 'unlimited', '--out', join(folder, to), ...more)
const reviewed = (run = out): string[][] =>
  readResults(run).map(({ id = '', review = '', note = '' }) => [id, review, note])

/** As Excel saves "CSV" in German: semicolons, Windows-1252, cells cut, lost signs as question marks. */
function saveAsExcel(
  run: string,
  said: Readonly<Record<string, readonly [review: string, note: string]>>,
): void {
  const rows = readResults(run).map((row) => {
    const [review, note] = said[row['id'] ?? ''] ?? [row['review'] ?? '', row['note'] ?? '']
    return { ...row, answer: (row['answer'] ?? '').slice(0, 32_767), review, note }
  })
  const text = stringify(rows, { header: true, delimiter: ';', record_delimiter: '\r\n' })
  writeFileSync(join(run, 'results.csv'), Buffer.from(text.replaceAll('→', '?'), 'latin1'))
}

beforeAll(async () => {
  endpoint = await startEndpoint((call) => {
    look?.()
    return answerJson(call, 200, { ...goodReply(call), message: now[call.body.message] ?? '' })
  })
  const ids = Object.keys(answers)
  writeFileSync(join(folder, 'set.csv'), `id,message\n${ids.map((id) => `${id},${id}\n`).join('')}`)
  const { code, screen } = await ask('first')
  expect([code, screen]).toEqual([0, expect.not.stringMatching(/review/i)])
  saveAsExcel(out, {
    same: ['GOOD', 'clear'],
    reworded: ['acceptable', ''],
    changed: ['good', ''],
    long: ['poor', 'far too long'],
  })
})
afterAll(async () => endpoint.close())

const words = [
  ['same', 'good', 'clear'],
  ['reworded', 'acceptable', ''],
  ['changed', 'good', ''],
  ['long', 'poor', 'far too long'],
  ['new', '', ''],
]

/** What is left of them where the answers to two questions are other texts. */
const unchanged = words.map((row) => (row[0] === 'changed' || row[0] === 'reworded' ? [row[0], '', ''] : row))

describe('reviews in results.csv', () => {
  test('are kept when the reports are written again, to the byte', async () => {
    const { code, screen } = await go('report', out)
    expect(code, screen).toBe(0)
    expect(reviewed()).toEqual(words)
    expect(readSummary(out).reviews).toEqual({
      reviewed: 4,
      good: 2,
      acceptable: 1,
      poor: 1,
      changed: 0,
      new: 1,
    })
    expect(read('report.html')).toMatch(/Answers reviewed.*?>4</)
    const before = ['results.csv', 'reviews.csv', 'summary.json', 'summary.md'].map((name) => read(name))
    await go('report', out)
    expect(['results.csv', 'reviews.csv', 'summary.json', 'summary.md'].map((name) => read(name))).toEqual(
      before,
    )
  })

  test('of a table that an edit broke are rejected with the line; nothing is written', async () => {
    const run = join(folder, 'broken')
    writeFileSync(join(folder, 'reviews.yaml'), `reviews: ${JSON.stringify(join(out, 'results.csv'))}\n`)
    await ask('broken', '--config', 'reviews.yaml')
    expect(reviewed(run)).toEqual(words)
    saveAsExcel(run, { same: ['gut', ''], changed: ['poor', 'wrong price'] })
    const edited = readFileSync(join(run, 'results.csv'))
    const { code, screen } = await go('report', run)
    expect([code, screen]).toEqual([
      2,
      expect.stringMatching(/results\.csv:2: the rating "gut" must be one of good, /),
    ])
    expect(readFileSync(join(run, 'results.csv')).equals(edited)).toBe(true)
  })
})

describe('run --reviews', () => {
  test('carries what still holds, and lists the changed before the new', async () => {
    now = { ...answers, reworded: 'To return it you have 14 days.', changed: 'It costs 7 euros.' }
    const next = join(folder, 'next')
    const file = read('results.csv')
    const wereThere = new Set<boolean>()
    look = () => wereThere.add(existsSync(join(next, 'reviews.csv')))
    const { code, screen } = await ask('next', '--reviews', join(out, 'results.csv'))
    expect(code, screen).toBe(0)
    expect(reviewed(next)).toEqual(unchanged)
    expect(readFileSync(join(next, 'report.html'), 'utf8')).toContain('Changed since their review')
    expect(screen).toMatch(/Needs review\n +reworded · was acceptable\n +changed · was good/)
    expect(read('results.csv')).toBe(file)
    // Before the first call: a process that is killed has not lost them.
    expect([...wereThere]).toEqual([true])
    // The folder alone is enough from here on, whatever becomes of the file.
    const summary = read('summary.json', next)
    await go('report', next)
    expect(read('summary.json', next)).toBe(summary)
  })

  test('also carries those of a results.csv that is asked again, each by its answer', async () => {
    const run = join(folder, 'again')
    await go('run', join(out, 'results.csv'), '--base-url', endpoint.url, '--rate', 'unlimited', '--out', run)
    expect(reviewed(run)).toEqual(unchanged)
  })

  test('refuses a faulty file before the first call, and report before it writes', async () => {
    writeFileSync(join(folder, 'faulty.csv'), 'id;answer;review\nsame;x;akzeptabel\n')
    const calls = endpoint.calls.length
    const results = read('results.csv')
    for (const ended of [
      await ask('never', '--reviews', 'faulty.csv'),
      await go('report', out, '--reviews', 'faulty.csv'),
    ])
      expect([ended.code, ended.screen]).toEqual([
        2,
        expect.stringMatching(
          /^faulty\.csv:2: the rating "akzeptabel" must be one of good, acceptable, poor/,
        ),
      ])
    expect([endpoint.calls.length, existsSync(join(folder, 'never')), read('results.csv')]).toEqual([
      calls,
      false,
      results,
    ])
  })
})
