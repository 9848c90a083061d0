// Environment variables: from the process, and from a file where one is named.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { createSecret, type Secret } from '../domain/secret.ts'
import { keyFault } from './api-key/key-fault.ts'
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

/** As `readEnvironment`, of a command that needs no key: a file that is not there leaves the process's own. */
export function environmentAtHand(file: string | undefined): Environment {
  try {
    return readEnvironment(file)
  } catch (error) {
    if (error instanceof UsageError) return process.env
    throw error
  }
}

/** Of a command that needs no key: the one that stands in the variable is kept out of what it says, too. */
export function hideKey(variable: string, environment: Environment = process.env): void {
  const value = environment[variable]?.trim() ?? ''
  if (keyFault(value) === undefined) keepSecret(createSecret(value, fingerprintOf(value)))
}
