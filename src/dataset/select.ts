// Chooses what a run sends of its sets: threads by tag and pattern, a sample of them, those of a shard.
import { createHash, createHmac } from 'node:crypto'
import type { Question } from '../domain/question.ts'
import type { Shard, ShardPosition } from '../domain/shard.ts'
import { drawSample, seededRandom } from '../stats/random.ts'
import { shardOf, type Thread } from './threads.ts'

export interface Choice {
  /** One tag is enough; none selects all. */
  readonly tags: readonly string[]
  readonly pattern: RegExp
  readonly sample: number | undefined
  readonly seed: number
}

/** Selects whole threads in which a question has one of the tags and matches; then a sample of them. */
export function selectThreads(
  threads: readonly Thread[],
  { tags: wanted, pattern, sample, seed }: Choice,
): readonly Thread[] {
  const chosen = threads.filter(
    ({ turns }) =>
      (wanted.length === 0 || turns.some(({ tags }) => tags.some((tag) => wanted.includes(tag)))) &&
      turns.some(({ message, id }) => pattern.test(message) || pattern.test(id)),
  )
  return sample === undefined ? chosen : drawSample(chosen, sample, seededRandom(seed))
}

export const tagsOf = (threads: readonly Thread[]): string[] =>
  [...new Set(threads.flatMap(({ turns }) => turns.flatMap(({ tags }) => tags)))].toSorted()

/**
 * Numbers the questions by file, line and turn. A shard has only those of its threads; they keep the numbers
 * that they have in the whole.
 */
export function numberQuestions(threads: readonly Thread[], shard: ShardPosition | undefined) {
  const isSent = ({ turns: [first] }: Thread): boolean =>
    shard === undefined || shardOf(first.id, shard.of) === shard.index
  const sent = new Set(threads.filter(isSent).flatMap(({ turns }) => turns))
  return threads
    .flatMap(({ turns }) => turns)
    .toSorted((a, b) => a.file - b.file || a.line - b.line || a.turn - b.turn)
    .flatMap((question, index) => (sent.has(question) ? [{ index, question }] : []))
}

/** The set of all shards must be the same for each of them. */
export function describeWhole(questions: readonly Question[]): Shard['whole'] {
  const turns: number[] = []
  const content = createHash('sha256')
  for (const question of questions) {
    turns[question.file] = (turns[question.file] ?? 0) + 1
    content.update(JSON.stringify(question))
  }
  return {
    questions: questions.length,
    turns: Array.from(turns, (count) => count ?? 0),
    content: content.digest('hex').slice(0, 32),
  }
}

/** Puts HMAC-SHA-256 in hex in the place of each `end_user_ref`. */
export function hashEndUserRefs({ turns: [first, ...rest] }: Thread, key: string): Thread {
  const hide = (question: Question): Question => {
    if (question.endUserRef === undefined) return question
    const hashed = createHmac('sha256', key).update(question.endUserRef).digest('hex')
    return { ...question, endUserRef: hashed, cells: { ...question.cells, end_user_ref: hashed } }
  }
  return { turns: [hide(first), ...rest.map(hide)] }
}
