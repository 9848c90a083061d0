// Protects `compare` of the built program over made-up runs: when it fails, what it prints, and what it writes.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  groundedTurns,
  numberedQuestion,
  groundedAnswer,
  idsOf,
  changeFirst,
  readComparison,
  recordRunOn,
  ungrounded,
} from '../support/runs-to-compare.ts'
import { openWorkspace } from '../support/workspace.ts'

const { at, read, rows, expectExit } = openWorkspace()
const contentsOf = (run: string) => readdirSync(at(run)).map((name) => [name, read(run, name)])
/** Compares into the folder `of-NAME` and expects that exit code. Returns the output and the comparison with the first candidate. */
async function compare(code: number, name: string, words: string) {
  const ended = await expectExit(code, `compare ${words} --out of-${name}`)
  const candidate = code === 2 ? undefined : readComparison(at(`of-${name}`)).candidates[0]
  const reasonOf = (rule: string) => candidate?.gates.find((gate) => gate.rule === rule)?.reason.text
  return { ...ended, candidate, reasonOf }
}

const COUNT = 40
recordRunOn(at('base'), 10, groundedTurns(COUNT))
const changed = changeFirst(2, { result: groundedAnswer('Open the portal within 10 days.') })
recordRunOn(at('changed'), 11, groundedTurns(COUNT, changed))

const HOSTILE = '\u001b[31m<script>alert(1)</script> | `x` [a](javascript:b) @team ::error::x\n::warning::y'
const FORMULA = '=HYPERLINK("https://x.example")'

const recordUnsure = (name: string, count: number, day = 11): void =>
  recordRunOn(at(name), day, groundedTurns(COUNT, changeFirst(count, { result: ungrounded })))

