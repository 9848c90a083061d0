// `compare` through the built program: what fails a comparison and what does not, over runs recorded without asking anybody.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answered, askedAs, onlyFirst, recordDay, unsure } from '../support/answered.ts'
import { comparesIn, idsOf } from '../support/compare-program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const { at, compare, candidate } = comparesIn(folder)
const contentsOf = (run: string): Record<string, string> =>
  Object.fromEntries(readdirSync(at(run)).map((name) => [name, readFileSync(join(at(run), name), 'utf8')]))

const reasonOf = (name: string, rule: string): string =>
  candidate(name).gates.find((gate) => gate.rule === rule)?.reason.text ?? ''

const COUNT = 40
recordDay(at('base'), 10, answered(COUNT))

describe.concurrent('compare', () => {
  test('says that nothing changed, where it wrote that, and what it would have seen; the runs stay as they are', async () => {
    recordDay(at('same'), 11, answered(COUNT))
    const before = [contentsOf('base'), contentsOf('same')]
    const { code, stderr, screen } = await compare('same', 'base', 'same')
    expect([code, stderr]).toEqual([0, ''])
    expect(screen).toMatch(/No question gained or lost its grounding, broke or was fixed\./)
    expect(screen).toMatch(/^ {2}Grounded +100\.0 % +100\.0 % +±0\.0 points .* \d+\.\d points$/m)
    expect(reasonOf('same', 'grounding')).toBe('grounded 100 % → 100 % (0 points over 40 questions)')
    expect(screen).toMatch(/^✓ Passed · every gate passed$/m)
    expect(screen).toContain(`  ${at('of-same')}/report.html\n  ${at('of-same')}/comparison.csv\n`)
    expect(screen).not.toContain('\u001b')
    expect([contentsOf('base'), contentsOf('same')]).toEqual(before)
    expect(readdirSync(at('of-same')).toSorted()).toEqual([
      'comparison.csv',
      'comparison.json',
      'comparison.md',
      'report.html',
    ])
  })

  test('fails on a significant loss, with its reason', async () => {
    recordDay(at('worse'), 11, answered(COUNT, onlyFirst(12, { came: unsure })))
    const { code, screen } = await compare('worse', 'base', 'worse')
    expect(code, screen).toBe(1)
    expect(screen).toMatch(
      /^✗ Failed · grounded\s+100 % → 70 % \(-30\s+points\s+over\s+40\s+questions\):\s+more\s+than\s+the\s+margin/m,
    )
    const worse = candidate('worse')
    const lost = Array.from({ length: 12 }, (_, number) => `q${number}`)
    expect([idsOf(worse, 'groundingLost'), idsOf(worse, 'passToFail')]).toEqual([lost, lost])
    expect(worse.gates.map(({ rule, passed }) => [rule, passed])).toEqual([
      ['must-pass', true],
      ['grounding', false],
      ['verdicts', false],
    ])
  })

  test('a loss within the margin or the noise passes, and so does one beyond them that --margin or --alpha allows', async () => {
    recordDay(at('few'), 11, answered(COUNT, onlyFirst(4, { came: unsure })))
    const { code, screen } = await compare('few', 'base', 'few')
    expect([code, screen]).toEqual([0, expect.stringMatching(/^✓ Passed · every gate passed$/m)])
    expect(reasonOf('few', 'grounding')).toMatch(/^grounded 100 % → 90 % .*: within noise/)
    recordDay(at('some'), 11, answered(COUNT, onlyFirst(9, { came: unsure })))
    const [usual, wide, strict] = [
      await compare('some', 'base', 'some'),
      await compare('some-wide', 'base', 'some', '--margin', '30'),
      await compare('some-strict', 'base', 'some', '--alpha', '0.001'),
    ]
    expect([usual.code, wide.code, strict.code]).toEqual([1, 0, 0])
    expect(reasonOf('some-wide', 'grounding')).toMatch(/within the margin of 30 points/)
  })

  test('a must_pass question that newly fails is enough, and so is any with --fail-on newly-failing', async () => {
    const question = askedAs(3, { mustPass: true })
    const only3 =
      (more: object) =>
      (number: number): object =>
        number === 3 ? { question, ...more } : {}
    recordDay(at('must-base'), 10, answered(COUNT, only3({})))
    recordDay(at('must-worse'), 11, answered(COUNT, only3({ came: unsure })))
    const worse = await compare('must-worse', 'must-base', 'must-worse')
    expect(worse.code, worse.screen).toBe(1)
    expect(worse.screen).toMatch(/^✗ Failed · must_pass questions newly failing: q3$/m)
    expect(readFileSync(join(at('of-must-worse'), 'comparison.md'), 'utf8')).toMatch(
      /^- message of q3 — .* — does not contain 'portal'/m,
    )
    const any = await compare('must-any', 'base', 'must-worse', '--fail-on', 'newly-failing')
    expect(any.code).toBe(1)
    expect(any.screen).toMatch(/^✗ Failed · newly failing: q3$/m)
    expect((await compare('any-same', 'must-base', 'base', '--fail-on', 'newly-failing')).code).toBe(0)
  })

  test('timeouts instead of answers are availability, and fail only where that is asked for', async () => {
    recordDay(at('timeouts'), 11, answered(COUNT, onlyFirst(12, { came: 'timeout' })))
    const { code, screen } = await compare('timeouts', 'base', 'timeouts')
    expect(code, screen).toBe(0)
    expect(screen).toMatch(/^ {2}No answer now +12$/m)
    expect(screen).toMatch(/^! questions that no longer get an answer: 12\. [^]*--fail-on\s+availability/m)
    const { counts } = candidate('timeouts')
    expect([counts.groundingLost, counts.passToFail, counts.answerToError]).toEqual([0, 0, 12])
    const gated = await compare('timeouts-gated', 'base', 'timeouts', '--fail-on', 'availability')
    expect(gated.code).toBe(1)
    expect(gated.screen).toMatch(/^✗ Failed · answered 100 % → 70 %/m)
  })

  test('a candidate that ended half-way is not green for the few answers that it has', async () => {
    const turns = answered(COUNT, (number) => (number > 12 ? { came: 'notAsked' } : undefined))
    const stop = { kind: 'budget', maxCalls: 13 } as const
    recordDay(at('half'), 11, turns, { state: 'incomplete', stop })
    const { code, screen } = await compare('half', 'base', 'half')
    expect(code, screen).toBe(1)
    expect(screen).toMatch(/^✗ Failed · too few answers to judge grounded: 13 of the 40\s+questions/m)
    expect(screen).toMatch(/^! half is incomplete: questions without an outcome are not compared$/m)
  })

  test('--history names the questions that changed grounding before, and decides nothing', async () => {
    const unsureOf = (count: number) => answered(COUNT, onlyFirst(count, { came: unsure }))
    for (const day of [3, 5, 7]) recordDay(at(`reports/day-${day}`), day, unsureOf(day === 5 ? 0 : 3))
    recordDay(at('moved'), 11, unsureOf(7))
    const without = await compare('moved', 'base', 'moved')
    const ended = await compare('moved-known', 'base', 'moved', '--history', 'reports')
    expect(ended.code).toBe(without.code)
    expect(candidate('moved-known').gates).toEqual(candidate('moved').gates)
    expect(ended.screen.replaceAll(/\n {2,}/g, ' ')).toMatch(
      /^! changed grounding in earlier runs, too: \w+, \w+, \w+$/m,
    )
    expect((await compare('none', 'base', 'moved', '--history', 'nowhere')).code).toBe(2)
  })
})
