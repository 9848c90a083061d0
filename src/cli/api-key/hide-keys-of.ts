// The keys that a command line speaks of, whatever else is wrong with it: kept out of what is said of it.
import { loadConfig, NO_CONFIG, type Config } from '../config.ts'
import { environmentAtHand, hideKey } from '../environment.ts'
import { UsageError } from '../usage-error.ts'
import { KEY_VARIABLE } from './key-variable.ts'

/** Of the variables that are typed, that the config file names, and the one that holds it where none is named. */
export async function hideKeysOf(words: readonly string[]): Promise<void> {
  const { settings, targets } = await configAtHand(valuesOf('config', words).at(-1))
  const said = [settings, ...targets.values()]
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

/** None where it cannot be read: that is not what is wrong here. */
async function configAtHand(path: string | undefined): Promise<Config> {
  try {
    return await loadConfig(path)
  } catch (error) {
    if (error instanceof UsageError) return NO_CONFIG
    throw error
  }
}
