// Where Redis is, from the environment alone; what is wrong with it is said without its password.
import { describe, expect, test } from 'vitest'
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
  expect(readRedisAddress({ ASSIST_REDIS_URL: url })).toEqual(address)
})

describe('what is refused says why, and repeats nothing', () => {
  test.each([
    [undefined, /needs the environment variable ASSIST_REDIS_URL, like redis:/],
    ['  ', /needs the environment variable ASSIST_REDIS_URL, like redis:/],
    ['desk:6379', /is not the address of a Redis/],
    ['https://u:secret-word@desk', /is not the address of a Redis/],
    ['redis://', /is not the address of a Redis/],
    ['redis://u:secret-word@desk/name', /is not the address of a Redis/],
    ['redis://u:secret-word@desk?family=6', /is not the address of a Redis/],
    ['redis://u:secret-word/more@desk', /a password's special characters stand as in %23$/],
    ['redis://:12/secret-word@desk', /a password's special characters stand as in %23$/],
    ['unix:///run/redis.sock', /is not the address of a Redis/],
  ])('%s', (url, reason) => {
    const read = (): unknown => readRedisAddress({ ASSIST_REDIS_URL: url })
    expect(read).toThrow(reason)
    expect(read).not.toThrow(/secret-word/)
  })
})
