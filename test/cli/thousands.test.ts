// Counts as people read them: thousands apart wherever a command says one; what can be pasted stays plain.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot, runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const rows = Array.from(
  { length: 2600 },
  (_, place) =>
    `t${Math.floor(place / 2)},Question ${place.toString(36)}?,${place < 1300 ? 'vpn' : 'phone'},nothing`,
)
writeFileSync(join(folder, 'failing.csv'), `thread,message,tags,expect_source\n${rows.join('\n')}\n`)
writeFileSync(
  join(folder, 'set.csv'),
  `thread,message,tags\n${rows.map((row) => row.replace(',nothing', '')).join('\n')}\n`,
)
const go = async (...words: readonly string[]): Promise<Ended> => runProgram(words, { cwd: folder })

/** Lines with a number of four digits or more written in one: not of an option's value, a time, a year or an address. */
const plainIn = (text: string): string[] =>
  text
    .replaceAll(/--[a-z-]+ \d+|127\.0\.0\.1:\d+|\d{4}-\d\d/g, '')
    .replaceAll(/ \d{4} until then/g, '')
    .split('\n')
    .filter((line) => /(?<![\d.,\w-])\d{4,}/.test(line))

test(
  'estimate, validate, run, merge, load, compare and history write thousands in one way',
  { timeout: 120_000 },
  async () => {
    const quick = ['--sandbox', '--rate', 'unlimited', '--allow-errors', '100%'] as const
    const said = [
      await go('validate', 'set.csv'),
      await go('estimate', 'set.csv', '--quota', '10000', '--repeat', '3', '--max-calls', '5000'),
      await go('run', 'failing.csv', ...quick, '--quota', '10000', '--max-calls', '1100', '--out', 'cut'),
      await go('run', 'set.csv', ...quick, '--out', 'nights/a'),
      await go('run', 'set.csv', ...quick, '--out', 'nights/b', '--baseline', 'nights/a'),
      await go('run', 'set.csv', ...quick, '--shard', '1/2', '--out', 'part'),
      await go('merge', 'part', '--partial', '--out', 'joined'),
      await go(
        'load',
        'set.csv',
        '--sandbox',
        '--users',
        '20',
        '--duration',
        '5s',
        '--max-calls',
        '1200',
        '--out',
        'load',
      ),
      await go('compare', 'nights/a', 'nights/b', '--out', 'compared'),
      await go('history', 'nights'),
    ]
    for (const { stderr } of said) expect(plainIn(stderr), stderr).toEqual([])
    const all = said.map(({ stderr }) => stderr)
    expect(all[0]).toContain('2,600 in 1,300 threads')
    expect(all[0]).toContain('phone 1,300, vpn 1,300')
    expect(all[1]).toContain('7,800 if nothing fails')
    expect(all[2]).toContain('the call budget of 1,100 is used up; 1,500 turns have no outcome')
    expect(all[2]).toContain('Failed expectations (1,100):')
    // To be pasted.
    expect(all[2]).toMatch(/--max-calls \d{4}/)
    expect(all[4]).toContain('2,600 questions')
  },
)

test("the README's estimate is what the program prints", async () => {
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
  const [, sample = ''] = /^```\n(Set {7}datasets\/quickstart\.csv[^]*?)^```$/m.exec(readme) ?? []
  expect(sample).not.toBe('')
  const words = ['estimate', 'datasets/quickstart.csv', '--quota', '10000', '--rate', '60/min']
  const { stderr } = await runProgram(words, { cwd: projectRoot })
  expect(stderr.slice(0, sample.length)).toBe(sample)
})
