// Where Redis is, and how to get in: from the environment alone, so that a password is never an argument.
import { createSecret } from '../domain/secret.ts'
import type { RedisAddress } from '../pace/shared/redis-bus.ts'
import { fingerprintOf, type Environment } from './environment.ts'
import { keepSecret } from './output.ts'
import { UsageError } from '../library/usage-error.ts'

const EXAMPLE = 'like redis://redis.example.com:6379, or rediss:// for TLS'
/** What a password may hold, and an address not as it stands. */
const PASSWORD_HINT =
  '; a password of other signs than letters and digits is better given in ASSIST_REDIS_PASSWORD'

/** Throws UsageError. No message repeats the variable: a password may stand in it. */
export function readRedisAddress(environment: Environment): RedisAddress {
  const text = environment['ASSIST_REDIS_URL']?.trim() ?? ''
  if (text === '')
    throw new UsageError(`--limiter redis needs the environment variable ASSIST_REDIS_URL, ${EXAMPLE}`)
  const url = parse(text)
  if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    throw new UsageError(
      `ASSIST_REDIS_URL is not the address of a Redis: write it ${EXAMPLE}${hintFor(text)}`,
    )
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1]
  if (database === undefined || url.search !== '' || url.hash !== '')
    throw new UsageError(
      `ASSIST_REDIS_URL may end with the number of a database, as in redis://redis.example.com:6379/2, and with nothing else${hintFor(text)}`,
    )
  const username = given(environment['ASSIST_REDIS_USERNAME']) ?? given(decode(url.username))
  const password = given(environment['ASSIST_REDIS_PASSWORD']) ?? given(decode(url.password))
  if (password !== undefined) keepSecret(createSecret(password, fingerprintOf(password)))
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? 6379 : Number(url.port),
    tls: url.protocol === 'rediss:',
    database: Number(database),
    username,
    password,
  }
}

/** For people: where it is, without who gets in. */
export const placeOf = ({ host, port }: RedisAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

const hintFor = (text: string): string => (text.includes('@') ? PASSWORD_HINT : '')

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
