// Protects the contract in the sandbox: each rule and row of assist-api.md that states a behaviour, by
// section and number, over HTTP. Rows without a behaviour ("not shown", usage guidance, sections 6 and 9.2 to
// 9.3) have no test; 5, rule 4 (user sessions) is about endpoints that the sandbox does not have.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readRows } from '../support/rows.ts'
import { startClient, TWO_ORGANIZATIONS, VPN, type Client, type ConfigInput, type Reply } from './client.ts'

const FOLLOW_UP = 'What are its symptoms?'

function expectError({ status, headers, body }: Reply, wanted: number): void {
  expect(status).toBe(wanted)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(Object.keys(body)).toEqual(['success', 'error'])
  expect(body.success).toBe(false)
  expect(body.error.code).toMatch(/^[A-Z_]+$/)
  expect(body.error.message).toMatch(/\S/)
  expect(body.error.details).toBeInstanceOf(Array)
}

const usage = async (client: Client, query = '') => (await client.admin('GET', `/sandbox/usage${query}`)).body

const start = async (config?: ConfigInput): Promise<Client> =>
  startClient({ config: { ...TWO_ORGANIZATIONS, ...config } })

type Headers = Readonly<Record<string, string | null>>

/** Sends these headers; the key comes first unless `authorization` is another, or null for none. */
const askWith = async ({ ask, apiKey }: Client, body: unknown, headers: Headers): Promise<Reply> => {
  const given = Object.entries({ authorization: `Bearer ${apiKey}`, ...headers })
  const sent = given.filter((entry): entry is [string, string] => entry[1] !== null)
  return ask(body, { key: null, headers: Object.fromEntries(sent) })
}

test.each(
  readRows<[rule: string, body: unknown, headers: Headers, status: number, ...fields: string[]]>(
    new URL('refused.ndjson', import.meta.url),
  ),
)('%s: %j with %j is refused with %i', async (_, body, headers, status, ...fields) => {
  const reply = await askWith(await start(), body, headers)
  expectError(reply, status)
  expect(reply.body.error.details.map(({ field }: { field: string }) => field)).toEqual(fields)
})

test('4.1, table: the body is UTF-8, and of at most 1,000,000 bytes; a message of 10,000 characters', async () => {
  const { ask } = await start()
  expectError(await ask(Buffer.from([0x22, 0xff, 0x22])), 400)
  expectError(await ask({ message: 'a'.repeat(10_001) }), 400)
  const sized = (length: number) => 'a'.repeat(length - JSON.stringify({ message: '' }).length)
  expect((await ask({ message: sized(1_000_000) })).body.error.details).toHaveLength(1)
  expectError(await ask({ message: sized(1_000_001) }), 413)
})

test.each<[rule: string, headers: Headers]>([
  ['1, table: the key of the organization', {}],
  ['4.1, table: a content type in other letters', { 'content-type': 'Application/JSON; charset=UTF-8' }],
  ['5, rule 1: a bearer token in other letters', { authorization: 'bearer acme-key' }],
])('%s: with %j the answer is from the published knowledge base', async (_, headers) => {
  const { status, body } = await askWith(await start(), { message: VPN }, headers)
  expect([status, body.contextSource]).toEqual([200, 'KNOWLEDGE_BASE'])
  expect(body.message).toContain('Install the VPN client from the software centre')
})

test('1, rules 1 and 2: a response is scoped to the organization of the key, whatever parameters are sent', async () => {
  const { ask, admin } = await start()
  const { body } = await ask({ message: VPN })
  const foreign = await ask(
    { message: FOLLOW_UP, conversationId: body.conversationId, organization: 'acme' },
    { key: 'globex-key' },
  )
  expect(foreign.body.contextSource).toBe('MODEL')
  const kept = await admin('GET', `/sandbox/conversations/${body.conversationId}`)
  expect(kept.body.turns).toHaveLength(1)
})

test('1, rule 3; 4.1, rule 6: each call is recorded in the usage ledger and counts toward the quota', async () => {
  const client = await start()
  await client.ask({ message: VPN, endUserRef: 'user-7' })
  await client.ask({ message: '' })
  const { total } = await usage(client)
  expect(total).toMatchObject({ calls: 2, counted: 1, outcomes: { answered: 1, invalid: 1, faulted: 0 } })
  const { calls } = await usage(client, '?detail=calls')
  expect(calls[0]).toMatchObject({
    organization: 'acme',
    keyFingerprint: createHash('sha256').update('acme-key').digest('hex').slice(0, 8),
    endUserRef: 'user-7',
    outcome: 'answered',
    counted: true,
  })
  expect(JSON.stringify(calls)).not.toContain('acme-key')
})

test('2.1, conversationId; 3, row 1: not required; omitted or null starts a new conversation', async () => {
  const { ask } = await start()
  const ids = [
    (await ask({ message: VPN })).body.conversationId,
    (await ask({ message: VPN, conversationId: null })).body.conversationId,
  ]
  expect(new Set(ids).size).toBe(2)
})

test('2.1, endUserRef: not required; conversations can be grouped by it', async () => {
  const { ask, admin } = await start()
  for (const endUserRef of ['user-1', 'user-2']) {
    const { conversationId } = (await ask({ message: VPN, endUserRef })).body
    const { body } = await admin('GET', `/sandbox/conversations/${conversationId}`)
    expect(body.endUserRef).toBe(endUserRef)
  }
})

