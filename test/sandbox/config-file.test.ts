// The config file as people get it wrong: each fault on a line that begins with the file, with help that fits the place.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSandboxConfig } from '../../src/cli/sandbox-config.ts'

let file = ''
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-config-'))
  file = join(folder, 'sandbox.yaml')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Lines without the file's name, which each must begin with. */
function faultsIn(config: unknown): string[] {
  writeFileSync(file, JSON.stringify(config))
  try {
    loadSandboxConfig(file)
  } catch (error) {
    const lines = (error as Error).message.split('\n')
    for (const line of lines) expect(line.startsWith(`${file}: `)).toBe(true)
    return lines.map((line) => line.slice(`${file}: `.length))
  }
  return []
}

const UNIT = 'must be a duration with its unit, such as 500ms, 30s, 2m or 1h'

test('a duration without its unit, or none at all', () => {
  expect(
    faultsIn({
      rateLimit: { rules: [{ kind: 'gcra', limit: 1, window: 1 }] },
      latency: { kind: 'constant', delay: 200 },
      faults: [{ kind: 'drip' }],
      quota: { calls: 1 },
    }),
  ).toEqual([`rateLimit.rules.0.window: ${UNIT}`, `latency.delay: ${UNIT}`, `faults.0.over: ${UNIT}`])
  expect(faultsIn({ rateLimit: { rules: [{ kind: 'gcra', limit: 1 }] } })).toEqual([
    `rateLimit.rules.0.window: ${UNIT}`,
  ])
})

test.each([
  [{ rateLimits: {}, latencie: {} }, ['rateLimits', 'latencie'], ['rateLimit', 'latency']],
  [{ window: '1s' }, ['window'], [undefined]],
  [
    { rateLimit: { rules: [{ kind: 'gcra', limit: 1, window: '1s', brst: 1 }] } },
    ['rateLimit.rules.0.brst'],
    ['burst'],
  ],
  [
    { rateLimit: { rules: [{ kind: 'fixed-window', limit: 1, window: '1s', burst: 1 }] } },
    ['rateLimit.rules.0.burst'],
    [undefined],
  ],
  [{ faults: [{ kind: 'reset', when: { messages: 'a' } }] }, ['faults.0.when.messages'], ['message']],
  [
    { organizations: { acme: { keys: [{ key: 'k', scope: [] }] } } },
    ['organizations.acme.keys.0.scope'],
    ['scopes'],
  ],
  [{ latency: { kind: 'uniform', from: '1s', to: '2s', delay: '1s' } }, ['latency.delay'], [undefined]],
])('%j: a key that is unknown there gets a suggestion from there', (config, places, suggested) => {
  const hints = suggested.map((name) => (name === undefined ? '' : `; did you mean ${name}?`))
  expect(faultsIn(config)).toEqual(places.map((place, index) => `${place} is unknown${hints[index]}`))
})

test('a value of another type is said in words of ours; it is not repeated, as it may be a key', () => {
  const config = {
    rotatingIds: 'yes',
    adminKey: 12345,
    maxBodyBytes: 1.5,
    maxMessageLength: 'much',
    faults: 'none',
    organizations: { acme: { keys: [{ key: ['pasted'] }] } },
  }
  expect(faultsIn(config).sort()).toEqual([
    'adminKey: must be text',
    'faults: must be a list',
    'maxBodyBytes: must be a whole number',
    'maxMessageLength: must be a number',
    'organizations.acme.keys.0.key: must be text',
    'rotatingIds: must be true or false',
  ])
})

test.each([
  [{ organizations: { acme: { keys: [] } } }, ['organizations.acme.keys: must not be empty']],
  [{ organizations: { acme: {} } }, ['organizations.acme.keys: is missing']],
  [{ organizations: { '': { keys: [{ key: 'k' }] } } }, ['organizations: a name must not be empty']],
  [{ latency: { kind: 'slow' } }, ['latency.kind: must be one of constant, uniform, lognormal']],
  [{ latency: {} }, ['latency.kind: must be one of constant, uniform, lognormal']],
  [
    { maxBodyBytes: 0, assistant: { relevance: 2 } },
    ['maxBodyBytes: must be above 0', 'assistant.relevance: must be 1 or less'],
  ],
])('%j: what is wrong is said in words of ours, too', (config, faults) => {
  expect(faultsIn(config)).toEqual(faults)
})
