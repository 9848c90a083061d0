// `--hash-end-user-refs`: references become keyed hashes before anything else sees them.
import { createHmac } from 'node:crypto'
import type { Question, Thread } from '../domain/question.ts'
import type { Environment } from './environment.ts'
import { UsageError } from './usage-error.ts'

const VARIABLE = 'ASSIST_HASH_KEY'
const COLUMN = 'end_user_ref'

/** HMAC-SHA-256 in hex: the same reference and key give the same value in every run. */
export function hashEndUserRefs(threads: readonly Thread[], environment: Environment): Thread[] {
  const key = environment[VARIABLE]
  if (key === undefined || key === '')
    throw new UsageError(`--hash-end-user-refs needs a key: set the environment variable ${VARIABLE}`)
  const hash = (value: string): string => createHmac('sha256', key).update(value).digest('hex')
  const hashOne = (question: Question): Question => {
    const { endUserRef, cells } = question
    if (endUserRef === undefined) return question
    const hashed = hash(endUserRef)
    return { ...question, endUserRef: hashed, cells: { ...cells, [COLUMN]: hashed } }
  }
  return threads.map(({ name, turns: [first, ...rest] }) => ({
    name,
    turns: [hashOne(first), ...rest.map(hashOne)],
  }))
}
