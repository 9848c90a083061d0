// The sandbox's config: defaults, what is refused, durations.
import { describe, expect, test } from 'vitest'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { durationSchema } from '../../src/sandbox/latency.ts'
import { startClient, TWO_ORGANIZATIONS } from './client.ts'

/** Places of what is wrong with it. */
const faultsIn = (config: unknown): string[] =>
  sandboxConfigSchema.safeParse(config).error?.issues.map((issue) => issue.path.join('.')) ?? []

test('without one there is no limit, no latency, no fault', () => {
  expect(sandboxConfigSchema.parse({})).toEqual({
    organizations: {},
    faults: [],
    rotatingIds: false,
    maxMessageLength: 10_000,
    maxBodyBytes: 1_000_000,
    assistant: { modelOnlySource: 'MODEL', successStatus: 'success' },
  })
})

describe('is refused', () => {
  test.each([
    ['an unknown key', { limits: [] }, ['']],
    ['an unknown key deep inside', { faults: [{ kind: 'reset', when: { ratio: 1 } }] }, ['faults.0.when']],
    ['an organization without a key', { organizations: { acme: { keys: [] } } }, ['organizations.acme.keys']],
    ['a rate above 1', { faults: [{ kind: 'reset', when: { rate: 2 } }] }, ['faults.0.when.rate']],
    [
      'a pattern that is none',
      { faults: [{ kind: 'reset', when: { message: '(' } }] },
      ['faults.0.when.message'],
    ],
    [
      'a limit of nothing',
      { rateLimit: { rules: [{ kind: 'gcra', limit: 0, window: '1s' }] } },
      ['rateLimit.rules.0.limit'],
    ],
    [
      'a window of nothing',
      { rateLimit: { rules: [{ kind: 'gcra', limit: 1, window: '0s' }] } },
      ['rateLimit.rules.0.window'],
    ],
    [
      'a kind nobody knows',
      { rateLimit: { rules: [{ kind: 'leaky', limit: 1, window: '1s' }] } },
      ['rateLimit.rules.0.kind'],
    ],
    [
      'one key for two organizations',
      { organizations: { a: { keys: [{ key: 'k' }] }, b: { keys: [{ key: 'k' }] } } },
      ['organizations.b.keys.0.key'],
    ],
    [
      'an admin key that is an API key',
      { adminKey: 'k', organizations: { a: { keys: [{ key: 'k' }] } } },
      ['organizations.a.keys.0.key'],
    ],
    [
      'a key that no header can carry',
      { adminKey: 'schlüssel', organizations: { a: { keys: [{ key: 'clé' }] } } },
      ['organizations.a.keys.0.key', 'adminKey'],
    ],
    [
      'a delay longer than a timer',
      { latency: { kind: 'constant', delay: '25d' }, faults: [{ kind: 'drip', over: '2147483648ms' }] },
      ['latency.delay', 'faults.0.over'],
    ],
    [
      'a name for two rules',
      {
        rateLimit: {
          rules: [
            { kind: 'gcra', limit: 1, window: '1s', name: 'gcra-2' },
            { kind: 'gcra', limit: 1, window: '1s' },
          ],
        },
      },
      ['rateLimit.rules.1.name'],
    ],
    [
      'a fault of an organization that is none',
      {
        organizations: { a: { keys: [{ key: 'k' }] } },
        faults: [
          { kind: 'reset', when: { organization: 'b' } },
          { kind: 'reset', when: { organization: 'a' } },
        ],
      },
      ['faults.0.when.organization'],
    ],
  ])('%s', (_, config, places) => {
    expect(faultsIn(config)).toEqual(places)
  })
})

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1.5h', 5_400_000],
  ['1 d', 86_400_000],
])('%s is %i ms', (text, ms) => {
  expect(durationSchema.parse(text)).toBe(ms)
})

test.each(['30', 30, '-1s', '1 week', ''])('%j is no duration', (value) => {
  expect(durationSchema.safeParse(value).success).toBe(false)
})

test('an organization has a limit and a quota of its own, or those for all', async () => {
  const { organizations } = TWO_ORGANIZATIONS
  const rules = [{ kind: 'fixed-window' as const, limit: 1, window: '1d' }]
  const { ask } = await startClient({
    config: {
      organizations: {
        ...organizations,
        globex: { ...organizations.globex, rateLimit: { rules: [] }, quota: { calls: 2 } },
      },
      rateLimit: { rules, retryAfter: 'none', headers: ['ietf'] },
    },
  })
  const statuses = async (key: string) => {
    const replies = [
      await ask({ message: 'VPN' }, { key }),
      await ask({ message: 'VPN' }, { key }),
      await ask({ message: 'VPN' }, { key }),
    ]
    return replies.map((reply) => reply.body.error?.code ?? reply.status)
  }
  expect(await statuses('acme-key')).toEqual([200, 'RATE_LIMITED', 'RATE_LIMITED'])
  expect(await statuses('globex-key')).toEqual([200, 200, 'QUOTA_EXHAUSTED'])
})

test('a longest window may be longer than a timer, and the organization of no file has its name', () => {
  const rules = [{ kind: 'gcra', limit: 1, window: '30d' }]
  const faults = [{ kind: 'reset', when: { organization: 'sandbox' } }]
  expect(faultsIn({ rateLimit: { rules }, faults })).toEqual([])
})

test.each([
  ['seconds', '3600'],
  ['date', 'Thu, 01 Jan 2026 01:00:00 GMT'],
  ['none', null],
] as const)('a spent quota says in %s when to come back', async (retryAfter, expected) => {
  const { ask } = await startClient({
    clock: () => Date.UTC(2026, 0, 1),
    config: { quota: { calls: 0, period: 'hour' }, rateLimit: { rules: [], retryAfter } },
  })
  const { body, headers } = await ask({ message: 'VPN' })
  expect([body.error.code, headers.get('retry-after')]).toEqual(['QUOTA_EXHAUSTED', expected])
})

test('limit headers stand on answers, refusals and faults alike', async () => {
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
    seen.push([
      status,
      headers.get('ratelimit'),
      headers.get('x-ratelimit-remaining'),
      headers.get('retry-after'),
    ])
  }
  expect(seen).toEqual([
    [200, '"minute";r=2;t=60', '2', null],
    [500, '"minute";r=1;t=60', '1', null],
    [200, '"minute";r=0;t=60', '0', null],
    [429, '"minute";r=0;t=60', '0', 'Thu, 01 Jan 2026 00:01:00 GMT'],
  ])
})
