// Protects calls in networks as companies have them, of the built program: over TLS, through a proxy, with a client
// certificate, with headers of a gateway. Each against a real server on this machine.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answerJson,
  type Behaviour,
  goodReply,
  type Identity,
  startEndpoint,
  type TestEndpoint,
} from '../support/endpoint.ts'
import { readJournals } from '../support/journals.ts'
import { KEY_ENV } from '../support/program.ts'
import { skipsRedis, startRedis } from '../support/redis-server.ts'
import { freePort } from '../support/free-port.ts'
import { type ProxyRules, startProxy, type TestProxy } from '../support/proxy.ts'
import { openWorkspace } from '../support/workspace.ts'

/** Without openssl the tests that need it are skipped with a warning. On CI they fail. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl && process.env['CI'] !== 'true')
  console.warn('openssl is not installed: the tests that need a certificate are skipped')
const skipsTls = !hasOpenssl && process.env['CI'] !== 'true'

interface Certificate extends Identity {
  /** Path of the certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly path: string
}

/** A certificate that only a client trusts that is given its path, or that of `ca`, the folder of the one that signs it. */
function makeCertificate(folder: string, name = 'IP:127.0.0.1', ca?: string): Certificate {
  mkdirSync(folder, { recursive: true })
  const [keyPath, path] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${basename(folder)}`
  const words = [...request.split(' '), '-addext', `subjectAltName=${name}`, '-keyout', keyPath, '-out', path]
  if (ca !== undefined) words.push('-CA', join(ca, 'certificate.pem'), '-CAkey', join(ca, 'key.pem'))
  const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(path, 'utf8'), path }
}

const set = Array.from({ length: 6 }, (_, index) => `Question ${index}\n`)
const { at, has, put, rows, json, summary, expectExit } = openWorkspace(
  { 'set.csv': `message\n${set.join('')}` },
  KEY_ENV,
)
const DESK = 'https://desk.example.com'
const PASSWORD = 'geheim-0815/im test'
const LOGIN = `me:${encodeURIComponent(PASSWORD)}`
const PACE = '--rate unlimited --concurrency 2'

/** Expects none of the texts on the screen and in any file of the run. */
function expectHidden(texts: readonly string[], screen: string, out: string): void {
  const files = readdirSync(at(out)).map((name) => [name, readFileSync(at(out, name), 'utf8')] as const)
  expect(files.length).toBeGreaterThan(3)
  for (const [name, text] of [['screen', screen] as const, ...files])
    for (const hidden of texts) expect(text.includes(hidden), `${name} holds ${hidden}`).toBe(false)
}

interface Sent {
  /** The desk, and what a run and a load test are given to reach it. */
  readonly to: string
  readonly pace?: string
  readonly out: string
  readonly env: Record<string, string>
  /** What stands on no screen and in no file. */
  readonly hidden: readonly string[]
  /** Before the resume. Gives what is on the screen. */
  readonly between?: () => Promise<string>
}

/** Sends a run, its resume, and a load test: all calls are certain. */
async function sendAll({
  to,
  pace = PACE,
  out,
  env,
  hidden,
  between = async () => Promise.resolve(''),
}: Sent) {
  const first = await expectExit(4, `run set.csv ${to} ${pace} --max-calls 2 --debug --out ${out}/run`, env)
  const said = await between()
  const last = await expectExit(0, `run --resume ${out}/run --max-calls 6 --debug`, env)
  expect(summary(`${out}/run`).quota).toMatchObject({ certain: 6, possible: 0, notCounted: 0 })
  const offer = '--arrival-rate 10/s --duration 400ms --max-calls 4'
  const loaded = await expectExit(0, `load set.csv ${to} ${offer} --out ${out}/load`, env)
  expectHidden(hidden, first.screen + said + last.screen, `${out}/run`)
  expectHidden(hidden, loaded.screen, `${out}/load`)
  return { first, last }
}

describe.skipIf(skipsTls)('a desk behind TLS', () => {
  const THREADS = 30
  /** Longer than a TLS record and a read buffer, so that characters of several bytes lie across their ends. */
  const answerTo = (message: string): string => `${message}: ${'Größe „€" 🙂 '.repeat(9000)}`
  let certificate: Certificate
  let endpoint: TestEndpoint
  const sockets = new Set<unknown>()
  const behave: Behaviour = (call) => {
    sockets.add(call.socket)
    const { message } = call.body
    const bytes = Buffer.from(JSON.stringify({ ...goodReply(call), message: answerTo(message) }))
    call.response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    if (call.number % 2 === 0) call.response.end(bytes)
    else {
      // In two pieces, cut in the middle of a character.
      call.response.write(bytes.subarray(0, 70_001))
      setTimeout(() => call.response.end(bytes.subarray(70_001)), 5)
    }
    return true
  }
  beforeAll(async () => {
    const turns = Array.from({ length: THREADS }, (_, i) => `t${i},First ${i}\nt${i},Second ${i}\n`)
    put('threads.csv', `thread,message\n${turns.join('')}`)
    certificate = makeCertificate(at('tls'))
    endpoint = await startEndpoint(behave, certificate)
  })
  afterAll(async () => endpoint.close())
  test('is called over a few connections, and every answer is whole', async () => {
    const line = `run threads.csv --base-url ${endpoint.url} --rate unlimited --concurrency 4 --out trusted`
    await expectExit(0, line, { NODE_EXTRA_CA_CERTS: certificate.path })
    const results = rows('trusted/results.csv')
    expect(results).toHaveLength(2 * THREADS)
    for (const { message = '', answer } of results) expect(answer === answerTo(message), message).toBe(true)
    expect(sockets.size).toBeLessThanOrEqual(4)
  })

  test('receives nothing if its certificate is for another host name', async () => {
    const misnamed = {
      ...makeCertificate(at('misnamed'), 'DNS:other.example'),
      maxVersion: 'TLSv1.2' as const,
    }
    const other = await startEndpoint(undefined, misnamed)
    const lines = [
      `run set.csv --give-up-after 2s ${PACE}`,
      'load set.csv --arrival-rate 4/s --duration 1s',
      'load set.csv --find-limit --max-calls 10',
    ]
    for (const [index, line] of lines.entries()) {
      const [out, trusted] = [`named-${index}`, { NODE_EXTRA_CA_CERTS: misnamed.path }]
      const { screen } = await expectExit(4, `${line} --base-url ${other.url} --out ${out}`, trusted)
      expect(screen).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
      expect([has(out, 'summary.md'), has(out, 'lock')]).toEqual([true, false])
    }
    expect(other.calls).toEqual([])
    await other.close()
  })

  test('receives nothing if its certificate is not trusted', async () => {
    const before = endpoint.calls.length
    const line = `run set.csv --base-url ${endpoint.url} ${PACE} --give-up-after 1s --out untrusted`
    const { screen } = await expectExit(4, line)
    expect(screen).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(screen).toMatch(/set\s+NODE_EXTRA_CA_CERTS\s+to\s+its\s+CA/)
    expect(endpoint.calls).toHaveLength(before)
    expect(summary('untrusted').quota).toMatchObject({ certain: 0, possible: 0 })
  })
})

describe.skipIf(skipsTls)('a proxy', () => {
  let certificate: Certificate
  let endpoint: TestEndpoint
  const proxies: TestProxy[] = []
  const portOf = ({ url }: TestEndpoint): number => Number(new URL(url).port)
  const openProxy = async (rules: Partial<ProxyRules>): Promise<TestProxy> => {
    const proxy = await startProxy({ port: portOf(endpoint), ...rules })
    proxies.push(proxy)
    return proxy
  }
  /** The environment of a machine that reaches the desk through the proxy alone: no DNS knows its name. */
  const through = ({ port }: TestProxy, login = ''): Record<string, string> => ({
    HTTPS_PROXY: `http://${login === '' ? '' : `${login}@`}127.0.0.1:${port}`,
    NODE_EXTRA_CA_CERTS: certificate.path,
  })
  beforeAll(async () => {
    certificate = makeCertificate(at('desk'), 'DNS:desk.example.com')
    endpoint = await startEndpoint(undefined, certificate)
  })
  afterAll(async () => {
    for (const one of [...proxies, endpoint]) await one?.close()
  })

  test('with a password carries a run, its resume and a load test, and the desk learns no password', async () => {
    const proxy = await openProxy({ login: `me:${PASSWORD}` })
    const basic = Buffer.from(`me:${PASSWORD}`).toString('base64')
    const hidden = [PASSWORD, encodeURIComponent(PASSWORD), basic]
    await sendAll({ to: `--base-url ${DESK}`, out: 'via', env: through(proxy, LOGIN), hidden })
    expect(endpoint.calls.length).toBeGreaterThanOrEqual(8)
    expect(new Set(proxy.tunnels)).toEqual(new Set(['desk.example.com:443']))
    for (const { headers } of endpoint.calls) expect(headers).not.toHaveProperty('proxy-authorization')
  })

  test.each<[string, Partial<ProxyRules>, login: string, RegExp]>([
    [
      'asks for a password',
      { login: 'a:b' },
      '',
      /CONNECT 407, HTTPS_PROXY needs a user name and a password/,
    ],
    [
      'wants another one',
      { login: 'a:b' },
      LOGIN,
      /CONNECT 407, the user name or the password in HTTPS_PROXY is wrong .*, or it wants another login than/,
    ],
    ['does not allow the desk', { refuses: 403 }, LOGIN, /CONNECT 403, this host or port is not allowed/],
    ['does not reach the desk', { refuses: 502 }, LOGIN, /CONNECT 502, it does not reach the endpoint/],
    ['hangs up', { refuses: 0 }, '', /other side closed/],
    ['never answers', { refuses: undefined }, '', /UND_ERR_CONNECT_TIMEOUT/],
    ['is not there', { port: 0 }, '', /connect ECONNREFUSED/],
  ])('that %s is named, and no call counts', async (name, rules, login, message) => {
    const proxy = await openProxy(rules)
    if (rules.port === 0) await proxy.close()
    const out = name.replaceAll(' ', '-')
    // A refused login ends the run at its first call, however long its patience.
    const patience = message.source.includes('407') ? '' : '--give-up-after 1s'
    const line = `run set.csv --base-url ${DESK} ${PACE} ${patience} --timeout 1s --out ${out}`
    const before = endpoint.calls.length
    const screen = (await expectExit(4, line, through(proxy, login))).screen
    const text = screen.replaceAll(/\s+/g, ' ')
    if (name !== 'never answers') expect(text).toContain(`the proxy http://127.0.0.1:${proxy.port}: `)
    expect(text).toMatch(message)
    expect(proxy.tunnels.length).toBeLessThan(20)
    expect(endpoint.calls).toHaveLength(before)
    const { certain, possible, notCounted } = summary(out).quota
    expect([certain, possible]).toEqual([0, 0])
    expect(notCounted).toBeGreaterThan(0)
    expectHidden([PASSWORD, encodeURIComponent(PASSWORD)], screen, out)
  })

  test('that recovers is sent the same calls again, each once', async () => {
    const proxy = await openProxy({ refuses: 503, refusals: 3 })
    await expectExit(0, `run set.csv --base-url ${DESK} ${PACE} --out again`, through(proxy))
    expect(summary('again').turns).toMatchObject({ answered: 6 })
    expect(summary('again').quota).toMatchObject({ certain: 6, possible: 0, notCounted: 3 })
  })

  test('may be reached by TLS itself, and may lead to a desk of plain http', async () => {
    const plain = await startEndpoint()
    const own = makeCertificate(at('own'))
    const proxy = await openProxy({ port: portOf(plain), identity: own })
    const line = `run set.csv --base-url http://desk.example.com --allow-http ${PACE} --out plain`
    await expectExit(0, line, { HTTP_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: own.path })
    expect(new Set(proxy.tunnels)).toEqual(new Set(['desk.example.com:80']))
    expect(plain.calls).toHaveLength(6)
    await plain.close()
  })

  test('is passed by for hosts of NO_PROXY, for plain http to this machine, and by the sandbox', async () => {
    const local = makeCertificate(at('local'))
    const [secure, plain] = [await startEndpoint(undefined, local), await startEndpoint()]
    const proxy = await openProxy({ refuses: 403 })
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: local.path }
    const line = `run set.csv ${PACE} --out`
    await expectExit(0, `${line} excepted --base-url ${secure.url}`, { ...env, NO_PROXY: 'x, 127.0.0.1' })
    await expectExit(0, `${line} loopback --base-url ${plain.url}`, env)
    await expectExit(0, `${line} sandbox --sandbox`, env)
    expect(proxy.tunnels).toEqual([])
    // As curl does.
    await expectExit(4, `${line} taken --give-up-after 1s --base-url ${secure.url}`, env)
    expect(proxy.tunnels.length).toBeGreaterThan(0)
    for (const one of [secure, plain]) await one.close()
  })
})

