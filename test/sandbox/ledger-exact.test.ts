// 10,000 calls with limits, quota, faults and a reset script on: the ledger equals what a client counted.
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { seededDraw } from '../../src/sandbox/latency.ts'
import { startClient, type ConfigInput } from './client.ts'

const CALLS = 10_000
const SCRIPT = Array.from({ length: 25 }, (_, index) => 40 + index * 37)

const config: ConfigInput = {
  organizations: {
    acme: {
      keys: [{ key: 'acme-1' }, { key: 'acme-2' }, { key: 'acme-blind', scopes: [] }],
      rateLimit: {
        rules: [
          { kind: 'token-bucket', limit: 400, window: '1s', burst: 100 },
          { kind: 'sliding-window', limit: 30_000, window: '1m' },
        ],
      },
    },
    globex: { keys: [{ key: 'globex-1' }], quota: { calls: 1500 } },
  },
  faults: [
    { kind: 'reset', stage: 'after', when: { message: 'reset-after' } },
    { kind: 'reset', stage: 'before', when: { calls: SCRIPT } },
    { kind: 'server-error', status: 503, stage: 'before', when: { rate: 0.02 } },
    { kind: 'server-error', status: 500, stage: 'after', when: { rate: 0.02 } },
    { kind: 'truncated', when: { rate: 0.02 } },
    { kind: 'not-json', when: { rate: 0.01 } },
    { kind: 'redirect', when: { rate: 0.02 } },
    { kind: 'fresh-conversation', when: { rate: 0.01 } },
  ],
}

/** What is sent as call `index`: mostly good questions, some faulty, some with bad keys. */
function plan(index: number): { key: string; body: string } {
  const draw = seededDraw(42)
  const choose = (purpose: string, list: readonly string[]): string =>
    list[Math.floor(draw(purpose, index) * list.length)] ?? ''
  const key = choose('key', ['acme-1', 'acme-1', 'acme-2', 'globex-1', 'globex-1', 'acme-blind', 'nobody'])
  const messages = ['How do I set up the VPN?', 'paper jam', 'one two three', 'reset-after', '']
  const message = choose('message', messages)
  return { key, body: JSON.stringify({ message, endUserRef: `user-${index % 50}` }) }
}

test('10,000 calls are accounted for, one by one', { timeout: 60_000 }, async () => {
  // Time by calls, not by the machine: some 1200 a second, whoever runs the test.
  let now = Date.UTC(2026, 0, 1)
  const clock = (): number => (now += 0.4)
  const { url, admin } = await startClient({ config, clock })
  const pool = new Pool(url, { connections: 48 })
  const seen: Record<string, number> = {}
  const count = (name: string): void => {
    seen[name] = (seen[name] ?? 0) + 1
  }
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < CALLS; index = next++) {
      const { key, body } = plan(index)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      try {
        const reply = await pool.request({ path: '/api/v1/assist', method: 'POST', headers, body })
        count(String(reply.statusCode))
        const text = await reply.body.text()
        if (reply.statusCode === 429) count((JSON.parse(text) as { error: { code: string } }).error.code)
      } catch (error) {
        const { code } = error as { code: string }
        count(code)
        if (code === 'ECONNRESET' && body.includes('reset-after')) count('reset-after')
      }
    }
  }
  await Promise.all(Array.from({ length: 48 }, worker))
  await pool.destroy()

  const { total, days } = (await admin('GET', '/sandbox/usage')).body
  const { calls } = (await admin('GET', '/sandbox/usage?detail=calls')).body as { calls: Entry[] }
  const entries = (fits: (entry: Entry) => boolean): number => calls.filter(fits).length

  expect(total.calls).toBe(CALLS)
  expect(calls).toHaveLength(CALLS)
  expect({
    400: total.outcomes.invalid,
    401: total.outcomes.unauthorized,
    403: total.outcomes.forbidden,
    429: total.outcomes.rate_limited + total.outcomes.quota_exhausted,
    RATE_LIMITED: total.outcomes.rate_limited,
    QUOTA_EXHAUSTED: total.outcomes.quota_exhausted,
    307: entries((one) => one.fault === 'redirect'),
    503: entries((one) => one.fault === 'server-error' && !one.counted),
    500: entries((one) => one.fault === 'server-error' && one.counted),
    ECONNRESET: entries((one) => one.fault === 'reset'),
    UND_ERR_SOCKET: entries((one) => one.fault === 'truncated'),
    200: entries(
      (one) => one.outcome === 'answered' || one.fault === 'truncated' || one.fault === 'not-json',
    ),
    'reset-after': entries((one) => one.fault === 'reset' && one.counted),
  }).toEqual(seen)

  expect(total.counted).toBe((seen['200'] ?? 0) + (seen['500'] ?? 0) + (seen['reset-after'] ?? 0))
  const globex = days.filter((day: { organization: string }) => day.organization === 'globex')
  expect(globex.reduce((sum: number, day: { counted: number }) => sum + day.counted, 0)).toBe(1500)
  for (const name of ['RATE_LIMITED', 'QUOTA_EXHAUSTED', 'ECONNRESET', '307', '503', '500']) {
    expect(seen[name], name).toBeGreaterThan(10)
  }
})

interface Entry {
  readonly outcome: string
  readonly fault: string | null
  readonly counted: boolean
}
