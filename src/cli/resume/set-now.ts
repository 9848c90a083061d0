// The files of a recorded run, read again as the run read them.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { QuestionSet } from '../../dataset/read.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Shard } from '../../domain/shard.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'
import { hashEndUserRefs, hashKeyFingerprint } from '../end-user-refs.ts'
import type { Environment } from '../environment.ts'
import { planQuestions } from '../planned-questions.ts'
import { loadQuestionSets } from '../question-sets.ts'
import { selectThreads } from '../selection.ts'
import { UsageError } from '../../library/usage-error.ts'
import { describeWhole, isOfShard } from '../shard.ts'
import type { RecordedRun } from './runs.ts'

/**
 * The files in the run's order; undefined where one is not there or not as it was. `named`: files given with the resume,
 * in any order, for those that have moved.
 */
export async function findFiles(
  { folder, manifest: { datasets } }: RecordedRun,
  named: readonly string[],
): Promise<readonly string[] | undefined> {
  const given =
    named.length > 0
      ? named
      : datasets.map(({ source, path }) => (source === undefined ? path : join(folder.path, source)))
  const digests: string[] = []
  for (const path of given) digests.push(existsSync(path) ? await digestOf(path) : '')
  const paths = datasets.flatMap(({ digest }) => given[digests.indexOf(digest)] ?? [])
  return paths.length === datasets.length && given.length === datasets.length ? paths : undefined
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return `sha256:${hash.digest('hex')}`
}

interface SetAgain {
  readonly set: QuestionSet
  /** What the run's own choice takes of it, in the order of the set, numbered as a new run would. */
  readonly turns: readonly PlannedTurn[]
  /** Of a shard: what is known of the whole. */
  readonly shard?: Shard
}

/** Throws UsageError where the files are faulty. */
export async function readSetAgain(
  manifest: Manifest,
  paths: readonly string[],
  environment: Environment,
): Promise<SetAgain> {
  const { format, selection, hashKey, hashEndUserRefs: isHashed } = manifest.options
  if (hashKey !== undefined && hashKey !== hashKeyFingerprint(environment))
    throw new UsageError(
      'the run hashed end_user_ref with another ASSIST_HASH_KEY: set the variable as it was then; nothing was sent',
    )
  const set = await loadQuestionSets(paths, format === null ? {} : { format })
  const { tags, grep, sample, seed } = selection
  const chosen = selectThreads(set.threads, {
    ...(tags.length === 0 ? {} : { tag: tags }),
    ...(grep === null ? {} : { grep }),
    ...(sample === null ? {} : { sample, seed }),
  })
  const threads = isHashed ? hashEndUserRefs(chosen, environment) : chosen
  const { shard } = manifest
  const { turns } = planQuestions(threads, ...(shard === undefined ? [] : [isOfShard(shard)]))
  const held = Array.from(turns, ({ index, question }) => ({ index, question }))
  return shard === undefined
    ? { set, turns: held }
    : { set, turns: held, shard: { ...shard, whole: describeWhole(threads) } }
}
