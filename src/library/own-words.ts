// What the program says to whoever typed a command, in the words of who calls a function: `--max-calls` is `maxCalls` here.
import { optionEntries, toCamelCase } from './read-options.ts'
import { sayTo } from '../cli/output.ts'
import { UsageError } from './usage-error.ts'

const names = new Map<string, string>(optionEntries.map(([name]) => [`--${name}`, toCamelCase(name)]))

/** A whole command stays as it is: it is there to be pasted into a shell. */
const inOwnWords = (text: string): string =>
  text.replaceAll(/npx assist-harness .*|(?<![\w-])--[a-z][a-z\d-]*/g, (word) => names.get(word) ?? word)

/** Within `act`, words for people go to `listen`. Rejects as `act` does; UsageErrors name options as they are named here. */
export async function callOwn<T>(listen: (text: string) => void, act: () => Promise<T>): Promise<T> {
  try {
    return await sayTo((text) => listen(inOwnWords(text)), act)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(inOwnWords(error.message), { cause: error })
  }
}
