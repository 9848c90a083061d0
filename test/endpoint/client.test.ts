// Protects the HTTP client over real sockets: deadlines, aborts, connections, and whether a request was sent.
// cli/api-key covers the key.
import dns from 'node:dns'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { usageClassOf } from '../../src/analysis/figures/account.ts'
import { type AttemptReport, describeBody, describeError, unreadHeaders } from '../../src/domain/attempt.ts'
import { answerJson, goodReply, openEndpoint, type Behaviour } from '../support/endpoint.ts'
import { openClient } from './open-client.ts'

const silent: Behaviour = () => true

test('loses no answer if the endpoint closes the connection after each one', async () => {
  const endpoint = await openEndpoint((call) => {
    call.response.setHeader('connection', 'close')
    return false
  })
  const { ask } = openClient(endpoint.url)
  const reports = await Promise.all(Array.from({ length: 12 }, async () => ask({ message: 'q' })))
  expect(reports.map(({ result }) => result.kind)).toEqual(Array(12).fill('reply'))
})

test('an attempt has one deadline from its own start, which never comes early or late', async () => {
  const endpoint = await openEndpoint((call) => call.body.message === 'silent')
  const { ask } = openClient(endpoint.url, { timeoutMs: 300 })
  const attempts: Promise<AttemptReport>[] = []
  for (const pauseMs of [10, 10, 140, 10]) {
    attempts.push(ask({ message: 'silent' }))
    await ask({ message: 'q' })
    await sleep(pauseMs)
  }
  for (const { result, sentAt, endedAt } of await Promise.all(attempts)) {
    expect(result.kind).toBe('timeout')
    expect(endedAt - sentAt).toBeGreaterThanOrEqual(300)
    expect(endedAt - sentAt).toBeLessThan(2000)
  }
})

test('an abort ends present and future attempts of its client, and no others', async () => {
  const endpoint = await openEndpoint(({ body }) => body.message === 'silent')
  const abandon = new AbortController()
  const { ask } = openClient(endpoint.url, { abandon: abandon.signal })
  const givenUp = [ask({ message: 'silent' }), ask({ message: 'silent' })]
  await endpoint.called(2)
  const waiting = ask({ message: 'waits' })
  const next = openClient(endpoint.url).ask({ message: 'q' })
  abandon.abort()
  expect((await Promise.all(givenUp)).map(({ result }) => result)).toEqual(
    [1, 2].map(() => ({ kind: 'abandoned', sent: true })),
  )
  expect((await waiting).result).toEqual({ kind: 'abandoned', sent: false })
  expect((await next).result.kind).toBe('reply')
  expect((await ask({ message: 'q' })).result).toEqual({ kind: 'abandoned', sent: false })
  expect(endpoint.calls.map(({ body }) => body.message)).toEqual(['silent', 'silent', 'q'])
})

test('a request that fails before sending is not sent, and the next one is', async () => {
  const endpoint = await openEndpoint(() => false)
  const { ask } = openClient(endpoint.url)
  const full = new Error('the disk is full')
  const rejecting = ask({ message: 'held' }, () => {
    throw full
  })
  await expect(rejecting).rejects.toBe(full)
  expect((await ask({ message: 'q' })).result.kind).toBe('reply')
  expect(endpoint.calls.map(({ body }) => body.message)).toEqual(['q'])
})

/** A 200 whose body is shorter than its content-length. */
const half =
  (body: string, end: (socket: Socket) => unknown): Behaviour =>
  ({ response, socket }) => {
    response.writeHead(200, { 'content-length': '1000' }).flushHeaders()
    if (body !== '') response.write(body)
    // A reset discards unread bytes. The client runs in this process and needs some turns of the event loop
    // to read them.
    let turns = 20
    const timer = setInterval(() => {
      turns -= 1
      if (turns > 0) return
      clearInterval(timer)
      end(socket)
    }, 5)
    return true
  }
const close = (socket: Socket): boolean => socket.end() !== undefined
const reset = (socket: Socket): boolean => socket.resetAndDestroy() !== undefined
const BEFORE = /^the connection closed before any answer \(.+\)$/
const AFTER_17 = /^the answer was cut off after 17 bytes of its body \(.+\)$/

