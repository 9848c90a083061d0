// Protects live conversations: what is sent, what comes of it in every case, that no call is made that was not wanted, and
// the errors of a sandbox that cannot start.
import { mkdirSync, writeFileSync } from 'node:fs'
import { Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type Conversation,
  type ConversationOptions,
  openConversation,
  UsageError,
} from '../../src/library/index.ts'
import { startSandbox } from '../../src/library/sandbox.ts'
import { answerJson, type Behaviour, goodReply, holdAnswers, openEndpoint } from '../support/endpoint.ts'
import { temporaryFolder } from '../support/temporary.ts'

const KEY = 'ask-key-0123456789'

async function open(options: ConversationOptions): Promise<Conversation> {
  const conversation = await openConversation({ rate: 'unlimited', ...options })
  onTestFinished(async () => conversation.close())
  return conversation
}

/** A conversation with an endpoint of this test. */
async function openWith(behave?: Behaviour, options: ConversationOptions = {}) {
  const endpoint = await openEndpoint(behave)
  return { endpoint, conversation: await open({ baseUrl: endpoint.url, apiKey: KEY, ...options }) }
}

/** What only the call with this number meets. */
const onCall =
  (number: number, behave: Behaviour): Behaviour =>
  (call) =>
    call.number === number && behave(call)

const refusal =
  (status: number, headers = {}) =>
  (call: Parameters<Behaviour>[0]) =>
    answerJson(call, status, { error: { code: 'no', message: `no, says ${KEY}` } }, headers)

test('a conversation with the sandbox has article and facts, keeps its context, and tells the cause of a gap', async () => {
  const conversation = await open({ sandbox: true })
  const first = await conversation.ask(' How do I reset my password? ')
  expect(first).toMatchObject({
    id: '1',
    turn: 1,
    message: 'How do I reset my password?',
    outcome: 'answered',
    source: 'KNOWLEDGE_BASE',
    grounded: true,
    error: null,
    attempts: 1,
    contextLost: false,
    articles: { kind: 'answer', source: { article: 'password-reset' }, doubtful: [] },
  })
  expect([first.latencyMs !== null, first.article?.startsWith('password-reset')]).toEqual([true, true])
  const second = await conversation.ask('How long is it valid?')
  expect(second).toMatchObject({ id: '2', turn: 2, grounded: true, contextLost: false })
  const third = await conversation.ask('Where do I park my helicopter on the roof?')
  expect(third).toMatchObject({ grounded: false, articles: { kind: 'gap' } })
  expect(third.articles?.kind === 'gap' && third.articles.nearest.length).toBeGreaterThan(0)
  expect(conversation.calls()).toBe(3)
})

describe('what is sent', () => {
  test('is one conversation of one user', async () => {
    const { conversation, endpoint } = await openWith()
    for (const message of ['A?', 'B?', 'C?']) await conversation.ask(message)
    const bodies = endpoint.calls.map(({ body }) => body)
    expect(bodies.map(({ message, conversationId }) => [message, conversationId])).toEqual([
      ['A?', undefined],
      ['B?', 'conversation-1'],
      ['C?', 'conversation-1'],
    ])
    expect(new Set(bodies.map(({ endUserRef }) => endUserRef)).size).toBe(1)
    const other = await openWith()
    await other.conversation.ask('A?')
    expect(other.endpoint.calls[0]?.body.endUserRef).not.toBe(bodies[0]?.endUserRef)
  })

  test('goes on after an answer in a fresh conversation, which is not grounded in this one', async () => {
    const { conversation, endpoint } = await openWith((call) =>
      answerJson(call, 200, { ...goodReply(call), conversationId: call.number === 1 ? 'a' : 'b' }),
    )
    const turns = [await conversation.ask('A?'), await conversation.ask('B?'), await conversation.ask('C?')]
    expect(turns.map(({ contextLost, grounded }) => [contextLost, grounded])).toEqual([
      [false, true],
      [true, null],
      [true, null],
    ])
    expect(endpoint.calls.map(({ body }) => body.conversationId)).toEqual([undefined, 'a', 'b'])
  })
})

