// Protects --embeddings: each text is sent once, the key goes nowhere else, and whatever the endpoint does, a
// report says so in one line and goes on by terms.
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EmbeddingsEndpoint } from '../../src/endpoint/embeddings.ts'
import { readEmbeddings, vectorsOf as keepVectors } from '../../src/library/embeddings.ts'
import { type Ports, realPorts } from '../../src/library/ports.ts'
import { report } from '../../src/library/report.ts'
import type { RunResult } from '../../src/library/write-run.ts'
import { startProxy } from '../support/proxy.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { makeQuestion, makeReply, makeTurn, recordRun } from '../support/recorded.ts'

const scratch = temporaryFolder()
const KEY = 'sk-embeddings-key'

type Reply = (input: readonly string[], response: ServerResponse, request: IncomingMessage) => void
let reply: Reply
let inputs: (readonly string[])[] = []

/** A made-up table: four numbers of a text. */
const embeddingOf = (text: string): number[] => [text.length, text.charCodeAt(0) % 7, 1, -2]
const dataOf = (input: readonly string[]) =>
  input.map((text, index) => ({ object: 'embedding', index, embedding: embeddingOf(text) }))
const send = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
const good: Reply = (input, response) => send(response, 200, { data: dataOf(input).toReversed() })

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += String(chunk)
  })
  request.on('end', () => {
    const { input } = JSON.parse(text) as { input: string[] }
    inputs.push(input)
    reply(input, response, request)
  })
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  inputs = []
  reply = good
})

const portsWith = (env: Ports['env'] = {}): Ports => ({ ...realPorts(), env })

