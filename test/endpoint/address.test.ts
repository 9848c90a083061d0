// Protects which base URLs may receive a key. scenarios/invalid.txt covers rejected ones.
import { expect, test } from 'vitest'
import { isLoopback, parseBaseUrl, proxyVariable } from '../../src/endpoint/address.ts'

test.each([
  ['https://desk.example.com', 'https://desk.example.com', '/api/v1/assist'],
  [' https://desk.example.com/ ', 'https://desk.example.com', '/api/v1/assist'],
  ['https://example.com/desk//', 'https://example.com', '/desk/api/v1/assist'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', '/api/v1/assist'],
  ['http://[::1]:8080', 'http://[::1]:8080', '/api/v1/assist'],
  ['http://localhost', 'http://localhost', '/api/v1/assist'],
])('%s is accepted', (text, origin, assistPath) => {
  expect(parseBaseUrl(text, false)).toMatchObject({ kind: 'address', origin, assistPath })
})

test('--allow-http accepts plain http to another machine', () => {
  expect(parseBaseUrl('http://desk.example.com', true).kind).toBe('address')
})

test('loopback is 127.0.0.0/8, ::1 and localhost', () => {
  expect(['127.0.0.1', '127.9.9.9', '[::1]', 'localhost', 'desk.localhost'].every(isLoopback)).toBe(true)
  expect(['128.0.0.1', 'localhost.example.com', '[::2]', '0.0.0.0'].some(isLoopback)).toBe(false)
})

const proxy = { HTTPS_PROXY: 'http://proxy:3128', http_proxy: 'http://proxy:3128' }
test.each<[string, Record<string, string>, string | undefined]>([
  ['https://desk.example.com', {}, undefined],
  ['https://desk.example.com', { HTTPS_PROXY: '' }, undefined],
  ['https://desk.example.com', proxy, 'HTTPS_PROXY'],
  ['http://desk.example.com', proxy, 'HTTP_PROXY'],
  ['http://desk.example.com', { HTTPS_PROXY: 'http://proxy:3128' }, undefined],
  ['http://127.0.0.1:8080', proxy, undefined],
  ['https://desk.localhost', proxy, undefined],
  ['https://desk.example.com', { ...proxy, NO_PROXY: '*' }, undefined],
  ['https://desk.example.com', { ...proxy, NO_PROXY: 'intern, Example.com' }, undefined],
  ['https://desk.example.com', { ...proxy, no_proxy: 'intern .example.com' }, undefined],
  ['https://desk.example.com', { ...proxy, NO_PROXY: '*.example.com' }, undefined],
  ['https://desk.example.com', { ...proxy, NO_PROXY: 'desk.example.com:443' }, undefined],
  ['https://desk.example.com', { ...proxy, NO_PROXY: 'desk.example.com:8443,ample.com,' }, 'HTTPS_PROXY'],
])('the proxy of %s under %o is that of %s', (origin, environment, variable) => {
  expect(proxyVariable(origin, environment)).toBe(variable)
})