describe('without an answer', () => {
  const html: Behaviour = ({ response }) => {
    response.end('<html>')
    return true
  }
  const hangUp: Behaviour = ({ socket }) => {
    socket.destroy()
    return true
  }

  test.each<readonly [string, Behaviour, object]>([
    ['a 500', refusal(500), { outcome: 'server_error', attempts: 1 }],
    ['a 400', refusal(400), { outcome: 'refused', attempts: 1 }],
    ['no JSON', html, { outcome: 'malformed', attempts: 1 }],
    ['a lost connection', hangUp, { outcome: 'network_error', attempts: 1 }],
    ['a refused key', refusal(401), { outcome: null, attempts: 1 }],
  ])('%s is told, without the key, and the conversation goes on', async (_, behave, expected) => {
    const { conversation, endpoint } = await openWith(onCall(2, behave))
    await conversation.ask('A?')
    const turn = await conversation.ask('B?')
    expect(turn).toMatchObject({ answer: null, grounded: null, articles: null, ...expected })
    expect(turn.error).toMatch(/\w/)
    expect(JSON.stringify(turn)).not.toContain(KEY)
    expect(await conversation.ask('C?')).toMatchObject({ outcome: 'answered', error: null })
    expect([endpoint.calls.length, conversation.calls()]).toEqual([3, 3])
    expect(endpoint.calls[2]?.body.conversationId).toBe('conversation-1')
  })

  test('a 429 is sent again, after the wait that it names', async () => {
    const { conversation, endpoint } = await openWith(onCall(1, refusal(429, { 'retry-after': '1' })))
    const before = performance.now()
    expect(await conversation.ask('A?')).toMatchObject({ outcome: 'answered', attempts: 2, rateLimited: 1 })
    expect(performance.now() - before).toBeGreaterThan(900)
    expect([endpoint.calls.length, conversation.calls()]).toEqual([2, 2])
  })

  test('a 429 with a wait beyond patience ends the question, not the conversation', async () => {
    const { conversation } = await openWith(onCall(1, refusal(429, { 'retry-after': '600' })))
    const turn = await conversation.ask('A?')
    expect(turn).toMatchObject({ outcome: null, rateLimited: 1 })
    expect(turn.error).toContain('asks to wait 10 min')
  })
})

describe('no call', () => {
  test('beyond maxCalls, which counts retries', async () => {
    const refused = onCall(2, refusal(429, { 'retry-after': '0' }))
    const { conversation, endpoint } = await openWith(refused, { maxCalls: 2 })
    await conversation.ask('A?')
    const turn = await conversation.ask('B?')
    expect([turn.outcome, turn.error]).toEqual([null, expect.stringContaining('call budget of 2 is used up')])
    await expect(conversation.ask('C?')).rejects.toThrow(UsageError)
    expect([endpoint.calls.length, conversation.calls()]).toEqual([2, 2])
  })

  test('beyond those of one question', async () => {
    const refused = onCall(1, refusal(429, { 'retry-after': '0' }))
    const { conversation, endpoint } = await openWith(refused, { maxCalls: 3 })
    const turn = await conversation.ask('A?', 1)
    expect([turn.outcome, turn.error]).toEqual([null, expect.stringContaining('budget of 1 is used up')])
    await expect(conversation.ask('B?', 0)).rejects.toThrow(UsageError)
    expect(await conversation.ask('C?', 5)).toMatchObject({ outcome: 'answered' })
    expect(await conversation.ask('D?')).toMatchObject({ outcome: 'answered' })
    await expect(conversation.ask('E?', 1)).rejects.toThrow('budget of 3')
    expect([endpoint.calls.length, conversation.calls()]).toEqual([3, 3])
  })

  test('for an empty message', async () => {
    const { conversation, endpoint } = await openWith()
    await expect(conversation.ask(' \n')).rejects.toThrow(UsageError)
    expect(endpoint.calls).toEqual([])
  })

  test('while another question is under way', async () => {
    const { hold, release } = holdAnswers()
    const { conversation, endpoint } = await openWith(hold)
    const first = conversation.ask('A?')
    await endpoint.called(1)
    await expect(conversation.ask('B?')).rejects.toThrow('under way')
    release()
    expect((await first).outcome).toBe('answered')
    expect((await conversation.ask('C?')).outcome).toBe('answered')
    expect(endpoint.calls.map(({ body }) => body.message)).toEqual(['A?', 'C?'])
  })

  test.each(['abandon', 'close'] as const)('after %s, which gives up the one in flight', async (how) => {
    const abandon = new AbortController()
    const { conversation, endpoint } = await openWith(holdAnswers().hold, { abandon: abandon.signal })
    const first = conversation.ask('A?')
    await endpoint.called(1)
    if (how === 'close') await conversation.close()
    abandon.abort()
    expect(await first).toMatchObject({ outcome: null, answer: null, error: expect.stringMatching(/\w/) })
    await conversation.close()
    await expect(conversation.ask('B?')).rejects.toThrow('has ended')
    expect(endpoint.calls.length).toBe(1)
  })

  test('after the signal, which lets the one in flight return', async () => {
    const stop = new AbortController()
    const { hold, release } = holdAnswers()
    const { conversation, endpoint } = await openWith(hold, { signal: stop.signal })
    const first = conversation.ask('A?')
    await endpoint.called(1)
    stop.abort()
    release()
    expect(await first).toMatchObject({ outcome: 'answered', error: null })
    await expect(conversation.ask('B?')).rejects.toThrow('has ended')
    expect(endpoint.calls.length).toBe(1)
  })

  test('after the signal, in the wait after a 429', async () => {
    const stop = new AbortController()
    const refused = refusal(429, { 'retry-after': '30' })
    const { conversation, endpoint } = await openWith(refused, { signal: stop.signal })
    const first = conversation.ask('A?')
    await endpoint.called(1)
    stop.abort()
    const error = expect.stringContaining('stopped') as string
    expect(await first).toMatchObject({ outcome: null, attempts: 1, error })
    expect([endpoint.calls.length, conversation.calls()]).toEqual([1, 1])
  })
})

