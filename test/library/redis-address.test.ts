// Where Redis is, from the environment alone. What is rejected, without its password: scenarios/invalid.txt.
import { expect, test, vi } from 'vitest'
import { readRedisAddress } from '../../src/library/limiters.ts'

const plain = { tls: false, database: 0, username: undefined, password: undefined }

test.each([
  ['redis://desk', { ...plain, host: 'desk', port: 6379 }],
  ['rediss://desk:7000/3', { ...plain, host: 'desk', port: 7000, tls: true, database: 3 }],
  ['redis://[::1]:6380', { ...plain, host: '::1', port: 6380 }],
  [
    ' redis://ann:p%40ss-word@desk ',
    { ...plain, host: 'desk', port: 6379, username: 'ann', password: 'p@ss-word' },
  ],
])('%s', (url, address) => {
  vi.stubEnv('ASSIST_REDIS_URL', url)
  expect(readRedisAddress()).toEqual(address)
})
