// The admin's side: usage in all and call by call, conversations, reset; behind its own key.
import { expect, test } from 'vitest'
import { startClient, TWO_ORGANIZATIONS, VPN } from './client.ts'

test.each([
  ['GET', '/sandbox/usage'],
  ['GET', '/sandbox/conversations'],
  ['GET', '/sandbox/conversations/any'],
  ['POST', '/sandbox/reset'],
])('%s %s wants the admin key; an API key is none, nor is the admin key an API key', async (method, path) => {
  const { call, ask, apiKey, adminKey } = await startClient({ config: { adminKey: 'the-admin' } })
  expect(adminKey).toBe('the-admin')
  for (const headers of [{}, { authorization: `Bearer ${apiKey}` }]) {
    const reply = await call(method, path, { headers })
    expect(reply.status).toBe(401)
    expect(reply.body).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED', details: [] } })
  }
  expect((await ask({ message: VPN }, { key: adminKey })).status).toBe(401)
})

test('usage in all and of an organization, and call by call as CSV that is harmless in a spreadsheet', async () => {
  const { ask, admin } = await startClient({ config: TWO_ORGANIZATIONS, clock: () => Date.UTC(2026, 0, 31) })
  await ask({ message: VPN, endUserRef: '=HYPERLINK("http://evil")' })
  await ask({ message: VPN }, { key: 'globex-key' })
  await ask({ message: '' })
  await ask({ message: VPN }, { key: 'nobody' })
  const outcomes = { answered: 2, invalid: 1, unauthorized: 1, rate_limited: 0 }
  const total = { calls: 4, counted: 2, wordsIn: 14, wordsOut: 30, outcomes }
  expect((await admin('GET', '/sandbox/usage')).body).toMatchObject({ total })
  const acme = await admin('GET', '/sandbox/usage?organization=acme')
  expect(acme.body).toMatchObject({ total: { calls: 2, counted: 1 } })
  const csv = (await admin('GET', '/sandbox/usage?format=csv')).body as string
  const [header, first = '', , ...rest] = csv.split('\n')
  expect(header).toBe(
    'at,organization,keyFingerprint,conversationId,endUserRef,outcome,fault,counted,wordsIn,wordsOut',
  )
  expect(first).toContain(`"'=HYPERLINK(""http://evil"")",answered,,true,7,15`)
  expect(rest.map((line) => line.replace(/,[0-9a-f]{8},/, ',…,'))).toEqual([
    '2026-01-31T00:00:00.000Z,acme,…,,,invalid,,false,0,0',
    '2026-01-31T00:00:00.000Z,,…,,,unauthorized,,false,0,0',
    '',
  ])
})

test('a conversation shows its turns and what grounded them', async () => {
  const { ask, admin } = await startClient({ clock: () => Date.UTC(2026, 0, 1) })
  const { conversationId, message } = (await ask({ message: VPN, endUserRef: 'user-1' })).body
  const at = '2026-01-01T00:00:00.000Z'
  const grounds = { contextSource: 'KNOWLEDGE_BASE', article: 'vpn', section: 'First set-up' }
  expect((await admin('GET', `/sandbox/conversations/${conversationId}`)).body).toEqual({
    id: conversationId,
    organization: 'sandbox',
    endUserRef: 'user-1',
    openedAt: at,
    turns: [{ at, message: VPN, answer: message, ...grounds }],
  })
})

test('reset: as just started, with limits, quota and the script of faults', async () => {
  const { ask, admin } = await startClient({
    config: {
      quota: { calls: 1 },
      rateLimit: { rules: [{ kind: 'fixed-window', limit: 3, window: '1d' }] },
      faults: [{ kind: 'unknown-status', when: { calls: [1] } }],
    },
  })
  const round = async () => {
    const replies = []
    for (let count = 0; count < 4; count += 1) replies.push(await ask({ message: VPN }))
    return replies.map(({ body }) => body.status ?? body.error.code)
  }
  const expected = ['degraded', 'QUOTA_EXHAUSTED', 'QUOTA_EXHAUSTED', 'RATE_LIMITED']
  expect(await round()).toEqual(expected)
  const { body } = await admin('GET', '/sandbox/conversations')
  expect((await admin('POST', '/sandbox/reset')).status).toBe(204)
  expect((await admin('GET', `/sandbox/conversations/${body.conversations[0].id}`)).status).toBe(404)
  expect((await admin('GET', '/sandbox/usage')).body.total.calls).toBe(0)
  expect(await round()).toEqual(expected)
})
