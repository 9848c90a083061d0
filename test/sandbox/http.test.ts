// Protects the sandbox's HTTP server: large bodies, and close.
import { expect, test } from 'vitest'
import { startClient } from './client.ts'

test('a body of 20 MB is read to its end, refused with 413, and recorded in the ledger', async () => {
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
  // Otherwise close would wait minutes for the drip or the clients.
  await sandbox.close()
  expect((await Promise.all(open)).slice(0, 2)).toEqual(['broken', 'broken'])
  await expect(fetch(sandbox.url)).rejects.toThrow()
})
