// `--hash-end-user-refs`: references become keyed hashes before anything else sees them.
import { createHmac, scryptSync } from 'node:crypto'
import type { Question, Thread } from '../domain/question.ts'
import type { Environment } from './environment.ts'
import { UsageError } from '../library/usage-error.ts'

const VARIABLE = 'ASSIST_HASH_KEY'
const COLUMN = 'end_user_ref'

type WithRef = Pick<Question, 'endUserRef' | 'cells'>

/**
 * Takes a question's or a row's reference away, and puts its hash there: HMAC-SHA-256 in hex, the same of the same reference
 * and key in every run. Throws UsageError where there is no key.
 */
export function refHider(environment: Environment): <One extends WithRef>(one: One) => One {
  const key = keyOf(environment)
  const hash = (value: string): string => createHmac('sha256', key).update(value).digest('hex')
  return (one) => {
    if (one.endUserRef === undefined) return one
    const hashed = hash(one.endUserRef)
    return { ...one, endUserRef: hashed, cells: { ...one.cells, [COLUMN]: hashed } }
  }
}

/**
 * Tells one key from another where runs of both are at hand: eight hex digits that take long to compute, so that nobody
 * tries a dictionary on them. Throws UsageError where there is no key.
 */
export const hashKeyFingerprint = (environment: Environment): string =>
  scryptSync(keyOf(environment), 'assist-harness', 4).toString('hex')

function keyOf(environment: Environment): string {
  const key = environment[VARIABLE]
  if (key !== undefined && key !== '') return key
  throw new UsageError(`--hash-end-user-refs needs a key: set the environment variable ${VARIABLE}`)
}

export function hashEndUserRefs(threads: readonly Thread[], environment: Environment): Thread[] {
  const hide = refHider(environment)
  return threads.map(({ name, turns: [first, ...rest] }) => ({
    name,
    turns: [hide(first), ...rest.map(hide)],
  }))
}
