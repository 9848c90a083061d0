// Protects calls in networks as companies have them, of the built program: through a proxy, with a client
// certificate, with headers of a gateway. Each against a real server on this machine.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Certificate, makeCertificate, skipsTls } from '../support/certificate.ts'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.ts'
import { KEY_ENV } from '../support/program.ts'
import { type ProxyRules, startProxy, type TestProxy } from '../support/proxy.ts'
import { openWorkspace } from '../support/workspace.ts'

const set = Array.from({ length: 6 }, (_, index) => `Question ${index}\n`)
const { folder, at, summary, expectExit } = openWorkspace({ 'set.csv': `message\n${set.join('')}` }, KEY_ENV)
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
    certificate = makeCertificate(folder, 'DNS:desk.example.com')
    endpoint = await startEndpoint(undefined, certificate)
  })
  afterAll(async () => {
    for (const one of [...proxies, endpoint]) await one?.close()
  })

  test('with a password carries a run, its resume and a load test, and the desk learns no password', async () => {
    const proxy = await openProxy({ login: `me:${PASSWORD}` })
    const env = through(proxy, LOGIN)
    const first = await expectExit(4, `run set.csv --base-url ${DESK} ${PACE} --max-calls 2 --out via`, env)
    const last = await expectExit(0, 'run --resume via --max-calls 6 --debug', env)
    expect(summary('via').quota).toMatchObject({ certain: 6, possible: 0, notCounted: 0 })
    const load = '--arrival-rate 10/s --duration 400ms --max-calls 4'
    const { screen } = await expectExit(0, `load set.csv --base-url ${DESK} ${load} --out load`, env)
    expect(endpoint.calls.length).toBeGreaterThanOrEqual(8)
    expect(new Set(proxy.tunnels)).toEqual(new Set(['desk.example.com:443']))
    for (const { headers } of endpoint.calls) expect(headers).not.toHaveProperty('proxy-authorization')
    const basic = Buffer.from(`me:${PASSWORD}`).toString('base64')
    const texts = [PASSWORD, encodeURIComponent(PASSWORD), basic]
    expectHidden(texts, first.screen + last.screen, 'via')
    expectHidden(texts, screen, 'load')
  })

  test.each<[string, Partial<ProxyRules>, string, RegExp]>([
    ['asks for a password', { login: 'a:b' }, '', /answers CONNECT with 407: it asks for a user name/],
    ['wants another password', { login: 'a:b' }, LOGIN, /with 407: it does not accept the user name and/],
    ['does not allow the desk', { refuses: 403 }, LOGIN, /with 403: it does not allow this host and port/],
    ['does not reach the desk', { refuses: 502 }, LOGIN, /with 502: it does not reach the endpoint/],
    ['hangs up', { refuses: 0 }, '', /other side closed/],
  ])('that %s is named, and no call counts', async (name, rules, login, message) => {
    const proxy = await openProxy(rules)
    const out = name.replaceAll(' ', '-')
    const line = `run set.csv --base-url ${DESK} ${PACE} --give-up-after 1s --timeout 1s --out ${out}`
    const before = endpoint.calls.length
    const { screen } = await expectExit(4, line, through(proxy, login))
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(`through the proxy http://127.0.0.1:${proxy.port}:`)
    expect(screen.replaceAll(/\s+/g, ' ')).toMatch(message)
    expect(proxy.tunnels.length).toBeLessThan(20)
    expect(endpoint.calls).toHaveLength(before)
    const { certain, possible, notCounted } = summary(out).quota
    expect([certain, possible]).toEqual([0, 0])
    expect(notCounted).toBeGreaterThan(0)
    expectHidden([PASSWORD, encodeURIComponent(PASSWORD)], screen, out)
  })

  test('that never answers is given up after the time for a connection, and no call counts', async () => {
    const proxy = await openProxy({ refuses: undefined })
    const line = `run set.csv --base-url ${DESK} ${PACE} --give-up-after 1s --timeout 1s --out silent`
    const { screen } = await expectExit(4, line, through(proxy))
    expect(screen).toContain('UND_ERR_CONNECT_TIMEOUT')
    expect(summary('silent').quota).toMatchObject({ certain: 0, possible: 0 })
  })

  test('that recovers is sent the same calls again, each once', async () => {
    const rules: { port: number; refuses?: number | undefined } = { port: portOf(endpoint), refuses: 503 }
    const proxy = await startProxy(rules)
    proxies.push(proxy)
    setTimeout(() => delete rules.refuses, 1500)
    await expectExit(0, `run set.csv --base-url ${DESK} ${PACE} --out again`, through(proxy))
    expect(summary('again').turns).toMatchObject({ answered: 6 })
    expect(summary('again').quota).toMatchObject({ certain: 6, possible: 0 })
    expect(summary('again').quota.notCounted).toBeGreaterThan(0)
  })

  test('that is not there, or a desk behind it without a trusted certificate, is named', async () => {
    const gone = await openProxy({})
    await gone.close()
    const proxy = await openProxy({})
    const line = `run set.csv --base-url ${DESK} ${PACE} --give-up-after 1s --out`
    const there = await expectExit(4, `${line} gone`, through(gone))
    expect(there.screen).toContain(`the proxy http://127.0.0.1:${gone.port}: connect ECONNREFUSED`)
    const untrusted = { ...through(proxy), NODE_EXTRA_CA_CERTS: '' }
    const { screen } = await expectExit(4, `${line} untrusted`, untrusted)
    expect(screen).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
    for (const out of ['gone', 'untrusted'])
      expect(summary(out).quota).toMatchObject({ certain: 0, possible: 0 })
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

  test('whose address is none is an error before the first call', async () => {
    const env = { HTTPS_PROXY: `socks5://me:${encodeURIComponent(PASSWORD)}@127.0.0.1:1080` }
    const { screen } = await expectExit(2, `run set.csv --base-url ${DESK} --out none`, env)
    expect(screen).toContain('HTTPS_PROXY has the scheme socks5://')
    expect(screen).not.toContain(encodeURIComponent(PASSWORD))
  })
})
