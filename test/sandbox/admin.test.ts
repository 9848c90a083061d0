// The admin's side: usage by organization and day, call by call, conversations, reset; behind its own key.
import { expect, test } from 'vitest'
import { startClient, TWO_ORGANIZATIONS } from './client.ts'

const VPN = { message: 'How do I set up the VPN?' }

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
  expect((await ask(VPN, { key: adminKey })).status).toBe(401)
})

test('usage by organization and day, as JSON and as CSV', async () => {
  let now = Date.UTC(2026, 0, 31, 23, 59, 59)
  const { ask, admin, call, adminKey } = await startClient({ config: TWO_ORGANIZATIONS, clock: () => now })
  await ask(VPN)
  await ask(VPN, { key: 'globex-key' })
  await ask({ message: '' })
  now += 2000
  await ask(VPN)
  await ask(VPN, { key: 'nobody' })

  const { total, days } = (await admin('GET', '/sandbox/usage')).body
  expect(total).toMatchObject({ calls: 5, counted: 3, wordsIn: 21 })
  expect(
    days.map((day: Record<string, unknown>) => [
      day['organization'],
      day['day'],
      day['calls'],
      day['counted'],
    ]),
  ).toEqual([
    [null, '2026-02-01', 1, 0],
    ['acme', '2026-01-31', 2, 1],
    ['acme', '2026-02-01', 1, 1],
    ['globex', '2026-01-31', 1, 1],
  ])
  const csv = (await admin('GET', '/sandbox/usage?format=csv')).body as string
  expect(csv.split('\n').slice(0, 3)).toEqual([
    'organization,day,calls,counted,wordsIn,wordsOut,answered,faulted,invalid,unauthorized,forbidden,too_large,unsupported_media_type,rate_limited,quota_exhausted',
    ',2026-02-01,1,0,0,0,0,0,0,1,0,0,0,0,0',
    'acme,2026-01-31,2,1,7,15,1,0,1,0,0,0,0,0,0',
  ])
  const byHeader = await call('GET', '/sandbox/usage', {
    headers: { authorization: `Bearer ${adminKey}`, accept: 'text/csv' },
  })
  expect(byHeader.body).toBe(csv)
  const january = (await admin('GET', '/sandbox/usage?organization=acme&to=2026-01-31')).body
  expect(january.total.calls).toBe(2)
  expect((await admin('GET', '/sandbox/usage?from=2026-02-01')).body.total.calls).toBe(2)
})

test('call by call, with whatever a caller wrote made harmless in CSV', async () => {
  const { ask, admin } = await startClient()
  await ask({ ...VPN, endUserRef: '=HYPERLINK("http://evil")' })
  const csv = (await admin('GET', '/sandbox/usage?detail=calls&format=csv')).body as string
  expect(csv.split('\n')[0]).toBe(
    'at,organization,keyFingerprint,conversationId,endUserRef,outcome,fault,counted,wordsIn,wordsOut',
  )
  expect(csv).toContain(`"'=HYPERLINK(""http://evil"")"`)
})

test('an empty ledger still has its header', async () => {
  const { admin } = await startClient()
  expect((await admin('GET', '/sandbox/usage?format=csv')).body).toMatch(/^organization,day,calls,counted/)
  expect((await admin('GET', '/sandbox/usage')).body).toMatchObject({ total: { calls: 0 }, days: [] })
})

test('a conversation shows its turns and what grounded them', async () => {
  const { ask, admin } = await startClient({ clock: () => Date.UTC(2026, 0, 1) })
  const { conversationId, message } = (await ask({ ...VPN, endUserRef: 'user-1' })).body
  const { body } = await admin('GET', `/sandbox/conversations/${conversationId}`)
  expect(body).toEqual({
    id: conversationId,
    organization: 'sandbox',
    endUserRef: 'user-1',
    openedAt: '2026-01-01T00:00:00.000Z',
    turns: [
      {
        at: '2026-01-01T00:00:00.000Z',
        ...VPN,
        answer: message,
        contextSource: 'KNOWLEDGE_BASE',
        article: 'vpn',
        section: 'First set-up',
        nearest: null,
      },
    ],
  })
})

test('a conversation and the log name the article that answered, or the one that came nearest', async () => {
  const lines: string[] = []
  const { ask, admin } = await startClient({ log: (line) => lines.push(line) })
  const asked = [
    'How do I set up the VPN?',
    'Do planets with rings have a certificate of the league cup?',
    'Which planets have rings?',
  ]
  for (const message of asked) await ask({ message })
  const { conversations } = (await admin('GET', '/sandbox/conversations')).body
  const turns = await Promise.all(
    conversations.map(async ({ id }: { id: string }) => {
      const [turn] = (await admin('GET', `/sandbox/conversations/${id}`)).body.turns
      return [turn.article, turn.nearest]
    }),
  )
  expect(turns).toEqual([
    ['vpn', null],
    [null, 'vpn'],
    [null, null],
  ])
  expect(lines.filter((line) => line.includes('/assist')).map((line) => line.split(' 200 ')[1])).toEqual([
    'answered KNOWLEDGE_BASE vpn',
    'answered MODEL nearest vpn',
    'answered MODEL no article near',
  ])
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
    const replies = [await ask(VPN), await ask(VPN), await ask(VPN), await ask(VPN)]
    return replies.map(({ body }) => body.status ?? body.error.code)
  }
  const expected = ['degraded', 'QUOTA_EXHAUSTED', 'QUOTA_EXHAUSTED', 'RATE_LIMITED']
  expect(await round()).toEqual(expected)
  const { body } = await admin('GET', '/sandbox/conversations')
  await admin('POST', '/sandbox/reset')
  expect((await admin('GET', `/sandbox/conversations/${body.conversations[0].id}`)).status).toBe(404)
  expect((await admin('GET', '/sandbox/usage')).body.total.calls).toBe(0)
  expect(await round()).toEqual(expected)
})
