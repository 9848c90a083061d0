// What is wrong with an option that stands in the config file is said of its place there: nobody typed it.
import type { Config } from './config.ts'
import { toCamelCase, type RunSettings } from '../library/read-options.ts'
import { UsageError } from '../library/usage-error.ts'

/** Rejects as `act` does; a UsageError that begins with an option of the file begins with the file and its key. */
export async function inWordsOf<T>(config: Config, typed: RunSettings, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const message = error.message.replaceAll(
      /^--([a-z][a-z\d-]*)/gm,
      (option, name: string) => placeOf(toCamelCase(name), config, typed) ?? option,
    )
    throw new UsageError(message, { cause: error })
  }
}

/** Undefined where it is typed, or stands nowhere in the file. */
function placeOf(key: string, { file, settings, targets }: Config, typed: RunSettings): string | undefined {
  if (file === undefined || Object.hasOwn(typed, key)) return undefined
  if (Object.hasOwn(settings, key)) return `${file}: ${key}`
  const [target] = [...targets].find(([, own]) => Object.hasOwn(own, key)) ?? []
  return target === undefined ? undefined : `${file}: targets.${target}.${key}`
}
