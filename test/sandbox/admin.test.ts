// Protects the admin endpoints of the sandbox: usage, conversations, and the admin key.
import { expect, test } from 'vitest'
import { startClient } from './client.ts'

const VPN = { message: 'How do I set up the VPN?' }

test.each([
  ['GET', '/sandbox/usage'],
  ['GET', '/sandbox/conversations/any'],
])('%s %s needs the admin key, which is not an API key', async (method, path) => {
  const { call, ask, apiKey, adminKey } = await startClient({ config: { adminKey: 'the-admin' } })
  expect(adminKey).toBe('the-admin')
  for (const headers of [{}, { authorization: `Bearer ${apiKey}` }]) {
    const reply = await call(method, path, { headers })
    expect(reply.status).toBe(401)
    expect(reply.body).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED', details: [] } })
  }
  expect((await ask(VPN, { key: adminKey })).status).toBe(401)
})

test('concurrent turns of one conversation are all recorded', async () => {
  const { ask, admin } = await startClient()
  const { conversationId } = (await ask(VPN)).body
  await Promise.all(Array.from({ length: 30 }, async () => ask({ message: 'And on a Mac?', conversationId })))
  const { turns } = (await admin('GET', `/sandbox/conversations/${conversationId}`)).body
  expect(turns).toHaveLength(31)
})
