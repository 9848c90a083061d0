// `--shard I/N`: the part of a planned set that this process asks, and what the manifest remembers of the whole.
import { createIdsDigest, shardOf } from '../dataset/shard.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Thread } from '../domain/question.ts'
import { parseShard, partOfBudget, type Shard } from '../domain/shard.ts'
import { planQuestions, type PlannedQuestions } from './planned-questions.ts'

export type WholeSet = Omit<Shard, 'maxCalls'>

/** The questions keep the numbers that they have in the whole, so that joined parts stand in the order of the set. */
export function planPart(
  threads: readonly Thread[],
  said: string | undefined,
): { readonly questions: PlannedQuestions; readonly shard: WholeSet | undefined } {
  const part = said === undefined ? undefined : parseShard(said)
  if (part === undefined) return { questions: planQuestions(threads), shard: undefined }
  const whole = describeWhole(threads)
  return {
    questions: planQuestions(threads, isOfShard(part)),
    shard: { ...part, numbered: whole.questions, whole },
  }
}

export const isOfShard =
  ({ index, of }: Pick<Shard, 'index' | 'of'>) =>
  ({ turns: [first] }: Thread): boolean =>
    shardOf(first.id, of) === index

export function describeWhole(threads: Iterable<Thread>): NonNullable<Shard['whole']> {
  const [digest, content] = [createIdsDigest(), createIdsDigest()]
  const byFile: number[] = []
  let [questions, count] = [0, 0]
  for (const { turns } of threads) {
    count += 1
    for (const question of turns) {
      const { id, file } = question
      digest.add(id)
      content.add(JSON.stringify(question))
      questions += 1
      byFile[file] = (byFile[file] ?? 0) + 1
    }
  }
  return {
    questions,
    threads: count,
    turns: Array.from(byFile, (turnsOfFile) => turnsOfFile ?? 0),
    digest: digest.finish(),
    content: content.finish(),
  }
}

/** The manifest of a part: the budget that was said is that of the whole. */
export function asShard(manifest: Manifest, shard: WholeSet | undefined): Manifest {
  if (shard === undefined) return manifest
  const { maxCalls } = manifest.options
  return withBudget({ ...manifest, shard: { ...shard, maxCalls } }, maxCalls)
}

/** `maxCalls`: of the whole run, as it is said on every command line; null for no end. */
export function withBudget(manifest: Manifest, maxCalls: number | null): Manifest {
  const { shard, options } = manifest
  if (shard === undefined) return { ...manifest, options: { ...options, maxCalls } }
  const part = maxCalls === null ? null : partOfBudget(maxCalls, shard)
  return { ...manifest, shard: { ...shard, maxCalls }, options: { ...options, maxCalls: part } }
}