describe.skipIf(skipsTls || skipsRedis)('a private CA', () => {
  const SECRET = 'geheim-0815-im-test'
  test('is trusted for the desk and for rediss:// alike, and without it nothing is sent', async () => {
    const { path } = makeCertificate(at('company/ca'), 'DNS:ca.example.com')
    const certificate = makeCertificate(at('company'), undefined, at('company/ca'))
    const endpoint = await startEndpoint(undefined, certificate)
    const port = await freePort()
    const files = { key: 'key.pem', cert: 'certificate.pem', 'ca-cert': 'ca/certificate.pem' }
    const tls = Object.entries(files).flatMap(([name, file]) => [`--tls-${name}-file`, at('company', file)])
    const options = ['--tls-port', String(port), '--tls-auth-clients', 'no', ...tls]
    const redis = await startRedis(SECRET, options)
    const ASSIST_REDIS_URL = `rediss://:${SECRET}@127.0.0.1:${port}`
    const env = { ASSIST_REDIS_URL, NODE_EXTRA_CA_CERTS: path }
    const [to, pace] = [`--base-url ${endpoint.url}`, '--limiter redis --rate 50/s']
    const untrusted = await expectExit(2, `run set.csv ${to} ${pace} --out company/no`, { ASSIST_REDIS_URL })
    expect(untrusted.stderr).toMatch(/cannot be used: (unable to verify|self-signed|unable to get)/)
    expect(endpoint.calls).toEqual([])
    const { last } = await sendAll({ to, pace, out: 'company', env, hidden: [SECRET] })
    expect(last.stderr).toMatch(/^Note: limiter: .* through Redis/m)
    await Promise.all([endpoint.close(), redis.close()])
  })
})

