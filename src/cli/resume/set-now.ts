// What the files of a recorded run hold now, beside what the run was started with.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { QuestionSet } from '../../dataset/read.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Question, Thread } from '../../domain/question.ts'
import type { Shard } from '../../domain/shard.ts'
import { plural } from '../../domain/digits.ts'
import type { PlannedTurn } from '../../runner/thread-state.ts'
import { hashEndUserRefs, hashKeyFingerprint } from '../end-user-refs.ts'
import type { Environment } from '../environment.ts'
import { planQuestions, type PlannedQuestions } from '../planned-questions.ts'
import { loadQuestionSets } from '../question-sets.ts'
import { selectThreads } from '../selection.ts'
import { UsageError } from '../usage-error.ts'
import { describeWhole, isOfShard } from '../shard.ts'
import type { RecordedRun } from './runs.ts'

export type FilesNow =
  /** Every file is as it was. */
  | { readonly kind: 'same'; readonly paths: readonly string[] }
  | { readonly kind: 'changed'; readonly paths: readonly string[]; readonly changed: readonly string[] }
  /** The run goes on from its journal, which holds every question, where the others are as they were. */
  | { readonly kind: 'missing'; readonly missing: readonly string[]; readonly changed: readonly string[] }

/**
 * `named`: files given with the resume, for those that have moved. `digests`: of the set that stands. Throws UsageError
 * where fewer are named than the run has.
 */
export async function lookAtFiles(
  { folder, manifest }: RecordedRun,
  named: readonly string[],
  digests: readonly string[],
): Promise<FilesNow> {
  if (named.length > 0 && named.length < digests.length)
    throw new UsageError(
      `the run had ${plural(digests.length, 'set')}, ${named.length === 1 ? '1 is' : `${named.length} are`} named; name all of them, or none where they have not moved`,
    )
  const given =
    named.length > 0
      ? named
      : manifest.datasets.map(({ source, path }) => (source === undefined ? path : join(folder.path, source)))
  const found = await Promise.all(
    given.map(async (path) => ({ path, digest: existsSync(path) ? await digestOf(path) : undefined })),
  )
  const files = named.length > 0 ? inOrderOf(digests, found) : found
  const paths = files.map(({ path }) => path)
  const missing = files.flatMap(({ path, digest }) => (digest === undefined ? [path] : []))
  const changed = files.flatMap(({ path, digest }, place) =>
    digest === undefined || digest === digests[place] ? [] : [path],
  )
  if (missing.length > 0) return { kind: 'missing', missing, changed }
  return changed.length === 0 && paths.length === digests.length
    ? { kind: 'same', paths }
    : { kind: 'changed', paths, changed }
}

interface Found {
  readonly path: string
  readonly digest: string | undefined
}

/** Files that are as they were stand in their old places, whatever order they are named in; the others fill the rest. */
function inOrderOf(digests: readonly string[], found: readonly Found[]): Found[] {
  const rest = [...found]
  const takeFirst = (test: (file: Found) => boolean): Found | undefined => {
    const place = rest.findIndex(test)
    return place === -1 ? undefined : rest.splice(place, 1)[0]
  }
  const same = digests.map((digest) => takeFirst((file) => file.digest === digest))
  return [...same.flatMap((file) => file ?? takeFirst(() => true) ?? []), ...rest]
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return `sha256:${hash.digest('hex')}`
}

export interface SetNow {
  readonly set: QuestionSet
  /** What the run's own choice takes of it, in the order of the set, numbered as a new run would. */
  readonly turns: readonly PlannedTurn[]
  /** Questions that a sample of the run leaves out. */
  readonly outside: number
  /** Of a part of a run: what is known of the whole now. */
  readonly shard?: Shard
}

/** Reads the files as the run did. Throws UsageError where they are faulty. */
export async function readSetNow(
  manifest: Manifest,
  paths: readonly string[],
  recorded: readonly Question[],
  environment: Environment,
): Promise<SetNow> {
  const { format } = manifest.options
  const set = await loadQuestionSets(paths, format === null ? {} : { format })
  const { chosen, outside } = chooseAgain(manifest, set.threads, recorded)
  if (chosen.length === 0 && manifest.shard === undefined)
    throw new UsageError(
      'no question of the run is left in the set as it is now: put the file back, or start a new run; nothing was sent',
    )
  refuseOtherHashKey(manifest, environment)
  const threads = manifest.options.hashEndUserRefs ? hashEndUserRefs(chosen, environment) : chosen
  const { shard } = manifest
  if (shard === undefined) return { set, turns: hold(planQuestions(threads)), outside }
  // Of a sample only this part's threads are known to have been drawn.
  const isPartial = manifest.options.selection.sample !== null && recorded.length > 0
  const whole = isPartial ? null : describeWhole(threads)
  const turns = hold(planQuestions(threads, isOfShard(shard)))
  return { set, turns, outside, shard: { ...shard, whole } }
}

function refuseOtherHashKey({ options: { hashKey } }: Manifest, environment: Environment): void {
  if (hashKey === undefined || hashKey === hashKeyFingerprint(environment)) return
  throw new UsageError(
    'the run hashed end_user_ref with another ASSIST_HASH_KEY: set the variable as it was then; nothing was sent',
  )
}

const hold = ({ turns }: PlannedQuestions): PlannedTurn[] =>
  Array.from(turns, ({ index, question }) => ({ index, question }))

/** A sample is not drawn anew: its threads stay, however the set around them has changed. */
function chooseAgain(
  { options: { selection } }: Manifest,
  threads: readonly Thread[],
  recorded: readonly Question[],
): { readonly chosen: readonly Thread[]; readonly outside: number } {
  const { tags, grep, sample, seed } = selection
  const chosen = selectThreads(threads, {
    ...(tags.length === 0 ? {} : { tag: tags }),
    ...(grep === null ? {} : { grep }),
    ...(sample === null || recorded.length > 0 ? {} : { sample, seed }),
  })
  if (sample === null || recorded.length === 0) return { chosen, outside: 0 }
  const names = new Set(recorded.map(({ file, thread }) => JSON.stringify([file, thread])))
  const isDrawn = ({ name, turns: [{ file }] }: Thread): boolean => names.has(JSON.stringify([file, name]))
  const outside = chosen.filter((thread) => !isDrawn(thread))
  return {
    chosen: chosen.filter(isDrawn),
    outside: outside.reduce((sum, { turns }) => sum + turns.length, 0),
  }
}