describe('articles', () => {
  test('are those of the option, and each answer is held against them', async () => {
    const articles = join(temporaryFolder(), 'articles')
    mkdirSync(articles)
    const fact = 'The VPN client disconnects after 12 hours without traffic.'
    writeFileSync(join(articles, 'vpn.md'), `# VPN access\n\n${fact}\n`)
    const { conversation } = await openWith(
      (call) => answerJson(call, 200, { ...goodReply(call), message: fact.replace('12', '24') }),
      { articles },
    )
    const { articles: found } = await conversation.ask('When does the VPN disconnect?')
    expect(found).toMatchObject({ kind: 'answer', source: { article: 'vpn' } })
    expect(found?.kind === 'answer' && found.doubtful.map(({ text }) => text)).toEqual(['24 hours'])
  })
})

describe('openConversation rejects', () => {
  const TARGETS = [
    { name: 'one', baseUrl: 'http://127.0.0.1:1' },
    { name: 'two', baseUrl: 'http://127.0.0.1:2' },
  ]
  test.each<readonly [string, ConversationOptions]>([
    ['no address', { apiKey: KEY }],
    ['no key', { baseUrl: 'http://127.0.0.1:1', apiKeyEnv: 'NO_SUCH_VARIABLE' }],
    ['several targets', { apiKey: KEY, targets: TARGETS }],
    ['a target that is none of them', { apiKey: KEY, targets: TARGETS, target: 'three' }],
    ['articles that are not there', { sandbox: true, articles: '/nowhere/articles' }],
    ['an invalid option', { sandbox: true, rate: 'soon' }],
    ['a signal that was aborted', { sandbox: true, signal: AbortSignal.abort() }],
  ])('%s', async (_, options) => {
    await expect(openConversation(options)).rejects.toThrow(UsageError)
  })

  test('no target that is chosen from several', async () => {
    const { url, calls } = await openEndpoint()
    const targets = [...TARGETS, { name: 'three', baseUrl: url, maxCalls: 1 }]
    const conversation = await open({ apiKey: KEY, targets, target: 'three' })
    await conversation.ask('A?')
    await expect(conversation.ask('B?')).rejects.toThrow('budget of 1')
    expect(calls.length).toBe(1)
  })
})

test('a port in use is a UsageError that names it', async () => {
  const running = await startSandbox({ port: 0 })
  const port = Number(new URL(running.url).port)
  await expect(startSandbox({ port })).rejects.toMatchObject({
    name: 'UsageError',
    issues: [{ path: 'port', message: `${port} is in use; choose another` }],
  })
  await running.close()
})

test.each([
  ['no port', { sandbox: true }, 'the sandbox cannot start: listen EMFILE'],
  ['no port, with --kb', { sandbox: true, kb: '.' }, 'the sandbox cannot start: listen EMFILE'],
  ['no articles', { sandbox: true, kb: '/nowhere' }, 'kb /nowhere: no such file or folder; name a folder'],
] as const)(
  'a sandbox of a run that gets %s names --kb only where its articles cannot be read',
  async (_, options, said) => {
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      queueMicrotask(() => this.emit('error', Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' })))
      return this
    })
    onTestFinished(() => listen.mockRestore())
    await expect(openConversation(options)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(said) as unknown,
    })
  },
)
