// What the journals of the parts hold, as far as it takes to join them: which questions, how many attempts, how they ended.
import { threadKey } from '../../analysis/threads-of-run.ts'
import { usageOfRun } from '../../analysis/usage-of-run.ts'
import { createIdsDigest } from '../../dataset/shard.ts'
import type { Question } from '../../domain/question.ts'
import type { UsageRange } from '../../domain/usage.ts'
import type { Stop } from '../../domain/stop.ts'
import { describePart } from '../../domain/shard.ts'
import { plural } from '../../domain/digits.ts'
import { indexJournal, refuseLostJournal } from '../index-journal.ts'
import { UsageError } from '../../library/usage-error.ts'
import { wholeOf, type Part } from './parts.ts'

export interface IndexedPart extends Part {
  /** By their numbers in the whole; read from the journal as they are asked for. */
  readonly questions: readonly (Question | undefined)[]
  readonly attempts: number
  /** Calls counted. */
  readonly usage: UsageRange
  readonly sittings: number
  readonly stop: Stop | undefined
  /** Milliseconds since the epoch of the last record. */
  readonly lastAt: number | undefined
}

export interface IndexedParts {
  readonly parts: readonly IndexedPart[]
  /** Every number of the whole set in its order. */
  readonly numbers: readonly number[]
  readonly tags: ReadonlySet<string>
  /** What was found odd. */
  readonly notes: readonly string[]
}

/** Throws UsageError where what is there is not the whole, or not of one run. */
export async function indexParts(parts: readonly Part[]): Promise<IndexedParts> {
  const digest = createIdsDigest()
  const owners = new Map<number, string>()
  const standing: { number: number; file: number; line: number; turn: number }[] = []
  const tags = new Set<string>()
  const indexed: IndexedPart[] = []
  const notes: string[] = []
  let threads = 0
  for (const part of parts) {
    const { index, notes: found } = await indexJournal(part.folder)
    await refuseLostJournal(part.folder, part.manifest, index)
    const name = describePart(part.shard)
    if (index.set === undefined)
      throw new UsageError(
        `the journal of ${name} (${part.folder.path}) does not hold all of its questions: run --resume ${part.folder.path} reads them again`,
      )
    let number = -1
    for (const question of index.questions) {
      number += 1
      if (question === undefined) continue
      const owner = owners.get(number)
      if (owner !== undefined)
        throw new UsageError(
          `${owner} and ${name} both hold question ${number + 1}: they are no parts of one run, or were begun with sets that differ; start those of the older set again`,
        )
      owners.set(number, name)
    }
    const seen = new Set<string>()
    let last: number | undefined
    for (const slot of index.slots) {
      const question = index.questions.at(slot.index)
      if (slot.index === last || question === undefined) continue
      last = slot.index
      digest.add(question.id)
      seen.add(threadKey(question))
      for (const tag of question.tags) tags.add(tag)
      standing.push({ number: slot.index, file: question.file, line: question.line, turn: question.turn })
    }
    threads += seen.size
    notes.push(...found.map((note) => `${name}: ${note}`))
    const { questions, attempts, sittings, stop, lastAt } = index
    indexed.push({ ...part, questions, usage: usageOfRun(index), attempts, sittings, stop, lastAt })
  }
  const whole = wholeOf(parts)
  if (whole === null)
    notes.push(
      'a changed set was taken on by the parts, and of a sample: whether all of it is here cannot be checked',
    )
  else {
    const isWhole =
      standing.length === whole.questions && threads === whole.threads && digest.finish() === whole.digest
    if (!isWhole)
      throw new UsageError(
        `the parts do not make up the whole: they hold ${plural(standing.length, 'question')} in ${plural(threads, 'thread')}, ` +
          `and the set has ${plural(whole.questions, 'question')} in ${plural(whole.threads, 'thread')}; start the run again`,
      )
  }
  const numbers = standing
    .sort((a, b) => a.file - b.file || a.line - b.line || a.turn - b.turn || a.number - b.number)
    .map(({ number }) => number)
  return { parts: indexed, numbers, tags, notes }
}
