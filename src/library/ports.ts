// What the library takes from its surroundings. Tests pass their own.
import { existsSync, readFileSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../domain/clock.ts'
import { plural } from '../domain/format.ts'
import { createSecret, joinMasks, type Mask, maskText, type Secret } from '../domain/secret.ts'
import type { AssistClient, ClientOptions } from '../endpoint/client.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { realClock, timerClock } from '../runner/clock.ts'

export interface Ports {
  readonly clock: Clock
  /** Leaves the CPU idle while it waits, as load tests need it. */
  readonly timerClock: Clock
  /** Draws uniformly in [0, 1). */
  readonly random: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly secrets: Secrets
  readonly connect: (options: ClientOptions) => Promise<AssistClient>
}

export const realPorts = (): Ports => ({
  clock: realClock,
  timerClock,
  random: Math.random,
  // Users name variables, and `constructor` is one that is not set.
  env: new Proxy(process.env, {
    get: (env, name) => (Object.hasOwn(env, name) ? env[String(name)] : undefined),
  }),
  cwd: process.cwd(),
  secrets: new Secrets(),
  // Loaded late: commands that only read connect to nothing.
  connect: async (options) => (await import('../endpoint/client.ts')).createClient(options),
})

export const KEY_VARIABLE = 'ASSIST_API_KEY'
/** Is the least length of a key: a shorter one would match ordinary text, and could not be masked. */
const MIN_KEY_LENGTH = 8

/** Keeps keys and passwords that a command has read, to mask them in every text that leaves the program. */
export class Secrets {
  readonly #known = new Map<string, Secret>()
  #mask: Mask = joinMasks([])

  keep(value: string): Secret {
    // Not loaded before there is a key: it takes a twentieth of the time of --help.
    const { createHash } = process.getBuiltinModule('node:crypto')
    const fingerprint = createHash('sha256').update(value).digest('hex').slice(0, 8)
    const secret = createSecret(value, fingerprint)
    this.#known.set(value, secret)
    this.#mask = joinMasks([...this.#known.values()])
    return secret
  }

  keepLong(...values: readonly (string | undefined)[]): Secret[] {
    const written = values.map((value = '') => value.trim())
    return written.flatMap((value) => (value.length < MIN_KEY_LENGTH ? [] : [this.keep(value)]))
  }

  /** Hides all of them at once: one may be the beginning of another. */
  mask(text: string): string {
    return maskText(text, this.#mask)
  }
}

/** Reads the key; `apiKey` wins. Throws UsageError for a missing or invalid key; no message repeats it. */
export function readKey(variable: string, apiKey: string | undefined, { env, secrets }: Ports): Secret {
  const value = (apiKey ?? env[variable] ?? '').trim()
  if (value === '' && apiKey === undefined)
    throw new UsageError(
      `the key is missing: set the environment variable ${variable}, name another with --api-key-env, ` +
        'or use --sandbox, which needs no key',
    )
  const fail = (fault: string): UsageError =>
    apiKey === undefined ? new UsageError(`the key in ${variable} ${fault}`) : optionError('apiKey', fault)
  if (value.length < MIN_KEY_LENGTH)
    throw fail(`has only ${plural(value.length, 'character')}: set the whole key`)
  // RFC 6750: a bearer token is visible ASCII.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw fail('contains white space, line breaks or non-ASCII characters; set it again')
  return secrets.keep(value)
}

export const packageFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const FOLDER = 'datasets'
export const SHIPPED_KNOWLEDGE_BASE = join(packageFile(FOLDER), 'knowledge-base')
export const SHIPPED_QUESTIONS = join(packageFile(FOLDER), 'quickstart.csv')

export const VERSION = (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string })
  .version

/** Replaces a path below `datasets` that exists only in the package by the package's file. */
export function resolveShipped(path: string, note: (text: string) => void): string {
  const [first, ...rest] = normalize(path).split(sep)
  const shipped = join(packageFile(FOLDER), ...rest)
  if (first !== FOLDER || existsSync(path) || !existsSync(shipped)) return path
  note(`${path} does not exist here: the one in the package is used`)
  return shipped
}