test('2.2, table and contextSource: a reply has conversationId, message, status success and contextSource, all strings', async () => {
  const { ask } = await start()
  const { body } = await ask({ message: VPN })
  expect(Object.keys(body)).toEqual(['conversationId', 'message', 'status', 'contextSource'])
  expect(Object.values(body).every((value) => typeof value === 'string')).toBe(true)
  expect(body.status).toBe('success')
  expect(body.contextSource).toBe('KNOWLEDGE_BASE')
  expect((await ask({ message: 'Which planets have rings?' })).body.contextSource).toBe('MODEL')
})

test('2.3, rule 1; 3, row 3: a conversation of another organization is refused: a fresh one opens, without an error', async () => {
  const { ask } = await start()
  const { body } = await ask({ message: VPN })
  const foreign = await ask({ message: VPN, conversationId: body.conversationId }, { key: 'globex-key' })
  expect(foreign.status).toBe(200)
  expect(foreign.body.conversationId).not.toBe(body.conversationId)
  const unknown = await ask({ message: VPN, conversationId: 'never-was' })
  expect(unknown.status).toBe(200)
  expect(unknown.body.conversationId).not.toBe('never-was')
})

test('3, row 2; 4.1, rule 5: the returned conversationId keeps the thread: follow-ups are understood from earlier turns', async () => {
  const { ask } = await start()
  expect((await ask({ message: FOLLOW_UP })).body.contextSource).toBe('MODEL')
  const { conversationId } = (await ask({ message: VPN })).body
  // The organization owns the conversation, not the key.
  const reply = await ask({ message: FOLLOW_UP, conversationId }, { key: 'acme-second' })
  expect(reply.body).toMatchObject({ conversationId, contextSource: 'KNOWLEDGE_BASE' })
  expect(reply.body.message).toContain('error 204')
})

test('4.1, table: method and path; 9, rule 1: only POST and this path of this version, otherwise 405 with Allow, or 404', async () => {
  const { call } = await start()
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const reply = await call(method, '/api/v1/assist')
    expectError(reply, 405)
    expect(reply.headers.get('allow')).toBe('POST')
  }
  for (const path of ['/', '/api', '/api/v1/assist/', '/api/assist', '/api/v2/assist', '/api/v1/tickets']) {
    expectError(await call('POST', path), 404)
  }
})

test('5, rule 2: the key alone names the organization; an unknown one names none', async () => {
  const client = await start()
  await client.ask(
    { message: VPN, organization: 'acme' },
    { key: 'globex-key', headers: { 'x-organization': 'acme' } },
  )
  await client.ask({ message: VPN }, { key: 'nobody' })
  const { calls } = await usage(client, '?detail=calls')
  expect(calls).toMatchObject([{ organization: 'globex' }, { organization: null, outcome: 'unauthorized' }])
})

test('7, table: error object; 7, 404: every error on every endpoint has success false, a code, a message and details', async () => {
  const { call, admin } = await start()
  // Other errors have their own rows.
  expectError(await call('GET', '/nothing'), 404)
  expectError(await admin('GET', '/sandbox/conversations/never-was'), 404)
  expectError(await call('GET', '/sandbox/usage'), 401)
  expectError(await admin('POST', '/sandbox/usage'), 405)
})

const LIMITED = { rateLimit: { rules: [{ kind: 'fixed-window' as const, limit: 1, window: '1h' }] } }

test('4.1, rule 4; 7, 429; 8, rule 1: the limit of one organization leaves the other alone', async () => {
  const { ask } = await start(LIMITED)
  expect((await ask({ message: VPN })).status).toBe(200)
  expectError(await ask({ message: VPN }), 429)
  expectError(await ask({ message: VPN }, { key: 'acme-second' }), 429)
  expect((await ask({ message: VPN }, { key: 'globex-key' })).status).toBe(200)
})

test('8, rule 2: a client that backs off and retries later gets an answer', async () => {
  let now = Date.UTC(2026, 0, 1)
  const { ask } = await startClient({ config: LIMITED, clock: () => now })
  await ask({ message: VPN })
  const refused = await ask({ message: VPN })
  now += Number(refused.headers.get('retry-after')) * 1000
  expect((await ask({ message: VPN })).status).toBe(200)
})

test('8, rule 3: counted calls use up the quota, refused ones do not', async () => {
  const clock = () => Date.UTC(2026, 0, 1)
  const rateLimit = { rules: [], retryAfter: 'date' as const }
  const { ask } = await startClient({ config: { quota: { calls: 2, period: 'hour' }, rateLimit }, clock })
  await ask({ message: VPN })
  await ask({ message: '' })
  await ask({ message: VPN })
  const spent = await ask({ message: VPN })
  expectError(spent, 429)
  expect(spent.body.error.code).toBe('QUOTA_EXHAUSTED')
  expect(spent.headers.get('retry-after')).toBe('Thu, 01 Jan 2026 01:00:00 GMT')
})

test('7, 5xx: a failure of the service has the same error shape', async () => {
  const { ask } = await startClient({ config: { faults: [{ kind: 'server-error', status: 503 }] } })
  expectError(await ask({ message: VPN }), 503)
})

test('2.2, conversationId: with rotating ids the thread continues under the latest id', async () => {
  const { ask } = await startClient({ config: { rotatingIds: true } })
  const first = await ask({ message: VPN })
  const second = await ask({ message: FOLLOW_UP, conversationId: first.body.conversationId })
  const third = await ask({ message: FOLLOW_UP, conversationId: second.body.conversationId })
  expect(new Set([first, second, third].map(({ body }) => body.conversationId)).size).toBe(3)
  expect(third.body.contextSource).toBe('KNOWLEDGE_BASE')
})