describe.concurrent('compare', () => {
  test('reports that nothing changed, its files and the detectable drop, and leaves the runs as they are', async () => {
    recordRunOn(at('same'), 11, groundedTurns(COUNT))
    const before = [contentsOf('base'), contentsOf('same')]
    const { stderr, screen, reasonOf } = await compare(0, 'same', 'base same')
    expect(stderr).toBe('')
    expect(screen).toMatch(/No question changed its grounding or its result, and no fact changed\./)
    expect(screen).toMatch(/^ {2}Grounded +100\.0 % +100\.0 % +±0\.0 points .* \d+\.\d points$/m)
    expect(reasonOf('grounding')).toBe('grounded 100 % → 100 % (0 points over 40 questions)')
    expect(screen).toMatch(/^✓ Passed · every gate passed$/m)
    expect(screen).toContain('  of-same/report.html\n  of-same/comparison.csv\n')
    expect(screen).not.toContain('\u001b')
    expect([contentsOf('base'), contentsOf('same')]).toEqual(before)
    expect(readdirSync(at('of-same')).toSorted().join(' ')).toBe(
      'comparison.csv comparison.json comparison.md report.html',
    )
  })

  test('fails on a significant loss and prints the reason', async () => {
    recordUnsure('worse', 12)
    const { screen, candidate: worse } = await compare(1, 'worse', 'base worse')
    expect(screen).toMatch(
      /^✗ Failed · grounded\s+100 % → 70 % \(-30\s+points\s+over\s+40\s+questions\):\s+more\s+than\s+the\s+margin/m,
    )
    if (worse === undefined) throw new Error('no candidate')
    const lost = Array.from({ length: 12 }, (_, number) => `q${number}`)
    expect([idsOf(worse, 'groundingLost'), idsOf(worse, 'passToFail')]).toEqual([lost, lost])
    expect(worse.gates.map(({ rule, passed }) => [rule, passed])).toEqual([
      ['must-pass', true],
      ['grounding', false],
      ['verdicts', false],
    ])
  })

  test.each<[string, number, string, number, RegExp]>([
    ['the noise', 4, '', 0, /^grounded 100 % → 90 % .*: within noise/],
    ['nothing', 9, '', 1, /more than the margin/],
    ['the margin', 9, '--margin 30', 0, /within the margin of 30 points/],
    ['alpha', 9, '--alpha 0.001', 0, /^grounded 100 % → 77\.5 % .*: within noise/],
  ])('a loss within %s: %d questions %s', async (within, count, words, expected, reason) => {
    const name = within.replace('the ', '')
    recordUnsure(name, count)
    const { screen, reasonOf } = await compare(expected, name, `base ${name} ${words}`)
    if (expected === 0) expect(screen).toMatch(/^✓ Passed · every gate passed$/m)
    expect(reasonOf('grounding')).toMatch(reason)
  })

  test('fails on one newly failing must_pass question, and on any with --fail-on newly-failing', async () => {
    const question = numberedQuestion(3, { mustPass: true })
    const only3 = (more: object) =>
      groundedTurns(COUNT, (number) => (number === 3 ? { question, ...more } : undefined))
    recordRunOn(at('must-base'), 10, only3({}))
    recordRunOn(at('must-worse'), 11, only3({ result: ungrounded }))
    const worse = await compare(1, 'must-worse', 'must-base must-worse')
    expect(worse.screen).toMatch(/^✗ Failed · must_pass questions newly failing: q3$/m)
    expect(read('of-must-worse/comparison.md')).toMatch(/^- message of q3 — .* — does not contain 'portal'/m)
    const any = await compare(1, 'must-any', 'base must-worse --fail-on newly-failing')
    expect(any.screen).toMatch(/^✗ Failed · newly failing: q3$/m)
    await compare(0, 'any-same', 'must-base base --fail-on newly-failing')
  })

  test('counts timeouts instead of answers as availability, and fails on them only with --fail-on availability', async () => {
    recordRunOn(at('timeouts'), 11, groundedTurns(COUNT, changeFirst(12, { result: 'timeout' })))
    const { screen, candidate } = await compare(0, 'timeouts', 'base timeouts')
    expect(screen).toMatch(/^ {2}No answer now +12$/m)
    expect(screen).toMatch(
      /^! Questions that no longer get an answer: 12\. [^]*Add\s+availability to --fail-on/m,
    )
    expect(candidate?.counts).toMatchObject({ groundingLost: 0, passToFail: 0, answerToError: 12 })
    const gated = await compare(1, 'timeouts-gated', 'base timeouts --fail-on availability')
    expect(gated.screen).toMatch(/^✗ Failed · answered 100 % → 70 %/m)
  })

  test('fails if the baseline or the candidate is incomplete and has too few answers', async () => {
    const turns = groundedTurns(COUNT, (number) => (number > 12 ? { result: 'notSent' } : undefined))
    const stop = { kind: 'budget', maxCalls: 13 } as const
    recordRunOn(at('half'), 11, turns, { state: 'incomplete', stop })
    const { screen } = await compare(1, 'half', 'base half')
    expect(screen).toMatch(/^✗ Failed · too few answers to judge grounded: 13 of the 40\s+questions/m)
    expect(screen).toMatch(/^! half is incomplete\. Questions without an outcome are not compared\.$/m)
    const turned = await compare(1, 'half-first', 'half base')
    expect(turned.screen).toContain('judge grounded: 13 of the 40')
  })

  test('lists with --history the questions that changed grounding before, and does not change the gates', async () => {
    for (const day of [3, 5, 7]) recordUnsure(`reports/day-${day}`, day === 5 ? 0 : 3, day)
    recordUnsure('moved', 7)
    const without = await compare(1, 'moved', 'base moved')
    const known = await compare(1, 'moved-known', 'base moved --history reports')
    expect(known.candidate?.gates).toEqual(without.candidate?.gates)
    expect(known.screen.replaceAll(/\n {2,}/g, ' ')).toMatch(
      /^! Changed grounding in earlier runs, too: \w+, \w+, \w+$/m,
    )
    await compare(2, 'none', 'base moved --history nowhere')
  })

  test('prints comparison.json with --json, and appends its Markdown to the step summary', async () => {
    const env = { GITHUB_STEP_SUMMARY: at('step.md'), GITHUB_ACTIONS: 'true' }
    const { stdout } = await expectExit(0, 'compare base changed --out json --json', env)
    expect(stdout).toBe(read('json', 'comparison.json'))
    expect(read('step.md')).toBe(`\n${read('json', 'comparison.md')}`)
    const [only] = readComparison(at('json')).candidates
    expect(only?.changes.map(({ id, kinds, factsLost }) => [id, kinds, factsLost[1]?.text])).toEqual([
      ['q0', ['factsChanged'], '14 days'],
      ['q1', ['factsChanged'], '14 days'],
    ])
  })

  test('writes into reports/ by default, and for Excel with --excel', async () => {
    const { screen } = await expectExit(0, 'compare base changed --excel')
    const [, table = ''] = /^ *(reports\/[\dTZ-]+-compare-changed\/comparison\.csv)$/m.exec(screen) ?? []
    expect(read(table)).toMatch(/^\ufeffid,thread,turn,/)
    expect(rows(table)).toHaveLength(COUNT)
  })

  test('makes hostile answers harmless on the screen, in Markdown and in the table', async () => {
    const hostile = [HOSTILE, FORMULA].map((text) => ({ answer: text, source: text }))
    const turns = groundedTurns(COUNT, (number) =>
      hostile[number] === undefined ? {} : { result: hostile[number] },
    )
    recordRunOn(at('hostile'), 11, turns, { target: { name: HOSTILE } })
    const { screen } = await expectExit(0, 'compare base hostile --out of-hostile')
    // oxlint-disable-next-line no-control-regex
    expect(screen).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^(?:=|::)/m)
    const markdown = read('of-hostile', 'comparison.md')
    expect(markdown).not.toMatch(/<script|[^\\]\]\(javascript|(?:^|\s)@team/)
    expect(markdown).not.toContain('\u001b')
    const table = rows('of-hostile/comparison.csv')
    expect(table.slice(0, 2).map((row) => row['candidate_answer'])).toEqual([
      HOSTILE.replace('\u001b', '␛'),
      `'${FORMULA}`,
    ])
    expect(table.flatMap((row) => Object.values(row)).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
  })
})
