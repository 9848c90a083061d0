// The keys that a command line speaks of, whatever else is wrong with it: kept out of what is said of it.
import { readFileSync } from 'node:fs'
import { DEFAULT_CONFIG, loadConfig } from '../config.ts'
import { environmentAtHand, hideKey } from '../environment.ts'
import { UsageError } from '../usage-error.ts'
import { KEY_VARIABLE } from './key-variable.ts'

/** Of the variables that are typed, that the config file names, and the one that holds it where none is named. */
export async function hideKeysOf(words: readonly string[]): Promise<void> {
  const said = await configAtHand(valuesOf('config', words).at(-1))
  const variables = [...valuesOf('api-key-env', words), ...said.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])]
  const files = [...valuesOf('env-from', words), ...said.flatMap(({ envFrom }) => envFrom ?? [])]
  for (const environment of [undefined, ...files].map(environmentAtHand))
    for (const variable of new Set([KEY_VARIABLE, ...variables])) hideKey(variable, environment)
}

/** As `--name value` and as `--name=value`. */
const valuesOf = (name: string, words: readonly string[]): string[] =>
  words.flatMap((word, place) => {
    if (word === `--${name}`) return words[place + 1] ?? []
    return word.startsWith(`--${name}=`) ? word.slice(name.length + 3) : []
  })

interface Said {
  readonly apiKeyEnv?: string
  readonly envFrom?: string
}

/** What a config file says of keys, of each target. */
async function configAtHand(path: string | undefined): Promise<Said[]> {
  try {
    const { settings, targets } = await loadConfig(path)
    return [settings, ...targets.values()]
  } catch (error) {
    if (error instanceof UsageError) return readTorn(path ?? DEFAULT_CONFIG)
    throw error
  }
}

const LINE = /\b(apiKeyEnv|envFrom)["']?[^\S\n]*:[^\S\n]*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"',#}\]]+))/g

/** As above of a file with faults, which may be what is wrong; nothing of one that cannot be read. */
function readTorn(path: string): Said[] {
  try {
    const lines = [...readFileSync(path, 'utf8').matchAll(LINE)]
    return lines.map(([, name = '', ...values]) => ({ [name]: values.find((value) => value !== undefined) }))
  } catch {
    return []
  }
}
