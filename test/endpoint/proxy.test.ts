// Protects which proxy is used for an endpoint, and that a call through a tunnel ends as a direct one does.
// cli/networks.test.ts sends through proxies by the built program.
import { expect, onTestFinished, test } from 'vitest'
import { chooseProxy } from '../../src/endpoint/proxy.ts'
import { answerJson, type Behaviour, goodReply, openEndpoint } from '../support/endpoint.ts'
import { type ProxyRules, startProxy } from '../support/proxy.ts'
import { readRows } from '../support/rows.ts'
import { openClient } from './open-client.ts'

const both = { HTTPS_PROXY: 'http://secure:3128', HTTP_PROXY: 'http://plain:3128' }

test.each<[string, Record<string, string>, string | undefined]>([
  ['https://desk.example.com', {}, undefined],
  ['https://desk.example.com', { HTTPS_PROXY: ' ' }, undefined],
  ['https://desk.example.com', both, 'HTTPS_PROXY http://secure:3128'],
  ['http://desk.example.com', both, 'HTTP_PROXY http://plain:3128'],
  // Each scheme has its own, as with curl.
  ['http://desk.example.com', { HTTPS_PROXY: 'http://secure:3128' }, undefined],
  ['https://desk.example.com', { HTTP_PROXY: 'http://plain:3128' }, undefined],
  ['https://desk.example.com', { ...both, https_proxy: 'http://lower' }, 'https_proxy http://lower'],
  ['https://desk.example.com', { ...both, https_proxy: '' }, 'HTTPS_PROXY http://secure:3128'],
  ['https://desk.example.com', { HTTPS_PROXY: 'secure:3128' }, 'HTTPS_PROXY http://secure:3128'],
  ['https://desk.example.com', { HTTPS_PROXY: 'https://secure' }, 'HTTPS_PROXY https://secure'],
  // A proxy could read the key.
  ['http://127.0.0.1:8080', both, undefined],
  ['http://localhost', both, undefined],
  ['https://127.0.0.1:8443', both, 'HTTPS_PROXY http://secure:3128'],
])('the proxy of %s under %o is %s', (origin, environment, expected) => {
  const chosen = chooseProxy(origin, environment)
  const said = chosen.kind === 'proxy' ? `${chosen.proxy.variable} ${chosen.proxy.origin}` : undefined
  expect(said).toBe(expected)
})

test.each([
  ['http://proxy', undefined],
  ['http://me@proxy', { user: 'me', password: '' }],
  ['http://:secret@proxy', { user: '', password: 'secret' }],
])('the login in %s is %o', (HTTPS_PROXY, login) => {
  expect(chooseProxy('https://desk.example.com', { HTTPS_PROXY })).toMatchObject({ proxy: { login } })
})

/** As curl 7.88 answers, down to the comment. */
test.each(
  readRows<[list: string, host: string, isDirect: boolean]>(new URL('no-proxy.ndjson', import.meta.url)),
)('with NO_PROXY="%s" https://%s is reached directly: %s', (NO_PROXY, host, isDirect) => {
  const chosen = chooseProxy(`https://${host}`, { ...both, NO_PROXY })
  expect(chosen.kind).toBe(isDirect ? 'direct' : 'proxy')
})

test.each([
  [{ no_proxy: 'desk.example.com', NO_PROXY: 'x' }, 'direct'],
  [{ no_proxy: 'x', NO_PROXY: 'desk.example.com' }, 'proxy'],
  [{ no_proxy: '', NO_PROXY: 'desk.example.com' }, 'direct'],
])('no_proxy comes before NO_PROXY, unless it is empty: %o', (environment, kind) => {
  expect(chooseProxy('https://desk.example.com', { ...both, ...environment }).kind).toBe(kind)
})

/** A client of an endpoint whose name the proxy alone knows. `order`: what happened, in order. */
async function through(behave: Behaviour, rules: Partial<ProxyRules> = {}, timeoutMs = 5000) {
  const order: string[] = []
  const endpoint = await openEndpoint((call) => {
    order.push('called')
    return behave(call)
  })
  const proxy = await startProxy({ port: Number(new URL(endpoint.url).port), ...rules })
  onTestFinished(async () => proxy.close())
  const client = openClient('http://desk.example.com', {
    headers: { 'x-gateway': 'own' },
    proxy: { origin: proxy.url, variable: 'HTTP_PROXY', login: undefined },
    timeoutMs,
  })
  const beforeSend = (): void => void order.push(`${proxy.tunnels.length} tunnels, sending`)
  return { ask: async () => client.ask({ message: 'one' }, beforeSend), order, endpoint, proxy }
}

test('the intent is recorded once the tunnel is open, and connections are used again after early hints', async () => {
  const { ask, order, endpoint, proxy } = await through((call) => {
    call.response.writeEarlyHints({ link: '</a.css>; rel=preload' })
    return answerJson(call, 200, goodReply(call))
  })
  for (let calls = 0; calls < 3; calls += 1) expect((await ask()).result.kind).toBe('reply')
  const each = ['1 tunnels, sending', 'called']
  expect(order).toEqual([...each, ...each, ...each])
  expect(proxy.tunnels).toEqual(['desk.example.com:80'])
  expect(endpoint.calls[0]?.headers).toMatchObject({ host: 'desk.example.com', 'x-gateway': 'own' })
})

test('what a call meets in the tunnel may count; what the proxy refuses is never sent', async () => {
  const silent = await through(() => true, {}, 300)
  expect((await silent.ask()).result).toMatchObject({ kind: 'timeout' })
  const cut = await through(({ socket }) => socket.destroy() !== undefined)
  expect((await cut.ask()).result).toMatchObject({ kind: 'network', sent: true })
  const gateway = await through((call) => answerJson(call, 502, {}))
  expect((await gateway.ask()).result).toMatchObject({ kind: 'rejection', httpStatus: 502 })
  const refused = await through(() => false, { refuses: 302 })
  expect((await refused.ask()).result).toMatchObject({ kind: 'network', sent: false, code: 'PROXY_302' })
  expect([refused.order, refused.proxy.tunnels.length]).toEqual([[], 1])
})