test.each<[string, Behaviour, message: RegExp, httpStatus: number | undefined]>([
  ['is closed before any answer', ({ socket }) => close(socket), BEFORE, undefined],
  ['is reset before any answer', ({ socket }) => reset(socket), BEFORE, undefined],
  ['is closed in mid-body', half('{"conversationId"', close), AFTER_17, 200],
  ['is reset in mid-body', half('{"conversationId"', reset), AFTER_17, 200],
  ['is closed after the head', half('', close), /^the answer was cut off after 0 bytes /, 200],
])('a connection that %s is reported as such', async (_, behave, message, httpStatus) => {
  const endpoint = await openEndpoint(behave)
  const { result } = await openClient(endpoint.url).ask({ message: 'q' })
  expect(result).toMatchObject({
    kind: 'network',
    sent: true,
    code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) as string,
    message: expect.stringMatching(message) as string,
  })
  expect('httpStatus' in result ? result.httpStatus : undefined).toBe(httpStatus)
})

test.each([
  [200, 'certain'],
  [302, 'notCounted'],
  [404, 'notCounted'],
  [429, 'notCounted'],
  [503, 'possible'],
])(
  'the status line %i of an answer that is cut off there tells that the call is %s',
  async (status, usage) => {
    const endpoint = await openEndpoint(({ body, socket }) => {
      socket.write(`HTTP/1.1 ${status} Status\r\nRetry-After: 1\r\n`)
      if (body.message === 'closed') setTimeout(() => socket.end(), 20)
      return true
    })
    const abandon = new AbortController()
    const { ask } = openClient(endpoint.url, { timeoutMs: 400, abandon: abandon.signal })
    const [closed, late] = await Promise.all([ask({ message: 'closed' }), ask({ message: 'late' })])
    const canceled = ask({ message: 'canceled' })
    setTimeout(() => abandon.abort(), 100)
    const results = [closed, late, await canceled].map(({ result }) => result)
    expect(results.map(usageClassOf)).toEqual(Array(3).fill(usage))
  },
)

test('close ends attempts in flight and attempts that are still connecting', async () => {
  const endpoint = await openEndpoint(silent)
  const client = openClient(endpoint.url)
  const underWay = client.ask({ message: 'silent' })
  await endpoint.called(1)
  const connecting = client.ask({ message: 'connects' })
  await client.close()
  expect((await Promise.all([underWay, connecting])).map(({ result }) => result)).toMatchObject([
    { kind: 'network', sent: true },
    { kind: 'network', sent: false },
  ])
  expect((await client.ask({ message: 'q' })).result).toMatchObject({ kind: 'network', sent: false })
})

/** Writes the bytes of an answer: its status lines and headers, then the good reply. */
const raw =
  (head: (length: number) => string, ...pieces: readonly number[]): Behaviour =>
  (call) => {
    const body = JSON.stringify(goodReply(call))
    const bytes = Buffer.from(head(body.length) + body)
    const cuts = [...pieces, bytes.length]
    // Each piece arrives on its own.
    cuts.forEach((end, piece) =>
      setTimeout(() => call.socket.write(bytes.subarray(cuts[piece - 1] ?? 0, end)), 15 * piece),
    )
    return true
  }
