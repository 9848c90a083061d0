// The command line as typed: help, suggestions, what a sound set holds, and lines of progress where there is no terminal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DECLARATIONS } from '../../src/cli/declarations.ts'
import { checkThresholds } from '../../src/library/manifest.ts'
import { OPTIONS } from '../../src/library/option-table.ts'
import { holdAnswers, openEndpoint } from '../support/open-endpoint.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { KEY_ENV } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const rows = Array.from({ length: 14 }, (_, place) => `t${place % 2},Question ${place}?,tag`)
writeFileSync(join(folder, 'set.csv'), `thread,message,tags\n${rows.join('\n')}\n`)

test.each(Object.entries(DECLARATIONS))(
  'help of %s names every option, each with an example, and the exit codes',
  async (command, declaration) => {
    const { code, stdout } = await runProgram([command, '--help'], { cwd: folder })
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(code).toBe(0)
    const { options, unshown = [] } = declaration
    for (const name of options.filter((one) => !unshown.includes(one))) {
      expect(text).toContain(`--${name} `)
      expect(text).toContain(`e.g. ${OPTIONS[name].example}`)
    }
    expect(text).toContain('Exit codes: 0 passed')
  },
)

test('of the thresholds that help shows, run and load know each', () => {
  const shown = [...OPTIONS.threshold.example.matchAll(/'([^']+)'/g)].map(([, one = '']) => one)
  expect(shown.length).toBeGreaterThan(0)
  expect(() => checkThresholds(shown, 'load')).not.toThrow()
  expect(() => checkThresholds(shown, new Set())).not.toThrow()
})

test('load, which does not pace, shows no option of a pace', () => {
  expect(DECLARATIONS.load.options).not.toContain('concurrency')
  expect(DECLARATIONS.load.options).not.toContain('rate')
})

describe('a mistake is refused with the mend, and code 2', () => {
  test.each([
    [['', 'set.csv'], 'a command is missing; see assist-harness --help'],
    [['run', 'set.csv', '--Max-Calls', '3'], 'unknown option --Max-Calls; did you mean --max-calls?'],
    [['run', 'set.csv', '--foo-2bar', '3'], 'unknown option --foo-2bar'],
    [['sandbox', '--config', ''], '--config must not be empty'],
    [['run', 'set.csv', '--rate'], '--rate needs a value'],
    [['run', 'set.csv', '--rate', '5/s', '--rate', '6/s'], '--rate is given twice; give it once'],
    [['run', 'set.csv', '--timeout', '1000h'], '--timeout must be a time like 30s, 2m or 1h, up to 596h'],
    [['run', 'set.csv', '--json=maybe'], '--json is a flag: say --json, or --json=false'],
    [['run', 'set.csv', './set.csv', '--sandbox'], './set.csv is given twice; name each file once'],
    [['report', 'r1', 'r2'], 'unknown argument r2'],
    [['history', '.', 'Night-00', 'night-01'], 'unknown argument Night-00\nunknown argument night-01'],
    [['report', 'r1', '--', 'r2'], 'unknown argument r2'],
    [['report', 'r1', '--maxCalls', '3'], 'unknown option --maxCalls'],
    [['load', 'set.csv', '--retry-errors'], 'unknown option --retry-errors'],
    [
      ['compare', ' ', 'r1'],
      'compare was given an empty word; it needs the folders of two recorded runs at least, the baseline first',
    ],
    [
      ['history', '--', ''],
      'history was given an empty word; it needs the folder in which the run folders stand',
    ],
    [
      ['run', 'set.csv', '--max-calls', '1000000000000000'],
      '--max-calls must be a whole number from 1 to 999,999,999,999,999',
    ],
    [['run', 'set.csv', '--smaple', '3'], 'unknown option --smaple; did you mean --sample?'],
    [['report', '--'], 'report needs the folder of a recorded run: see assist-harness report --help'],
    [['history', '--', '-nights'], '-nights does not exist: name the folder that holds the run folders'],
    [['sandbox', 'here'], 'unknown argument here'],
    [['report', 'r1', 'json', '--sanbox'], 'unknown option --sanbox\nunknown argument json'],
    [['report', ''], 'report was given an empty word; it needs the folder of a recorded run'],
    [
      ['run', 'set.csv', '', '--sandbox'],
      'run was given an empty word; it needs the paths of question sets (CSV files)',
    ],
    [
      ['run', 'set.csv', '--quota', '1000000000000000'],
      '--quota must be a whole number from 1 to 999,999,999,999,999',
    ],
    [['run'], 'a question set is missing: name one or more CSV files'],
    [
      ['run', 'set.csv', '--sandbox', '--base-url', 'https://a.example.com'],
      '--base-url and --sandbox contradict each other; give one',
    ],
  ])('%j', async (words, message) => {
    const { code, stderr } = await runProgram(words, { cwd: folder })
    expect([code, stderr.trim()]).toEqual([2, message])
  })
})

test('the words are the same in every locale: what yargs would translate, too', async () => {
  const env = { LC_ALL: 'de_DE.UTF-8' }
  const refused = await runProgram(['run', 'set.csv', '--sanbox'], { cwd: folder, env })
  expect(refused.stderr.trim()).toBe('unknown option --sanbox; did you mean --sandbox?')
  const help = await runProgram(['--help'], { cwd: folder, env })
  expect(help.stdout).toContain('Show version number')
})

test('validate says what a sound set holds, also of a file named behind --', async () => {
  const { code, stdout } = await runProgram(['validate', '--', 'set.csv'], { cwd: folder })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^set\.csv +14 questions in 2 conversations$/m)
  expect(stdout).toMatch(/^ {2}Calls +14 +one a question; /m)
  expect(stdout).toMatch(/^ {2}Longest conversation +7 +questions$/m)
})

test('without a terminal progress is a line every few seconds; calls share one connection', async () => {
  const answers = holdAnswers()
  const endpoint = await openEndpoint((call) => call.number === 14 && answers.hold(call))
  const pace = ['--rate', '20/s', '--concurrency', '1']
  const running = startProgram(['run', 'set.csv', '--base-url', endpoint.url, ...pace, '--out', 'paced'], {
    cwd: folder,
    env: KEY_ENV,
  })
  await running.says(/^[█░]{12} 13\/14 · /m)
  answers.release()
  const { code, stderr } = await running.ended
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/^[█░]{12} \d+\/14 · 19\.8\/s · grounded 100\.0 % · 429s 0 · errors 0/m)
  expect(stderr).not.toContain('\u001b')
  expect(new Set(endpoint.calls.map(({ socket }) => socket)).size).toBe(1)
})
