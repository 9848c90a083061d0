// What `compare` writes, through the built program: for programs, for spreadsheets, and for GitHub.
import { describe, expect, test } from 'vitest'
import { answered, fromArticle, onlyFirst, readComparison, recordDay } from '../support/answered.ts'
import { openWorkplace } from '../support/workplace.ts'

const { at, read, rows: rowsOf, type, exits } = openWorkplace()
recordDay(at('base'), 10, answered(10))
const changed = onlyFirst(2, { came: fromArticle('Open the portal within 10 days.') })
recordDay(at('changed'), 11, answered(10, changed))

const HOSTILE = '\u001b[31m<script>alert(1)</script> | `x` [a](javascript:b) @team ::error::x\n::warning::y'
const FORMULA = '=HYPERLINK("https://x.example")'

describe.concurrent('compare', () => {
  test('prints comparison.json on stdout with --json, and appends its Markdown to the summary of a step', async () => {
    const env = { GITHUB_STEP_SUMMARY: at('step.md'), GITHUB_ACTIONS: 'true' }
    const { stdout } = await exits(0, 'compare base changed --out json --json', env)
    expect(stdout).toBe(read('json', 'comparison.json'))
    expect(read('step.md')).toBe(`\n${read('json', 'comparison.md')}`)
    const [only] = readComparison(at('json')).candidates
    expect(only?.changes.map(({ id, kinds, factsLost }) => [id, kinds, factsLost[1]?.text])).toEqual([
      ['q0', ['factsChanged'], '14 days'],
      ['q1', ['factsChanged'], '14 days'],
    ])
  })

  test('writes into reports unless it was said, and for Excel where that was', async () => {
    const { screen } = await type('compare base changed --excel')
    const [, table = ''] = /^ *(reports\/[\dTZ-]+-compare-changed\/comparison\.csv)$/m.exec(screen) ?? []
    expect(read(table)).toMatch(/^\ufeffid,thread,turn,/)
    expect(rowsOf(table)).toHaveLength(10)
  })

  test('answers of the worst kind stay harmless on the screen, in Markdown and in the table', async () => {
    const came = [HOSTILE, FORMULA].map((text) => ({ answer: text, source: text }))
    const turns = answered(10, (number) => (came[number] === undefined ? {} : { came: came[number] }))
    recordDay(at('hostile'), 11, turns, { target: { name: HOSTILE } })
    const { screen } = await exits(0, 'compare base hostile --out of-hostile')
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
})
