// Protects the option table: the defaults that help shows are those of a run, and the library takes no option of the command line alone.
import { describe, expect, test } from 'vitest'
import { runOptions } from '../../src/options/manifest.ts'
import { optionEntries, readOptions } from '../../src/options/settings.ts'

/** Their default is a phrase. */
const DESCRIBED = ['concurrency', 'format', 'failOn']

describe('the default that help shows is that of a run', () => {
  const recorded: Readonly<Record<string, unknown>> = runOptions.parse({})
  const shown = optionEntries.filter(
    ([name, option]) => name in recorded && option.default !== undefined && !DESCRIBED.includes(name),
  )
  test.each(shown)('%s', (name, { value, default: byDefault }) => {
    expect(value.parse(byDefault)).toEqual(recorded[name])
  })
})

test('estimate takes what the config file of run may hold', () => {
  const options = { baseUrl: 'https://desk.example.com', threshold: ['coverage>=80%'], maxCalls: 9 }
  expect(readOptions('estimate', options)).toEqual(options)
})

test.each([
  ['run', { json: true }],
  ['run', { arrivalRate: '2/s' }],
  ['estimate', { resume: 'reports/nightly' }],
  ['report', { maxCalls: 3 }],
] as const)('%s rejects %j', (command, options) => {
  expect(() => readOptions(command, options)).toThrow('is unknown')
})