describe.skipIf(skipsTls)('a client certificate', () => {
  let [server, client]: Certificate[] = []
  const asking = () => ({ ...server, ca: client?.cert, requestCert: true, rejectUnauthorized: true })
  let endpoint: TestEndpoint
  const env = { NODE_EXTRA_CA_CERTS: at('server', 'certificate.pem') }
  const own = '--client-cert client/certificate.pem --client-key client/key.pem'
  beforeAll(async () => {
    ;[server, client] = ['server', 'client', 'other'].map((name) => makeCertificate(at(name)))
    endpoint = await startEndpoint(undefined, asking() as Identity)
  })
  afterAll(async () => endpoint?.close())

  test('opens a desk that asks for one, to a run, its resume from elsewhere and a load test', async () => {
    const secret = client?.key.split('\n')[1] ?? ''
    expect(secret.length).toBeGreaterThan(20)
    await sendAll({ to: `--base-url ${endpoint.url} ${own}`, out: 'mtls', env, hidden: [secret] })
    // As recorded, relative to the run.
    expect(json('mtls/run/run.json')).toMatchObject({
      options: { clientCert: '../../client/certificate.pem', clientKey: '../../client/key.pem' },
    })
  })

  test('that is missing opens nothing: the desk gets no call', async () => {
    // TLS 1.3 rejects it only after the client has begun to send, which may then count.
    const strict = await startEndpoint(undefined, {
      ...asking(),
      maxVersion: 'TLSv1.2',
    } as unknown as Identity)
    const line = `run set.csv ${PACE} --give-up-after 1s --out`
    const ends = [strict, endpoint].map(async ({ url }, index) =>
      expectExit(4, `${line} mtls/without-${index} --base-url ${url}`, env),
    )
    const before = endpoint.calls.length
    const [first] = await Promise.all(ends)
    expect(first?.screen).toMatch(/last:\s+ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: .*alert handshake/s)
    expect(strict.calls).toEqual([])
    expect(endpoint.calls).toHaveLength(before)
    expect(summary('mtls/without-0').quota).toMatchObject({ certain: 0, possible: 0 })
    expect(summary('mtls/without-1').quota).toMatchObject({ certain: 0 })
    await strict.close()
  })

  test.each([
    ['--client-cert gone.pem --client-key client/key.pem', '--client-cert cannot be read: ENOENT'],
    ['--client-cert set.csv --client-key client/key.pem', 'set.csv holds no certificate in PEM form'],
    [
      '--client-cert client/certificate.pem --client-key client/certificate.pem',
      'certificate.pem holds no private key in PEM form',
    ],
    ['--client-cert client/certificate.pem --client-key other/key.pem', 'do not fit: '],
    ['--client-cert client/certificate.pem --client-key locked.pem', 'locked.pem is encrypted'],
  ])('that cannot be used is one error before the first call: %s', async (options, message) => {
    const kind = 'ENCRYPTED PRIVATE KEY-----'
    put('locked.pem', `-----BEGIN ${kind}\nMIH0MF8GCSqGSIb3DQ\n-----END ${kind}\n`)
    const before = endpoint.calls.length
    const line = `run set.csv --base-url ${endpoint.url} ${options} --out mtls/no`
    const { stderr } = await expectExit(2, line, env)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message)
    expect(has('mtls/no')).toBe(false)
    expect(endpoint.calls).toHaveLength(before)
  })
})

