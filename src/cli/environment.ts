// Environment variables: from the process, and from a file where one is named.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { createSecret, type Secret } from '../domain/secret.ts'
import { plural } from '../domain/digits.ts'
import { keepSecret } from './output.ts'
import { UsageError } from './usage-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The process's environment, over that of the file: as with Node's own `--env-file`. */
export function readEnvironment(file: string | undefined): Environment {
  if (file === undefined) return process.env
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...process.env }
  } catch (error) {
    throw new UsageError(
      `--env-from ${file} cannot be read (${error instanceof Error ? error.message : 'unknown'})`,
    )
  }
}

export const fingerprintOf = (value: string): string =>
  createHash('sha256').update(value).digest('hex').slice(0, 8)

const SHORTEST_KEY = 8

/** The key from its variable, without the outer white space that files leave; kept out of all output at once. */
export function readKey(
  variable: string,
  environment: Environment,
  otherwise = 'or try --sandbox, which needs none',
): Secret {
  const value = environment[variable]?.trim()
  if (value === undefined || value === '')
    throw new UsageError(
      `the key is missing: set the environment variable ${variable}, name another with --api-key-env, ${otherwise}`,
    )
  const fault = keyFault(value)
  if (fault !== undefined) throw new UsageError(`the key in ${variable} ${fault}`)
  const secret = createSecret(value, fingerprintOf(value))
  keepSecret(secret)
  return secret
}

/** What makes a text, without outer white space, no key: words that do not repeat it, and go on with a sentence. */
export function keyFault(value: string): string | undefined {
  if (value === '') return 'is empty; give the whole key'
  // A word that short stands in every record, too: it could not be kept out of them.
  if (value.length < SHORTEST_KEY) return `has only ${plural(value.length, 'character')}; give the whole key`
  // RFC 6750: a bearer token is visible ASCII; anything else would be refused or mangled on the way.
  return /^[\x21-\x7e]+$/.test(value)
    ? undefined
    : 'holds white space, line breaks or signs beyond ASCII; give it anew'
}
