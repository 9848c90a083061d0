// The HTTP edge: bodies too large, stopping, the log.
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { KNOWLEDGE_BASE, startClient } from './client.ts'

test('a body of 20 MB is read to its end, refused, and in the ledger', async () => {
  const { ask, admin } = await startClient()
  const reply = await ask({ message: 'x'.repeat(20_000_000) })
  expect([reply.status, reply.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const { total } = (await admin('GET', '/sandbox/usage')).body
  expect(total).toMatchObject({ calls: 1, outcomes: { too_large: 1 } })
})

test('close ends idle connections, hanging calls and slow answers at once', async () => {
  const sandbox = await startClient({
    config: {
      faults: [
        { kind: 'hang', when: { message: 'hang' } },
        { kind: 'drip', over: '1h', when: { message: 'drip' } },
      ],
      latency: { kind: 'constant', delay: '10ms' },
    },
  })
  const open = ['hang', 'drip', 'VPN'].map(async (message) =>
    sandbox.ask({ message }).then(
      ({ status }) => status,
      () => 'broken',
    ),
  )
  const usage = async (): Promise<unknown> => (await sandbox.admin('GET', '/sandbox/usage')).body
  await expect.poll(usage, { timeout: 50_000 }).toMatchObject({ total: { calls: 3 } })
  // Else it would wait for the drip, or for the clients to give up: minutes.
  await sandbox.close()
  expect((await Promise.all(open)).slice(0, 2)).toEqual(['broken', 'broken'])
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

test('a port that is taken is an error', async () => {
  const { url } = await startClient()
  const port = Number(new URL(url).port)
  await expect(startSandbox({ port, knowledgeBase: KNOWLEDGE_BASE })).rejects.toThrow(/EADDRINUSE/)
})

test('logs a line a request, without key or message, in plain text', async () => {
  const lines: string[] = []
  const { apiKey, ask, call } = await startClient({
    log: (line) => lines.push(line),
    clock: () => Date.UTC(2026, 0, 1),
  })
  await ask({ message: 'How do I set up the VPN?' })
  await ask({ message: 'Which planets have rings?' })
  await ask({ message: '' }, { key: 'secret-of-somebody' })
  await call('GET', '/a%1B?key=b')
  expect(lines).toEqual([
    '2026-01-01T00:00:00.000Z POST /api/v1/assist 200 answered KNOWLEDGE_BASE vpn',
    '2026-01-01T00:00:00.000Z POST /api/v1/assist 200 answered MODEL no article',
    '2026-01-01T00:00:00.000Z POST /api/v1/assist 401 unauthorized',
    '2026-01-01T00:00:00.000Z GET /a%1B 404',
  ])
  expect(lines.join()).not.toContain(apiKey)
})
