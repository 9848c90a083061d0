// Protects help, and progress lines without a terminal.
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { checkThresholds } from '../../src/library/judging.ts'
import { shows } from '../../src/options/commands.ts'
import { OPTIONS } from '../../src/options/table.ts'
import { optionEntries, shownDefault } from '../../src/options/table.ts'
import { asTyped } from '../../src/options/faults.ts'
import { holdAnswers, openEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { openWorkspace } from '../support/workspace.ts'

const rows = Array.from({ length: 14 }, (_, place) => `t${place % 2},Question ${place}?,tag`)
const { start, expectExit } = openWorkspace({
  'set.csv': `thread,message,tags\n${rows.join('\n')}\n`,
})

describe.each(COMMANDS.map((command) => [command.name] as const))('help of %s', (name) => {
  test('fits 80 columns, shows every option with a value and its default, and ends with the exit codes', async () => {
    const { stdout } = await expectExit(0, `${name} --help`)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    const text = stdout.replaceAll(/\s+/g, ' ')
    for (const [key, option] of optionEntries) {
      const { example = '' } = option
      if (!shows(name, key)) continue
      const [, value = ''] = new RegExp(`${asTyped(key)} ('[^']*'|[^-]\\S*)`).exec(example) ?? []
      expect(text).toContain(` ${asTyped(key)} `)
      expect(text).toContain(value)
      const shown = shownDefault(option)
      if (shown !== undefined) expect(text).toContain(`[default: ${shown}]`)
    }
    expect(text).toContain('Exit codes: 0 passed; ')
  })
})

test('run and load accept every threshold that help shows', () => {
  const shown = [...OPTIONS.threshold.example.matchAll(/'([^']+)'/g)].map(([, one = '']) => one)
  expect(shown.length).toBeGreaterThan(0)
  expect(() => checkThresholds(shown, 'load')).not.toThrow()
  expect(() => checkThresholds(shown, new Set())).not.toThrow()
})

test('without a terminal, progress is a line every few seconds; calls share one connection', async () => {
  const answers = holdAnswers()
  const endpoint = await openEndpoint((call) => call.number === 14 && answers.hold(call))
  const running = start(
    `run set.csv --base-url ${endpoint.url} --rate 20/s --concurrency 1 --out paced`,
    KEY_ENV,
  )
  await running.waitForStderr(/^\S+Z [█░]{12} 13\/14 · /m)
  answers.release()
  const { code, stderr } = await running.ended
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(
    /^\S+Z [█░]{12} \d+\/14 · (?:[\d.]+\/s calls · )?pace 19\.8\/s · .*grounded 100\.0 % · 429s 0 · errors 0/m,
  )
  expect(stderr).not.toContain('\u001b')
  expect(new Set(endpoint.calls.map(({ socket }) => socket)).size).toBe(1)
})
