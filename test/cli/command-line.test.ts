// Protects help: all options of each command, in 80 columns.
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/command-table.ts'
import { checkThresholds } from '../../src/library/judging.ts'
import { shows } from '../../src/options/commands.ts'
import { OPTIONS } from '../../src/options/table.ts'
import { optionEntries, shownDefault } from '../../src/options/table.ts'
import { asTyped } from '../../src/options/faults.ts'
import { openWorkspace } from '../support/workspace.ts'

const { expectExit } = openWorkspace()

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
