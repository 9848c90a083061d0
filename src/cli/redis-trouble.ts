// Why Redis cannot be used, and what to do, in plain words: never with what was sent to it.
import type { RedisAddress } from '../pace/shared/redis-bus.ts'
import { placeOf } from './redis-address.ts'

export function describeRedisTrouble(error: unknown, address: RedisAddress): string {
  const said = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const where = `Redis at ${placeOf(address)}`
  if (/^(WRONGPASS|ERR invalid password|ERR AUTH)/.test(said) || said.includes('without any password'))
    return `${where} refuses the user name or password; correct ASSIST_REDIS_USERNAME and ASSIST_REDIS_PASSWORD`
  if (said.startsWith('NOAUTH')) return `${where} wants a password; set ASSIST_REDIS_PASSWORD`
  if (said.startsWith('NOPERM'))
    return `${where} does not let this user do what is needed; allow it ~assist-harness:* &assist-harness:* +@all`
  if (/DB index|SELECT is not allowed/i.test(said))
    return `${where} has no database ${address.database}; correct the number at the end of ASSIST_REDIS_URL`
  if (said.startsWith('Unknown RESP type') || said.startsWith('Protocol error'))
    return `what answers at ${placeOf(address)} is no Redis; is ASSIST_REDIS_URL right?`
  if (code !== undefined)
    return `${where} cannot be reached (${code}); is it running, and is ASSIST_REDIS_URL right?`
  return `${where} cannot be used: ${said}; is ASSIST_REDIS_URL right?`
}
