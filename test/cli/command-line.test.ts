// Protects the command line: help, suggestions, the account of a valid set, and progress lines without a terminal.
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { renderHelp } from '../../src/cli/help.ts'
import { checkThresholds } from '../../src/library/judging.ts'
import { OPTIONS } from '../../src/library/option-table.ts'
import { optionEntries } from '../../src/library/options.ts'
import { asTyped } from '../../src/library/usage-error.ts'
import { holdAnswers, openEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const rows = Array.from({ length: 14 }, (_, place) => `t${place % 2},Question ${place}?,tag`)
const { start, runLine, expectExit } = openWorkspace({
  'set.csv': `thread,message,tags\n${rows.join('\n')}\n`,
})

describe.each(COMMANDS.map((command) => [command.name, command] as const))('help of %s', (name, command) => {
  const lines = renderHelp(command, OPTIONS, 80).split('\n')
  const options = optionEntries.filter(([, { commands }]) => commands.includes(name))

  test('fits two screens of 24 lines and 80 columns, and ends with the exit codes', async () => {
    const { code, stdout } = await runLine(`${name} --help`)
    expect([code, stdout.trimEnd().split('\n')]).toEqual([0, lines])
    expect(lines.length).toBeLessThanOrEqual(48)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.at(-2)).toMatch(/^Exit codes: 0 passed; /)
  })

  test('shows every option with an example value and its default', () => {
    const text = lines.join('\n').replaceAll(/\s+/g, ' ')
    const together = options.flatMap(([, option]) =>
      option.together === undefined ? [] : [option.together[0]],
    )
    for (const [option, { example, default: byDefault }] of options) {
      const [shown] = new RegExp(`${asTyped(option)}( '[^']*'| [^-]\\S*)?`).exec(example) ?? []
      expect(shown).toBeDefined()
      expect(text).toContain(shown)
      if (byDefault !== undefined && !together.includes(option))
        expect(text).toContain(`(default: ${byDefault})`)
    }
  })
})

test('rarely needed options come last in help, under Advanced', () => {
  const run = COMMANDS.find(({ name }) => name === 'run')
  const [, advanced = ''] = (run === undefined ? '' : renderHelp(run, OPTIONS, 80)).split('\nAdvanced:\n')
  for (const name of ['alpha', 'margin', 'min-overlap', 'on-ambiguous', 'hash-end-user-refs'])
    expect(advanced).toContain(`--${name} `)
})

test('--help works anywhere before --', async () => {
  const run = await runLine('run set.csv -h --sandbox')
  expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/^assist-harness run /)])
  const unknown = await runLine('rnu --help')
  expect([unknown.code, unknown.stderr.trim()]).toEqual([2, 'unknown command rnu; did you mean run?'])
  await expectExit(2, 'validate -- --help')
})

test('run and load accept every threshold that help shows', () => {
  const shown = [...OPTIONS.threshold.example.matchAll(/'([^']+)'/g)].map(([, one = '']) => one)
  expect(shown.length).toBeGreaterThan(0)
  expect(() => checkThresholds(shown, 'load')).not.toThrow()
  expect(() => checkThresholds(shown, new Set())).not.toThrow()
})

test('messages are English in every locale, those of yargs included', async () => {
  const env = { LC_ALL: 'de_DE.UTF-8' }
  const rejected = await runLine('run set.csv --sanbox', env)
  expect(rejected.stderr.trim()).toBe('unknown option --sanbox; did you mean --sandbox?')
  expect((await runLine('--help', env)).stdout).toContain('Show version number')
})

test('validate prints the account of a valid set, also of a file given after --', async () => {
  const { stdout } = await expectExit(0, 'validate -- set.csv')
  expect(stdout).toMatch(/^set\.csv +14 questions in 2 conversations$/m)
  expect(stdout).toMatch(/^ {2}Calls +14 +one per question, /m)
  expect(stdout).toMatch(/^ {2}Longest conversation +7 +questions$/m)
})

test('without a terminal, progress is a line every few seconds; calls share one connection', async () => {
  const answers = holdAnswers()
  const endpoint = await openEndpoint((call) => call.number === 14 && answers.hold(call))
  const running = start(
    `run set.csv --base-url ${endpoint.url} --rate 20/s --concurrency 1 --out paced`,
    KEY_ENV,
  )
  await running.waitForStderr(/^[█░]{12} 13\/14 · /m)
  answers.release()
  const { code, stderr } = await running.ended
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/^[█░]{12} \d+\/14 · 19\.8\/s · grounded 100\.0 % · 429s 0 · errors 0/m)
  expect(stderr).not.toContain('\u001b')
  expect(new Set(endpoint.calls.map(({ socket }) => socket)).size).toBe(1)
})
