// Protects the admin endpoints of the sandbox: usage by organization, day and call, conversations, reset, and
// the admin key.
import { expect, test } from 'vitest'
import { startClient, TWO_ORGANIZATIONS } from './client.ts'

const VPN = { message: 'How do I set up the VPN?' }

test.each([
  ['GET', '/sandbox/usage'],
  ['GET', '/sandbox/conversations'],
  ['GET', '/sandbox/conversations/any'],
  ['POST', '/sandbox/reset'],
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

test('usage is listed by organization and day, as JSON and CSV', async () => {
  let now = Date.UTC(2026, 0, 31, 23, 59, 59)
  const { ask, admin } = await startClient({ config: TWO_ORGANIZATIONS, clock: () => now })
  await ask(VPN)
  await ask(VPN, { key: 'globex-key' })
  await ask({ message: '' })
  now += 2000
  await ask(VPN)
  await ask(VPN, { key: 'nobody' })

  const { total, days } = (await admin('GET', '/sandbox/usage')).body
  expect(total).toMatchObject({ calls: 5, counted: 3, wordsIn: 21 })
  expect(days).toMatchObject([
    { organization: null, day: '2026-02-01', calls: 1, counted: 0 },
    { organization: 'acme', day: '2026-01-31', calls: 2, counted: 1 },
    { organization: 'acme', day: '2026-02-01', calls: 1, counted: 1 },
    { organization: 'globex', day: '2026-01-31', calls: 1, counted: 1 },
  ])
  const csv = (await admin('GET', '/sandbox/usage?format=csv')).body as string
  expect(csv.split('\n').slice(0, 3)).toEqual([
    'organization,day,calls,counted,wordsIn,wordsOut,answered,faulted,invalid,unauthorized,forbidden,too_large,unsupported_media_type,rate_limited,quota_exhausted',
    ',2026-02-01,1,0,0,0,0,0,0,1,0,0,0,0,0',
    'acme,2026-01-31,2,1,7,15,1,0,1,0,0,0,0,0,0',
  ])
  const acme = (await admin('GET', '/sandbox/usage?organization=acme')).body
  expect(acme.total.calls).toBe(3)
})

test('calls are listed, with formulas of callers defused in CSV', async () => {
  const { ask, admin } = await startClient()
  await ask({ ...VPN, endUserRef: '=HYPERLINK("http://evil")' })
  const csv = (await admin('GET', '/sandbox/usage?detail=calls&format=csv')).body as string
  expect(csv.split('\n')[0]).toBe(
    'at,organization,keyFingerprint,conversationId,endUserRef,outcome,fault,counted,wordsIn,wordsOut',
  )
  expect(csv).toContain(`"'=HYPERLINK(""http://evil"")"`)
})

test('concurrent turns of one conversation are all recorded', async () => {
  const { ask, admin } = await startClient()
  const { conversationId } = (await ask(VPN)).body
  await Promise.all(Array.from({ length: 30 }, async () => ask({ message: 'And on a Mac?', conversationId })))
  const { turns } = (await admin('GET', `/sandbox/conversations/${conversationId}`)).body
  expect(turns).toHaveLength(31)
})

test('reset restores the state at start: limits, quota and faults', async () => {
  const { ask, admin } = await startClient({
    config: {
      quota: { calls: 1 },
      rateLimit: { rules: [{ kind: 'fixed-window', limit: 3, window: '1d' }] },
      faults: [{ kind: 'unknown-status', when: { calls: [1] } }],
    },
  })
  const round = async () => {
    const replies = [await ask(VPN), await ask(VPN), await ask(VPN), await ask(VPN)]
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
