// Keys and passwords that were read, to mask them in every text that leaves the program.
import { createHash } from 'node:crypto'
import { plural } from '../domain/format.ts'
import { createSecret, joinMasks, type Mask, maskText, type Secret } from '../domain/secret.ts'
import { optionError, UsageError } from '../options/faults.ts'

export const KEY_VARIABLE = 'ASSIST_API_KEY'
/** A shorter key would match ordinary text, and could not be masked. */
const MIN_KEY_LENGTH = 8

/** Grows while a command runs: each key and password that it reads. */
export class Secrets {
  readonly #known = new Map<string, Secret>()
  #mask: Mask = joinMasks([])

  keep(value: string): Secret {
    const fingerprint = createHash('sha256').update(value).digest('hex').slice(0, 8)
    const secret = createSecret(value, fingerprint)
    this.#known.set(value, secret)
    this.#mask = joinMasks([...this.#known.values()])
    return secret
  }

  /** Hides all of them: one may be the beginning of another. */
  mask(text: string): string {
    return maskText(text, this.#mask)
  }
}

interface KeyPorts {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: Secrets
}

export function hideKey(variable: string, { env, secrets }: KeyPorts): void {
  const value = env[variable]?.trim() ?? ''
  if (keyFault(value) === undefined) secrets.keep(value)
}

/** Masks a value of the request from here on, unless it is too short. */
export const hideValue = (value: string, { secrets }: KeyPorts): readonly Secret[] =>
  value.length < MIN_KEY_LENGTH ? [] : [secrets.keep(value)]

/** `apiKey` wins over the variable. Throws UsageError for a missing or invalid key. */
export function readKey(variable: string, apiKey: string | undefined, { env, secrets }: KeyPorts): Secret {
  const value = (apiKey ?? env[variable] ?? '').trim()
  if (value === '' && apiKey === undefined)
    throw new UsageError(
      `the key is missing: set the environment variable ${variable}, name another with --api-key-env, ` +
        'or use --sandbox, which needs no key',
    )
  const fault = keyFault(value)
  if (fault === undefined) return secrets.keep(value)
  throw apiKey === undefined
    ? new UsageError(`the key in ${variable} ${fault}`)
    : optionError('apiKey', fault)
}

/** Never repeats the value. */
function keyFault(value: string): string | undefined {
  if (value.length < MIN_KEY_LENGTH) return `has only ${plural(value.length, 'character')}: set the whole key`
  // RFC 6750: a bearer token is visible ASCII.
  return /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : 'contains white space, line breaks or non-ASCII characters; set it again'
}