let caches = 0
const endpointOf = (more: Partial<EmbeddingsEndpoint> = {}) => {
  caches += 1
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1`
  return {
    url,
    model: 'mini',
    key: KEY,
    ports: portsWith(),
    cache: join(scratch, `${caches}.jsonl`),
    ...more,
  }
}
const vectorsOf = async (texts: readonly string[], endpoint: ReturnType<typeof endpointOf>) =>
  keepVectors(texts, endpoint, endpoint.cache)

test('a long text is not cut within a character', async () => {
  await vectorsOf([`${'x'.repeat(1999)}😀`], endpointOf())
  expect(inputs.flat().map((text) => text.isWellFormed())).toEqual([true])
})

test('each text is sent once, in batches of 32, with the key in its header alone', async () => {
  const headers: (string | undefined)[] = []
  reply = (input, response, request) => {
    headers.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    good(input, response, request)
  }
  const endpoint = endpointOf()
  const texts = Array.from({ length: 40 }, (_, number) => 'x'.repeat(number + 1))
  const first = await vectorsOf([...texts, ...texts], endpoint)
  expect(inputs.map(({ length }) => length)).toEqual([32, 8])
  expect(headers).toEqual(Array.from({ length: 2 }, () => `POST /v1/embeddings Bearer ${KEY}`))
  const unit = embeddingOf('xxx').map((value) => value / Math.hypot(...embeddingOf('xxx')))
  expect([...(first.get('xxx') ?? [])]).toEqual(unit.map((value) => expect.closeTo(value, 1) as number))
  // Only the new one is sent, and the file gives the same vectors.
  const second = await vectorsOf([...texts, 'new'], endpoint)
  expect(inputs.slice(2)).toEqual([['new']])
  expect(second.get('xxx')).toEqual(first.get('xxx'))
  const kept = readFileSync(endpoint.cache, 'utf8')
  expect(kept).not.toContain(KEY)
  expect(kept).not.toContain('xxx')
  // Of another model, all are sent again, whatever the size of its vectors.
  reply = vectors(() => [1, 2])
  expect((await vectorsOf(['x'], { ...endpoint, model: 'other' })).get('x')).toHaveLength(2)
  expect(inputs).toHaveLength(4)
})

/** An answer with a status; `wait`: its Retry-After. */
const status =
  (code: number, wait?: string): Reply =>
  (_, to) =>
    send(to, code, KEY, wait === undefined ? {} : { 'retry-after': wait })
const vectors =
  (each: (index: number) => unknown): Reply =>
  (input, to) =>
    send(to, 200, { data: input.map((_, index) => ({ embedding: each(index) })) })
const NO_VECTORS = 'gives no vectors in the form of OpenAI'

describe('an endpoint that', () => {
  test.each<[string, Reply, string, number]>([
    ['rejects the key', status(401), 'rejects the key (401); set ASSIST_EMBEDDINGS_KEY', 1],
    ['has no such model', status(404), 'has no such address or model (404): mini', 1],
    ['refuses for an hour', status(429, '3600'), 'answers 429', 1],
    ['refuses always', status(429, '0'), 'answers 429', 3],
    ['fails', status(500, '0'), 'answers 500', 3],
    ['leads elsewhere', status(307), 'answers 307', 1],
    ['gives too few', (all, to) => send(to, 200, { data: dataOf(all).slice(1) }), 'gives 1 vectors for 2', 1],
    ['gives other sizes', vectors((at) => [1, 2, 3].slice(at)), 'gives vectors of 2 and of 3 numbers', 1],
    ['gives null', vectors(() => [null, 1]), NO_VECTORS, 1],
    ['gives zeros', vectors(() => [0, 0]), 'gives an empty vector', 1],
    ['gives a page', (_, to) => send(to, 200, '<html>'), NO_VECTORS, 1],
  ])('%s is named in one line', async (_, answer, reason, calls) => {
    reply = answer
    const endpoint = endpointOf()
    const error: unknown = await vectorsOf(['one', 'three'], endpoint).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'EmbeddingsError' })
    expect(String(error)).toContain(`${endpoint.url} ${reason}`)
    expect(String(error)).not.toMatch(/\n|sk-embeddings/)
    expect(inputs).toHaveLength(calls)
  })

  test('stands behind a proxy is reached through it', async () => {
    const proxy = await startProxy({ port: (server.address() as AddressInfo).port })
    const url = 'http://gate.example.com/v1'
    try {
      const behind = endpointOf({ url, ports: portsWith({ HTTP_PROXY: proxy.url }) })
      expect((await vectorsOf(['one'], behind)).size).toBe(1)
      expect(proxy.tunnels).toEqual(['gate.example.com:80'])
      const broken = endpointOf({ url, ports: portsWith({ HTTP_PROXY: 'ftp://proxy' }) })
      await expect(vectorsOf(['one'], broken)).rejects.toThrow('cannot be reached: HTTP_PROXY has the scheme')
    } finally {
      await proxy.close()
    }
  })

  test('refuses once, or hangs up once, is asked again', async () => {
    const answers: Reply[] = [status(429, '0'), (_, to) => to.destroy(), good]
    reply = (...given) => answers.shift()?.(...given)
    expect((await vectorsOf(['one'], endpointOf())).size).toBe(1)
    expect(inputs).toHaveLength(3)
  })

  test('is slow is given up', async () => {
    reply = () => undefined
    await expect(vectorsOf(['one'], endpointOf({ timeoutMs: 50 }))).rejects.toThrow('gave no answer in time')
  })

  test('is lost after the first batch loses nothing that it gave', async () => {
    const endpoint = endpointOf()
    const texts = Array.from({ length: 33 }, (_, number) => 'y'.repeat(number + 1))
    reply = (input, response, request) =>
      input.length === 32 ? good(input, response, request) : send(response, 403, {})
    await expect(vectorsOf(texts, endpoint)).rejects.toThrow('403')
    reply = good
    await vectorsOf(texts, endpoint)
    expect(inputs.map(({ length }) => length)).toEqual([32, 1, 1])
  })
})

test.each([
  ['gate/v1', 'm', 'is not a URL'],
  ['ftp://gate/v1', 'm', 'has the scheme ftp://'],
  ['http://gate.example.com/v1', 'm', 'is plain http'],
  ['https://kim:secret@gate.example.com', 'm', 'contains a user name'],
  ['https://gate.example.com/v1?key=x', 'm', 'contains a query'],
  ['https://gate.example.com/v1', undefined, 'needs --embeddings-model NAME'],
])('%s with the model %s is rejected', (embeddings, embeddingsModel, reason) => {
  expect(() => readEmbeddings({ embeddings, embeddingsModel }, portsWith())).toThrow(reason)
})

test('plain http is for this machine, or with --allow-http', () => {
  const ports = portsWith({ ASSIST_EMBEDDINGS_KEY: ` ${KEY}\n` })
  const read = (embeddings: string, allowHttp: boolean) =>
    readEmbeddings({ embeddings, embeddingsModel: 'm', allowHttp }, ports)
  const local = { url: 'http://localhost:11434/v1', key: KEY }
  expect(read('http://localhost:11434/v1/', false)).toMatchObject(local)
  expect(read('http://gate.example.com/v1', true)?.url).toBe('http://gate.example.com/v1')
  expect(ports.secrets.mask(`Bearer ${KEY}`)).not.toContain(KEY)
})

describe('a report', () => {
  const VECTORS: Readonly<Record<string, number[]>> = {
    'Where may I plug in my buggy?': [1, 0.1, 0],
    'Electric carts': [1, 0, 0.1],
    'Parking permits': [0, 1, 0],
    'Annual leave': [0, 0, 1],
  }
  const reportWith = async (name: string) => {
    const [folder, articles] = [join(scratch, name, 'run'), join(scratch, name, 'articles')]
    mkdirSync(articles, { recursive: true })
    for (const title of Object.keys(VECTORS).slice(1))
      writeFileSync(join(articles, `${title.slice(0, 3)}.md`), `# ${title}\n\nRead this text about it.\n`)
    const question = makeQuestion('q', 't', 1, { message: 'Where may I plug in my buggy?' })
    recordRun(folder, { turns: [makeTurn({ question, result: makeReply('MODEL', 'I do not know.') })] })
    const { url: embeddings } = endpointOf()
    const reported = await report({ run: folder, articles, embeddings, embeddingsModel: 'mini' })
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const results = readFileSync(join(folder, 'results.csv'), 'utf8')
    return { ...(reported as RunResult), results, files: files.join('\n') }
  }

  test('finds an article by its vector alone, sends questions and titles, and says so before', async () => {
    vi.stubEnv('ASSIST_EMBEDDINGS_KEY', KEY)
    reply = (input, to) =>
      send(to, 200, { data: input.map((text) => ({ embedding: VECTORS[text] ?? [0.5, 0.5, 0.5] })) })
    const { notes, results, files } = await reportWith('good')
    expect(notes.join('\n')).toMatch(
      /Questions, titles and headings go to http:\/\/127\.0\.0\.1:\d+\/v1 \(mini\)/,
    )
    expect(inputs.flat().toSorted()).toEqual(Object.keys(VECTORS).toSorted())
    expect(results).toContain(',Ele,')
    expect(files).not.toContain(KEY)
    vi.unstubAllEnvs()
  })

  test('goes on by terms where the endpoint is lost', async () => {
    reply = (_, to) => send(to, 500, '', { 'retry-after': '0' })
    const { summary, results } = await reportWith('lost')
    expect(summary.warnings.map(({ text }) => text).join('\n')).toMatch(
      /Causes of gaps are found without vectors: http:\S+ answers 500\./,
    )
    expect(results).not.toContain(',Ele,')
    expect(summary.articles?.read).toBe(3)
  })
})
