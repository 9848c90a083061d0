// Which base URLs may be sent a key.
import { expect, test } from 'vitest'
import { isLoopback, parseBaseUrl } from '../../src/endpoint/address.ts'

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

test.each([
  ['desk.example.com', /is not a URL/],
  ['ftp://desk.example.com', /scheme ftp:/],
  ['https://user:hunter2@desk.example.com', /user name or password/],
  ['https://desk.example.com/?key=1', /query or fragment/],
  ['https://desk.example.com/#a', /query or fragment/],
  ['https://desk.example.com/api/v1/assist', /which the harness adds/],
  ['http://desk.example.com', /plain http/],
  ['http://127.0.0.1.example.com', /plain http/],
  ['http://10.0.0.1', /plain http/],
])('%s is rejected', (text, reason) => {
  const address = parseBaseUrl(text, false)
  expect(address).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(reason) as string })
  expect(JSON.stringify(address)).not.toContain('hunter2')
})

test('plain http goes to another machine only where it is allowed', () => {
  expect(parseBaseUrl('http://desk.example.com', true).kind).toBe('address')
})

test('loopback is 127.0.0.0/8, ::1 and localhost', () => {
  expect(['127.0.0.1', '127.9.9.9', '[::1]', 'localhost', 'desk.localhost'].every(isLoopback)).toBe(true)
  expect(['128.0.0.1', 'localhost.example.com', '[::2]', '0.0.0.0'].some(isLoopback)).toBe(false)
})
