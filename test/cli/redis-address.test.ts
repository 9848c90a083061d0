// Where Redis is, from the environment alone; and words about its troubles that hold no secret.
import { describe, expect, test } from 'vitest'
import { placeOf, readRedisAddress } from '../../src/cli/redis-address.ts'
import { describeRedisTrouble } from '../../src/cli/redis-trouble.ts'

const plain = { tls: false, database: 0, username: undefined, password: undefined }

test.each([
  ['redis://desk', { ...plain, host: 'desk', port: 6379 }, 'desk:6379'],
  ['rediss://desk:7000/3', { ...plain, host: 'desk', port: 7000, tls: true, database: 3 }, 'desk:7000'],
  ['redis://[::1]:6380', { ...plain, host: '::1', port: 6380 }, '[::1]:6380'],
  [
    ' redis://ann:p%40ss-word@desk ',
    { ...plain, host: 'desk', port: 6379, username: 'ann', password: 'p@ss-word' },
    'desk:6379',
  ],
])('%s', (url, address, place) => {
  const read = readRedisAddress({ ASSIST_REDIS_URL: url })
  expect(read).toEqual(address)
  expect(placeOf(read)).toBe(place)
})

test('user name and password of their own come before those of the address', () => {
  const address = readRedisAddress({
    ASSIST_REDIS_URL: 'redis://ann:other-word@desk',
    ASSIST_REDIS_USERNAME: 'bea',
    ASSIST_REDIS_PASSWORD: 'pass-word',
  })
  expect(address).toMatchObject({ username: 'bea', password: 'pass-word' })
})

describe('what is refused says why, and repeats nothing', () => {
  test.each([
    [undefined, /ASSIST_REDIS_URL, like redis:/],
    ['  ', /ASSIST_REDIS_URL, like redis:/],
    ['desk:6379', /is not the address of a Redis/],
    ['https://u:secret-word@desk', /is not the address of a Redis/],
    ['redis://', /is not the address of a Redis/],
    ['redis://u:secret-word@desk/name', /number of a database/],
    ['redis://u:secret-word@desk?family=6', /number of a database/],
    ['redis://u:secret-word/more@desk', /better given in ASSIST_REDIS_PASSWORD$/],
    ['redis://:12/secret-word@desk', /better given in ASSIST_REDIS_PASSWORD$/],
    ['unix:///run/redis.sock', /is not the address of a Redis/],
  ])('%s', (url, reason) => {
    const read = (): unknown => readRedisAddress({ ASSIST_REDIS_URL: url })
    expect(read).toThrow(reason)
    expect(read).not.toThrow(/secret-word/)
  })
})

test.each([
  [
    'WRONGPASS invalid username-password pair or user is disabled.',
    undefined,
    /refuses the user name or password/,
  ],
  ['NOAUTH Authentication required.', undefined, /wants a password/],
  ["NOPERM this user has no permissions to run the 'eval' command", undefined, /~assist-harness:\*/],
  ['connect ETIMEDOUT', 'ETIMEDOUT', /cannot be reached \(ETIMEDOUT\)/],
  ['ERR DB index is out of range', undefined, /Redis at desk:6379 has no database 0;/],
  [
    'Unknown RESP type 72 "H". Please report this.',
    undefined,
    /^what answers at desk:6379 is no Redis; is ASSIST_REDIS_URL right\?$/,
  ],
  [
    'MOVED 415 10.0.0.3:7001',
    undefined,
    /on another; set ASSIST_REDIS_URL to redis:\/\/10\.0\.0\.3:7001 in all of them/,
  ],
  ['MISCONF Redis is configured to save', undefined, /takes no writes now \(MISCONF\)/],
  ['-DENIED Redis is running in protected mode', undefined, /its own machine alone \(protected mode\)/],
  ['ERR max number of clients reached', undefined, /takes no more connections/],
  ["ERR unknown command 'auth', with args beginning with: 'x' 'secret-word'", undefined, /^(?!.*secret)/],
  ['Hostname does not match', 'ERR_TLS_CERT_ALTNAME_INVALID', /certificate that is not for desk;/],
  ['alert', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /wants a certificate of its clients/],
  ['no answer within 5 s', undefined, /cannot be used: no answer within 5 s/],
])('%s', (message, code, words) => {
  const error = Object.assign(new Error(message), code === undefined ? {} : { code })
  expect(describeRedisTrouble(error, { ...plain, host: 'desk', port: 6379 })).toMatch(words)
})
