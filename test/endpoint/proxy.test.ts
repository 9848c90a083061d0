// Protects which proxy is used for an endpoint. cli/networks.test.ts sends through proxies.
import { expect, test } from 'vitest'
import { chooseProxy } from '../../src/endpoint/proxy.ts'

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

test('the login of a proxy is decoded, and is no part of its address', () => {
  const chosen = chooseProxy('https://desk.example.com', { HTTPS_PROXY: 'http://me:p%40ss%23@proxy:3128/' })
  expect(chosen).toMatchObject({
    proxy: { origin: 'http://proxy:3128', login: { user: 'me', password: 'p@ss#' } },
  })
})

test.each([
  ['socks5://me:secret@proxy:1080', 'has the scheme socks5://'],
  ['http://me:secret@pro xy', 'is not the address of a proxy'],
  ['http://me:secret%@proxy', 'has a broken user name or password'],
])('%s is rejected, and its password is not repeated', (written, reason) => {
  const chosen = chooseProxy('https://desk.example.com', { HTTPS_PROXY: written })
  expect(chosen).toMatchObject({ kind: 'rejected', reason: expect.stringContaining(reason) as unknown })
  expect(JSON.stringify(chosen)).not.toContain('secret')
})
