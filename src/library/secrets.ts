// Keys and passwords that this process has read, to mask them in every message.
import { createHash } from 'node:crypto'
import { plural } from '../domain/text.ts'
import { createSecret, maskText, type Secret } from '../domain/secret.ts'
import { optionError, UsageError } from '../options/faults.ts'

/** The environment variable of the key, unless `--api-key-env` names another. */
export const KEY_VARIABLE = 'ASSIST_API_KEY'
/** A shorter key would match ordinary text, and could not be masked. */
const SHORTEST_KEY = 8

const known = new Map<string, Secret>()

/** First 8 hex digits of SHA-256: identifies a key without revealing it. */
const fingerprintOf = (value: string): string => createHash('sha256').update(value).digest('hex').slice(0, 8)

/** From now on `maskSecrets` hides it. */
export function keepSecret(value: string): Secret {
  const secret = createSecret(value, fingerprintOf(value))
  known.set(value, secret)
  return secret
}

export const maskSecrets = (text: string): string => [...known.values()].reduce(maskText, text)

/** Masks the key in the variable, if there is one. */
export function hideKey(variable: string): void {
  const value = process.env[variable]?.trim() ?? ''
  if (keyFault(value) === undefined) keepSecret(value)
}

/** `given`: the key itself, before the variable. Throws UsageError for a missing or invalid key. */
export function readKey(variable: string, given: string | undefined): Secret {
  const value = (given ?? process.env[variable] ?? '').trim()
  if (value === '' && given === undefined)
    throw new UsageError(
      `the key is missing: set the environment variable ${variable}, name another with --api-key-env, or use --sandbox, which needs no key`,
    )
  const fault = keyFault(value)
  if (fault === undefined) return keepSecret(value)
  throw given === undefined ? new UsageError(`the key in ${variable} ${fault}`) : optionError('apiKey', fault)
}

/** Never repeats the value. */
function keyFault(value: string): string | undefined {
  if (value.length < SHORTEST_KEY) return `has only ${plural(value.length, 'character')}: set the whole key`
  // RFC 6750: a bearer token is visible ASCII.
  return /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : 'contains white space, line breaks or non-ASCII characters; set it again'
}
