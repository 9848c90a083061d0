// Protects which base URLs may receive a key. scenarios/invalid.txt covers rejected ones.
import { expect, test } from 'vitest'
import { isLoopback } from '../../src/domain/loopback.ts'
import { parseBaseUrl } from '../../src/endpoint/address.ts'

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
