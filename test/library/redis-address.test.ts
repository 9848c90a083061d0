// Protects how the address of Redis is read from the environment. scenarios/invalid.txt covers rejected addresses.
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { readRedisUrl } from '../../src/library/targets.ts'
import { realPorts } from '../../src/library/ports.ts'

const plain = { tls: undefined, db: 0, username: null, password: null }

test.each([
  ['redis://desk', { ...plain, host: 'desk', port: 6379 }],
  ['rediss://desk:7000/3', { ...plain, host: 'desk', port: 7000, tls: true, db: 3 }],
  ['redis://[::1]:6380', { ...plain, host: '::1', port: 6380 }],
  [
    ' redis://ann:p%40ss-word@desk ',
    { ...plain, host: 'desk', port: 6379, username: 'ann', password: 'p@ss-word' },
  ],
])('%s is read', (url, address) => {
  const { href } = readRedisUrl({ ...realPorts(), env: { ASSIST_REDIS_URL: url } })
  expect({ tls: undefined, ...new Redis(href, { lazyConnect: true }).options }).toMatchObject(address)
})
