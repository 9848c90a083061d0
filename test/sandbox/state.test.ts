// Ledger, conversations and quota: kept whole in memory, and forgotten by a reset.
import { expect, test } from 'vitest'
import { startClient } from './client.ts'

const VPN = { message: 'How do I set up the VPN?' }

test('turns of one conversation that come at once are all kept', async () => {
  const client = await startClient()
  const { conversationId } = (await client.ask(VPN)).body
  await Promise.all(
    Array.from({ length: 30 }, async () => client.ask({ message: 'And on a Mac?', conversationId })),
  )
  const kept = async () =>
    (await client.admin('GET', `/sandbox/conversations/${conversationId}`)).body.turns.length
  expect(await kept()).toBe(31)
})

test('after a reset the quota is whole and the conversations are gone, at once', async () => {
  const config = { quota: { calls: 2, period: 'month' as const } }
  const { ask, admin } = await startClient({ config })
  for (let round = 0; round < 5; round += 1) {
    const { conversationId } = (await ask(VPN)).body
    expect((await ask(VPN)).status).toBe(200)
    expect((await ask(VPN)).body.error.code).toBe('QUOTA_EXHAUSTED')
    expect((await admin('POST', '/sandbox/reset')).status).toBe(204)
    expect((await admin('GET', '/sandbox/usage')).body.total.calls).toBe(0)
    expect((await admin('GET', '/sandbox/conversations')).body.conversations).toEqual([])
    expect((await admin('GET', `/sandbox/conversations/${conversationId}`)).status).toBe(404)
  }
})

test.each([1979, 5000, 100_000])('an id of %i characters is simply unknown', async (length) => {
  const { ask, admin } = await startClient()
  for (const sign of ['x', 'é', String.fromCharCode(0xd800), String.fromCharCode(0)]) {
    const conversationId = sign.repeat(length)
    const reply = await ask({ ...VPN, conversationId })
    expect([reply.status, reply.body.conversationId.length]).toEqual([200, 36])
  }
  expect((await admin('GET', '/sandbox/usage')).body.total.counted).toBe(4)
  expect((await admin('GET', `/sandbox/conversations/${'x'.repeat(Math.min(length, 8000))}`)).status).toBe(
    404,
  )
})
