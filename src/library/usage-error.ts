// What the user can fix: a wrong option, config, question set or folder. Nothing was sent; exit code 2.
import { distance } from 'fastest-levenshtein'

export interface Issue {
  /** An option's name (`maxCalls`), a place in a file (`set.csv:3`), or empty. */
  readonly path: string
  /** What is wrong and how to fix it, without the path. */
  readonly message: string
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly issues: readonly Issue[]

  /** `found`: the issues, or one message that belongs to no option. */
  constructor(found: string | readonly Issue[]) {
    const issues = typeof found === 'string' ? [{ path: '', message: found }] : found
    super(issues.map((issue) => describeIssue(issue)).join('\n'))
    this.issues = issues
  }
}

/** Of one option. `message` goes on with its name: `goes with --baseline DIR`. */
export const optionError = (path: string, message: string): UsageError => new UsageError([{ path, message }])

/** `named`: how an option is called where the message is read. */
export function describeIssue({ path, message }: Issue, named: (option: string) => string = same): string {
  if (path === '') return message
  return isOption(path) ? `${named(path)} ${message}` : `${path}: ${message}`
}

const same = (option: string): string => option

/** Places in files have a dot, a colon or a slash. */
const isOption = (path: string): boolean => /^[a-z][A-Za-z]*$/.test(path)

/** `baseUrl` as it is typed: `--base-url`. */
export const asTyped = (key: string): string =>
  `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The name that the word begins, or the one nearest to it; undefined where nothing is within a third of the word. */
function closest(word: string, known: readonly string[]): string | undefined {
  const begun = known.find((name) => word.length >= 3 && name.startsWith(word))
  if (begun !== undefined) return begun
  const ranked = known
    .map((name) => ({ name, distance: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  const limit = Math.max(2, Math.floor(word.length / 3))
  return best !== undefined && best.distance <= limit ? best.name : undefined
}

export function didYouMean(word: string, known: readonly string[], prefix = ''): string {
  const name = closest(word, known)
  return name === undefined ? '' : `; did you mean ${prefix}${name}?`
}
