// Errors that the user can fix: a wrong option, config file, question set or folder. Exit code 2.
import { distance } from 'fastest-levenshtein'
import { type Fault, placeOf } from '../dataset/messages.ts'
import { digits, plural } from '../domain/format.ts'

export interface Issue {
  /** Is an option (`maxCalls`), a place in a file (`set.csv:3`), or empty. */
  readonly path: string
  /** Marks a place in a file that may be spelled like an option (`questions`). */
  readonly isFile?: true
  readonly message: string
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly issues: readonly Issue[]

  constructor(found: string | readonly Issue[]) {
    const issues = typeof found === 'string' ? [{ path: '', message: found }] : found
    super(issues.map((issue) => describeIssue(issue)).join('\n'))
    this.issues = issues
  }
}

/** Makes an error whose `message` continues the option's name: `goes with --baseline DIR`. */
export const optionError = (path: string, message: string): UsageError => new UsageError([{ path, message }])

const MAX_FAULTS = 100

export function faultsError(faults: readonly Fault[], notDone = 'sent'): UsageError {
  const hidden = faults.length - MAX_FAULTS
  return new UsageError([
    ...faults
      .slice(0, MAX_FAULTS)
      .map((fault) => ({ path: placeOf(fault), isFile: true as const, message: fault.message })),
    ...(hidden > 0 ? [{ path: '', message: `and ${digits(hidden)} more` }] : []),
    { path: '', message: `${plural(faults.length, 'fault')}; nothing was ${notDone}` },
  ])
}

/** Words an issue; `named` spells an option for the reader, such as `--max-calls`. */
export function describeIssue(
  { path, message, isFile }: Issue,
  named: (option: string) => string = (option) => option,
): string {
  if (path === '') return message
  // A place in a file has a dot, a colon or a slash.
  const isOption = isFile !== true && /^[a-z][A-Za-z]*$/.test(path)
  return isOption ? `${named(path)} ${message}` : `${path}: ${message}`
}

/** Turns `baseUrl` into `--base-url`. */
export const asTyped = (key: string): string =>
  `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Names the known word that begins with this one, or the nearest within two letters or a third of it. */
export function didYouMean(word: string, known: readonly string[], prefix = ''): string {
  const farFrom = (name: string): number => distance(word.toLowerCase(), name.toLowerCase())
  const limit = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 3)))
  const begun = known.find((name) => word.length >= 3 && name.startsWith(word))
  const near = known.filter((name) => farFrom(name) <= limit).toSorted((a, b) => farFrom(a) - farFrom(b))
  const name = begun ?? near[0]
  return name === undefined ? '' : `; did you mean ${prefix}${name}?`
}