const ok = (length: number, more = ''): string =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${length}\r\n\r\n`
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'
const large = (bytes: number) => (length: number) => ok(length, `X-Policy: ${'x'.repeat(bytes)}\r\n`)

test.each<[string, Behaviour]>([
  ['early hints', raw((length) => HINTS + HINTS + ok(length))],
  ['a status line in pieces', raw(ok, 1, 8, 11)],
  ['100 KB of headers', raw(large(100_000))],
  ['250 KB of headers', raw(large(250_000))],
])('an answer after or with %s is read, again and again on one connection', async (_, behave) => {
  const sockets = new Set<unknown>()
  const endpoint = await openEndpoint((call) => {
    sockets.add(call.socket)
    return behave(call)
  })
  const { ask } = openClient(endpoint.url)
  for (const message of ['one', 'two', 'three'])
    expect((await ask({ message })).result).toMatchObject({
      kind: 'reply',
      reply: { message: `answer to: ${message}` },
    })
  expect(sockets.size).toBe(1)
})

test('headers over 256 KB are no answer', async () => {
  const endpoint = await openEndpoint(raw(large(270_000)))
  const { result } = await openClient(endpoint.url).ask({ message: 'q' })
  const message = "the answer's headers are larger than 256 KB"
  expect(result).toMatchObject({ kind: 'network', sent: true, message })
})

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const GREETING = 'Grüße'

type Encode = (json: string) => Buffer
const plain: Encode = (json) => Buffer.from(json)

test.each<[encoding: string | undefined, Encode, string]>([
  [undefined, plain, GREETING],
  ['identity', plain, GREETING],
  [undefined, latin1, 'the body is not UTF-8'],
  ['GZIP', (json) => gzipSync(json), GREETING],
  ['deflate', (json) => deflateSync(json), GREETING],
  ['br', (json) => brotliCompressSync(json), GREETING],
  ['zstd', plain, 'the body is not UTF-8 compressed as zstd'],
  [undefined, (json) => gzipSync(json), 'the body is not UTF-8'],
  ['gzip', plain, 'the body is not UTF-8 compressed as gzip'],
])('a body compressed as %s is decoded or malformed: %#', async (encoding, encode, expected) => {
  const endpoint = await openEndpoint((call) => {
    if (encoding !== undefined) call.response.setHeader('content-encoding', encoding)
    call.response.end(encode(JSON.stringify({ ...goodReply(call), message: GREETING })))
    return true
  })
  const { result } = await openClient(endpoint.url).ask({ message: 'q' })
  expect(result.kind === 'reply' ? result.reply.message : describeError(result)).toBe(expected)
})

test('a body that is not JSON is described by its content type and its start', async () => {
  const endpoint = await openEndpoint(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>\n Sign in')
    return true
  })
  const { result } = await openClient(endpoint.url).ask({ message: 'q' })
  expect([result.kind, describeBody(result)]).toEqual(['malformed', ' (text/html): <html> Sign in'])
})

test('a header that states limits is kept whole, or not at all; others are cut', async () => {
  const policies = (count: number): string =>
    Array.from({ length: count }, (_, place) => `"policy-${place}";w=60;q=6000`).join(', ')
  const endpoint = await openEndpoint((call) => {
    call.response.setHeader('RateLimit-Policy', policies(call.number === 1 ? 40 : 400))
    call.response.setHeader('X-Request-Id', 'x'.repeat(500))
    return false
  })
  const { ask } = openClient(endpoint.url)
  const [whole, long] = [(await ask({ message: 'q' })).result, (await ask({ message: 'q' })).result]
  expect(whole).toMatchObject({
    headers: { 'ratelimit-policy': policies(40), 'x-request-id': 'x'.repeat(300) },
  })
  expect(long).toMatchObject({
    headers: { 'ratelimit-policy': `too long (${policies(400).length} characters)` },
  })
  expect([unreadHeaders(whole), unreadHeaders(long)]).toEqual([[], ['ratelimit-policy']])
})

test('keeps the rate-limit headers of an answer, and further headers of an error', async () => {
  const endpoint = await openEndpoint((call) => {
    call.response.setHeader('X-RateLimit-Remaining', ['7', '8'])
    call.response.setHeader('Retry-After', '3')
    call.response.setHeader('x-other', 'no')
    answerJson(call, call.number === 1 ? 200 : 503, goodReply(call))
    return true
  })
  const { ask } = openClient(endpoint.url)
  const [answer, error] = [await ask({ message: 'q' }), await ask({ message: 'q' })]
  expect(answer.result).toMatchObject({ kind: 'reply', headers: { 'x-ratelimit-remaining': '7, 8' } })
  expect('headers' in answer.result && Object.keys(answer.result.headers ?? {})).toEqual([
    'x-ratelimit-remaining',
  ])
  expect(error.result).toMatchObject({ headers: { 'x-ratelimit-remaining': '7, 8', 'retry-after': '3' } })
})

test('a desk far away with A and AAAA records is reached from a machine without IPv6', async () => {
  // Its thread stands still for half a second while its queue is full: the kernel drops the first SYN.
  const desk = new Worker(
    `const { parentPort } = require('node:worker_threads')
     const answer = ${JSON.stringify(JSON.stringify({ conversationId: 'c', message: 'Yes.', status: 'success', contextSource: 'MODEL' }))}
     const server = require('node:http').createServer((request, response) => response.end(answer))
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port)
       setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500), 20)
     })`,
    { eval: true },
  )
  const [port] = (await once(desk, 'message')) as [number]
  await sleep(50)
  const queued = Array.from({ length: 3 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  await sleep(50)
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation((...words: unknown[]) => {
    const callback = words.at(-1) as (error: null, found: typeof addresses) => void
    callback(null, addresses)
  })
  const { result } = await openClient(`http://far.example.com:${port}`).ask({ message: 'Is it far?' })
  lookup.mockRestore()
  for (const socket of queued) socket.destroy()
  await desk.terminate()
  expect(result).toMatchObject({ kind: 'reply', httpStatus: 200 })
})

test('a small body that decompresses to more than 8 MiB is not read', async () => {
  const bomb = gzipSync(Buffer.alloc(9 * 2 ** 20, ' '))
  const endpoint = await openEndpoint(({ response }) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    return true
  })
  const { result } = await openClient(endpoint.url).ask({ message: 'q' })
  expect(result).toMatchObject({ kind: 'malformed', reason: 'the body is larger than 8 MiB', excerpt: '' })
})
