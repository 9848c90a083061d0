// The command line as typed: help, suggestions, what a sound set holds, and lines of progress where there is no terminal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DECLARATIONS } from '../../src/cli/declarations.ts'
import { checkThresholds } from '../../src/library/manifest.ts'
import { OPTIONS } from '../../src/library/option-table.ts'
import { holdAnswers, openEndpoint } from '../support/endpoint.ts'
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
