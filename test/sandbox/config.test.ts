// Protects the sandbox's config: rejected values with their place, and settings of each organization.
import { expect, test } from 'vitest'
import { compareTexts } from '../../src/domain/text.ts'
import { readConfig } from '../../src/library/sandbox.ts'
import { asPattern } from '../scenarios/scenario.ts'
import { readRows } from '../support/rows.ts'
import { startClient, TWO_ORGANIZATIONS } from './client.ts'

/** A config and its message; a `/pattern/` must match. */
test.each(readRows<[config: object, said: string]>(new URL('rejected.ndjson', import.meta.url)))(
  '%j is rejected with its place',
  (config, said) => {
    const pattern = asPattern(said)
    const message = pattern ? (expect.stringMatching(pattern) as string) : `sandbox.yaml: ${said}`
    const read = () => readConfig(config, 'sandbox.yaml')
    expect(read).toThrow(/^sandbox\.yaml: /)
    expect(read).toThrow(expect.objectContaining({ message }))
  },
)

test('an error does not show the value, which may be a key', () => {
  const config = { adminKey: 12_345, organizations: { acme: { keys: [{ key: ['pasted'] }] } } }
  expect(() => readConfig(config, '')).toThrow(/^(?!.*(?:12345|pasted))/s)
})

test('an organization uses its own limit and quota, or the common ones', async () => {
  const { organizations } = TWO_ORGANIZATIONS
  const rules = [{ kind: 'fixed-window' as const, limit: 1, window: '1d' }]
  const { ask } = await startClient({
    config: {
      organizations: {
        ...organizations,
        globex: { ...organizations.globex, rateLimit: { rules: [] }, quota: { calls: 2 } },
      },
      rateLimit: { rules },
    },
  })
  const codes = async (key: string) => {
    const replies = [1, 2, 3].map(async () => ask({ message: 'VPN' }, { key }))
    return (await Promise.all(replies))
      .map(({ body }) => body.status ?? body.error.code)
      .toSorted(compareTexts)
  }
  expect(await codes('acme-key')).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'success'])
  expect(await codes('globex-key')).toEqual(['QUOTA_EXHAUSTED', 'success', 'success'])
})

test('answers, 429s and faults all carry limit headers', async () => {
  const { ask } = await startClient({
    clock: () => Date.UTC(2026, 0, 1),
    config: {
      rateLimit: {
        rules: [{ kind: 'fixed-window', limit: 3, window: '1m', name: 'minute' }],
        headers: ['ietf', 'x-ratelimit-delta'],
        retryAfter: 'date',
      },
      faults: [{ kind: 'server-error', when: { calls: [2] } }],
    },
  })
  const seen = []
  for (let number = 0; number < 4; number += 1) {
    const { status, headers } = await ask({ message: 'VPN' })
    const names = ['ratelimit', 'x-ratelimit-remaining', 'retry-after']
    seen.push([status, ...names.map((name) => headers.get(name))])
  }
  expect(seen).toEqual([
    [200, '"minute";r=2;t=60', '2', null],
    [500, '"minute";r=1;t=60', '1', null],
    [200, '"minute";r=0;t=60', '0', null],
    [429, '"minute";r=0;t=60', '0', 'Thu, 01 Jan 2026 00:01:00 GMT'],
  ])
})
