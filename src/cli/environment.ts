// Environment variables, and the key among them.
import { createHash } from 'node:crypto'
import { createSecret, type Secret } from '../domain/secret.ts'
import { keyFault } from './api-key/key-fault.ts'
import { keepSecret } from './output.ts'
import { UsageError } from '../library/usage-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const fingerprintOf = (value: string): string =>
  createHash('sha256').update(value).digest('hex').slice(0, 8)

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

/** Of a command that needs no key: the one that stands in the variable is kept out of what it says, too. */
export function hideKey(variable: string): void {
  const value = process.env[variable]?.trim() ?? ''
  if (keyFault(value) === undefined) keepSecret(createSecret(value, fingerprintOf(value)))
}
