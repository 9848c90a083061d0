// What `compare` writes, through the built program: for programs, for spreadsheets, for GitHub, and for the next review.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, test } from 'vitest'
import { answered, fromArticle, onlyFirst, readComparison, recordDay, unsure } from '../support/answered.ts'
import { runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const at = (...names: readonly string[]): string => join(folder, ...names)
const read = (...names: readonly string[]): string => readFileSync(at(...names), 'utf8')
const compare = async (
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => runProgram(['compare', ...words], { cwd: folder, env })
const rowsOf = (file: string): Record<string, string>[] => parse(read(file), { columns: true, bom: true })
/** As an editor who fills in `review`, by question id. */
function review(file: string, said: Readonly<Record<string, string>>): void {
  const rows = rowsOf(file).map((row) => ({ ...row, review: said[row['id'] ?? ''] ?? row['review'] }))
  writeFileSync(at(file), stringify(rows, { header: true }))
}
const reviewsOf = (file: string): unknown[] =>
  rowsOf(file)
    .filter(({ review: word }) => word !== '')
    .map(({ id, review: word }) => [id, word])

recordDay(at('base'), 10, answered(10))
const changed = onlyFirst(2, { came: fromArticle('Open the portal within 10 days.') })
recordDay(at('changed'), 11, answered(10, changed))

const HOSTILE = '\u001b[31m<script>alert(1)</script> | `x` [a](javascript:b) @team ::error::x\n::warning::y'
const FORMULA = '=HYPERLINK("https://x.example")'

describe.concurrent('compare', () => {
  test('prints comparison.json on stdout with --json, and appends its Markdown to the summary of a step', async () => {
    const env = { GITHUB_STEP_SUMMARY: at('step.md'), GITHUB_ACTIONS: 'true' }
    const { code, stdout } = await compare(['base', 'changed', '--out', 'json', '--json'], env)
    expect(code).toBe(0)
    expect(stdout).toBe(read('json', 'comparison.json'))
    expect(read('step.md')).toBe(read('json', 'comparison.md'))
    const [only] = readComparison(at('json')).candidates
    expect(only?.changes.map(({ id, kinds, factsLost }) => [id, kinds, factsLost[1]?.text])).toEqual([
      ['q0', ['factsChanged'], '14 days'],
      ['q1', ['factsChanged'], '14 days'],
    ])
  })

  test('writes into reports unless it was said, and for Excel where that was', async () => {
    const { screen } = await compare(['base', 'changed', '--excel'])
    const [, table = ''] = /^ *(reports\/[\dTZ-]+-compare-changed\/comparison\.csv)$/m.exec(screen) ?? []
    expect(read(table)).toMatch(/^\ufeffid,thread,turn,/)
    expect(rowsOf(table)).toHaveLength(10)
  })

  test('answers of the worst kind stay harmless on the screen, in Markdown and in the table', async () => {
    const came = [HOSTILE, FORMULA].map((text) => ({ answer: text, source: text }))
    const turns = answered(10, (number) => (came[number] === undefined ? {} : { came: came[number] }))
    recordDay(at('hostile'), 11, turns, { target: { name: HOSTILE } })
    const { code, screen } = await compare(['base', 'hostile', '--out', 'of-hostile'])
    expect(code).toBe(0)
    // oxlint-disable-next-line no-control-regex
    expect(screen).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^(?:=|::)/m)
    const markdown = read('of-hostile', 'comparison.md')
    expect(markdown).not.toMatch(/<script|[^\\]\]\(javascript|(?:^|\s)@team/)
    expect(markdown).not.toContain('\u001b')
    const rows = rowsOf('of-hostile/comparison.csv')
    expect(rows.slice(0, 2).map((row) => row['candidate_answer'])).toEqual([
      HOSTILE.replace('\u001b', '␛'),
      `'${FORMULA}`,
    ])
    expect(rows.flatMap((row) => Object.values(row)).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
  })

  test('shows reviews of files, keeps what was written into its table since, and rejects a table that an edit broke', async () => {
    const answer = 'Open the portal, item 5, within 14 days.'
    writeFileSync(
      at('reviews.csv'),
      stringify([
        ['id', 'answer', 'review', 'note'],
        ['q0', 'Open the portal, item 0, within 14 days.', 'good', ''],
        ['q5', answer, 'good', 'clear'],
      ]),
    )
    const words = ['base', 'changed', '--out', 'of-reviews']
    const first = await compare([...words, '--reviews', 'reviews.csv'])
    expect(first.code, first.screen).toBe(0)
    // The answer to q0 has changed since: its review must not stand beside the new one.
    expect(reviewsOf('of-reviews/comparison.csv')).toEqual([['q5', 'good']])
    review('of-reviews/comparison.csv', { q0: 'poor' })
    await compare([...words, '--reviews', 'reviews.csv'])
    expect(reviewsOf('of-reviews/comparison.csv')).toEqual([
      ['q0', 'poor'],
      ['q5', 'good'],
    ])
    review('of-reviews/comparison.csv', { q0: 'schlecht', q5: 'schlecht' })
    const edited = read('of-reviews', 'comparison.csv')
    const broken = await compare(words)
    expect([broken.code, broken.screen]).toEqual([
      2,
      expect.stringMatching(/^of-reviews\/comparison\.csv:2: .*schlecht/m),
    ])
    expect(read('of-reviews', 'comparison.csv')).toBe(edited)
  })

  test('of several candidates each has its table, and keeps its reviews', async () => {
    recordDay(at('later'), 12, answered(10, onlyFirst(1, { came: unsure })))
    const words = ['base', 'changed', 'later', '--out', 'of-several', '--fail-on', 'none']
    const { code, screen } = await compare(words)
    expect(code, screen).toBe(0)
    const tables = ['of-several/comparison-1-changed.csv', 'of-several/comparison-2-later.csv'] as const
    for (const table of tables) expect(screen).toContain(`  ${table}\n`)
    review(tables[0], { q1: 'poor' })
    review(tables[1], { q0: 'acceptable' })
    await compare(words)
    expect(reviewsOf(tables[0])).toEqual([['q1', 'poor']])
    expect(reviewsOf(tables[1])).toEqual([['q0', 'acceptable']])
  })
})