describe('a header of a gateway', () => {
  const GATEWAY = 'gw-Secret/0123456789+xyz'
  const env = { GATEWAY_KEY: GATEWAY, TENANT: 'acme' }
  const asked = "--header 'X-Gateway-Key: $GATEWAY_KEY' --header 'X-Tenant: ${TENANT}'"
  let endpoint: TestEndpoint
  beforeAll(async () => {
    // It echoes what it gets, as a debugging gateway does.
    endpoint = await startEndpoint((call) => {
      const { headers } = call
      if (headers['x-gateway-key'] !== GATEWAY)
        return answerJson(call, 401, { success: false, error: { code: 'NO_GATEWAY', message: 'no' } })
      const echo = { ...goodReply(call), message: GATEWAY, [GATEWAY]: GATEWAY }
      return answerJson(call, 200, echo, {
        'x-request-id': `for-${GATEWAY}-\u009b31m-${'x'.repeat(400)}`,
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      })
    })
  })
  afterAll(async () => endpoint?.close())
  test('is sent by a run, its resume and a load test, and its value is written nowhere', async () => {
    const between = async (): Promise<string> => {
      const { screen } = await expectExit(2, 'run --resume gateway/run --max-calls 6', { TENANT: 'acme' })
      expect(screen).toContain('--header X-Gateway-Key needs the environment variable GATEWAY_KEY')
      return screen
    }
    const to = `--base-url ${endpoint.url} ${asked}`
    const { first } = await sendAll({ to, out: 'gateway', env, hidden: [GATEWAY], between })
    expect(first.stderr).toContain('the value of TENANT (X-Tenant) has fewer than 8 characters')
    expect(json('gateway/run/run.json')).toMatchObject({
      options: { header: ['X-Gateway-Key: $GATEWAY_KEY', 'X-Tenant: $TENANT'] },
    })
    // The id by which the desk's log names a call, bounded and without what acts on a terminal.
    expect(first.stderr).toMatch(
      /^default attempt 1: .*; x-request-id for-\[key [\da-f]{8}\]-\[U\+009B\]31m-x+$/m,
    )
    const results = readJournals(at('gateway/run'))
      .split('\n')
      .filter((one) => one.includes('"kind":"result"'))
    for (const one of results) {
      const { headers } = (JSON.parse(one) as { result: { headers: Record<string, string> } }).result
      expect(headers['x-request-id']).toMatch(/^for-\[key [\da-f]{8}\]-\[U\+009B\]31m-x+$/)
      expect(headers['x-request-id']?.length).toBeLessThanOrEqual(300)
      expect(headers['traceparent']).toBe('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')
    }
    for (const { headers } of endpoint.calls) expect(headers['x-tenant']).toBe('acme')
    expect(endpoint.calls.length).toBeGreaterThanOrEqual(8)
  })

  test('stands in the config file of one target, and does not go to another', async () => {
    const other = await startEndpoint()
    const front = `{ baseUrl: '${endpoint.url}', header: ['X-Gateway-Key: $GATEWAY_KEY'] }`
    put('gateway.yaml', `targets: { front: ${front}, back: { baseUrl: '${other.url}' } }`)
    const words = '--config gateway.yaml --target front --target back'
    await expectExit(0, `run set.csv ${words} ${PACE} --out gateway/two`, env)
    expect(summary('gateway/two/front').turns).toMatchObject({ answered: 6 })
    for (const { headers } of other.calls) expect(headers).not.toHaveProperty('x-gateway-key')
    await other.close()
  })

  // scenarios/invalid.txt has the other values that are rejected.
  test('with line breaks is an error before the first call', async () => {
    const before = endpoint.calls.length
    const line = `run set.csv --base-url ${endpoint.url} --header 'X-A: $LINES' --out gateway/no`
    const { screen } = await expectExit(2, line, { LINES: 'one\r\nX-B: two' })
    expect(screen).toContain('--header X-A: the value of LINES has line breaks')
    expect(endpoint.calls).toHaveLength(before)
  })
})
