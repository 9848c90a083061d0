// The HTTP edge: bodies too large, connections that stay open, stopping.
import { Agent, request } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { KNOWLEDGE_BASE, startClient } from './client.ts'
import { assistRequest, sendRaw } from './raw-client.ts'

test.each([1_100_000, 20_000_000])(
  'a body of %i bytes is read to its end, refused, and in the ledger',
  async (length) => {
    const { ask, admin } = await startClient()
    const reply = await ask({ message: 'x'.repeat(length) })
    expect([reply.status, reply.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const { total } = (await admin('GET', '/sandbox/usage')).body
    expect(total).toMatchObject({ calls: 1, outcomes: { too_large: 1 } })
  },
)

test('one connection serves many calls', async () => {
  const { url, apiKey } = await startClient()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  for (let number = 0; number < 5; number += 1) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const sent = request(`${url}/api/v1/assist`, { method: 'POST', agent, headers })
    sent.on('socket', (socket) => sockets.add(socket))
    sent.end('{"message":"VPN set up"}')
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
    await once(response.resume(), 'end')
  }
  agent.destroy()
  expect(sockets.size).toBe(1)
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
    sendRaw(sandbox.url, assistRequest(sandbox.apiKey, { message }).replace('close', 'keep-alive'), 300_000),
  )
  const usage = async (): Promise<unknown> => (await sandbox.admin('GET', '/sandbox/usage')).body
  await expect.poll(usage, { timeout: 50_000 }).toMatchObject({ total: { calls: 3 } })
  // Else it would wait for the drip, or for the clients to give up: minutes.
  await sandbox.close()
  expect((await Promise.all(open)).map(({ ended }) => ended)).not.toContain('timeout')
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

test('a port that is taken is an error', async () => {
  const { url } = await startClient()
  const port = Number(new URL(url).port)
  await expect(startSandbox({ port, knowledgeBase: KNOWLEDGE_BASE })).rejects.toThrow(/EADDRINUSE/)
})
