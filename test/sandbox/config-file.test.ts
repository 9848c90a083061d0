// The sandbox's config as people get it wrong: every fault with its place.
import { expect, test } from 'vitest'
import { readConfig } from '../../src/library/sandbox.ts'

/** Without the file's name, which each begins with. */
function faultsIn(config: unknown): string[] {
  try {
    readConfig(config, 'sandbox.yaml')
  } catch (error) {
    const lines = (error as Error).message.split('\n')
    for (const line of lines) expect(line.startsWith('sandbox.yaml: ')).toBe(true)
    return lines.map((line) => line.slice('sandbox.yaml: '.length))
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
    }),
  ).toEqual([`rateLimit.rules.0.window: ${UNIT}`, `latency.delay: ${UNIT}`, `faults.0.over: ${UNIT}`])
})

test.each([
  [{ rateLimits: {}, latencie: {} }, 'unknown: rateLimits, latencie'],
  [{ faults: [{ kind: 'reset', when: { messages: 'a' } }] }, 'faults.0.when: unknown: messages'],
  [
    { organizations: { acme: {} } },
    'organizations.acme.keys: invalid input: expected array, received undefined',
  ],
  [
    { latency: { kind: 'slow' } },
    "latency.kind: invalid discriminator value. Expected 'constant' | 'uniform' | 'lognormal'",
  ],
  [{ assistant: { relevance: 2 } }, 'assistant.relevance: too big: expected number to be <=1'],
])('%j', (config, fault) => {
  expect(faultsIn(config)).toEqual([fault])
})

test('a value is not repeated, as it may be a key', () => {
  expect(
    faultsIn({ adminKey: 12345, organizations: { acme: { keys: [{ key: ['pasted'] }] } } }).join(),
  ).not.toMatch(/12345|pasted/)
})
