// What the files of a recorded run hold now, beside what the run was started with.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { QuestionSet } from '../../dataset/read.ts'
import type { Manifest } from '../../domain/manifest.ts'
import type { Question, Thread } from '../../domain/question.ts'
import { hashEndUserRefs } from '../end-user-refs.ts'
import type { Environment } from '../environment.ts'
import { planQuestions } from '../plan.ts'
import { loadQuestionSets } from '../question-sets.ts'
import { selectThreads } from '../selection.ts'
import type { RecordedRun } from './runs.ts'

export type FilesNow =
  /** Every file is as it was. */
  | { readonly kind: 'same'; readonly paths: readonly string[] }
  | { readonly kind: 'changed'; readonly paths: readonly string[]; readonly changed: readonly string[] }
  /** The run goes on from its journal, which holds every question. */
  | { readonly kind: 'missing'; readonly missing: readonly string[] }

/** `named`: files given with the resume, for those that have moved. `digests`: of the set that stands. */
export async function lookAtFiles(
  { folder, manifest }: RecordedRun,
  named: readonly string[],
  digests: readonly string[],
): Promise<FilesNow> {
  const paths =
    named.length > 0
      ? named
      : manifest.datasets.map(({ source, path }) => (source === undefined ? path : join(folder.path, source)))
  const missing = paths.filter((path) => !existsSync(path))
  if (missing.length > 0) return { kind: 'missing', missing }
  const now = await Promise.all(paths.map(digestOf))
  const changed = paths.filter((_, place) => now[place] !== digests[place])
  return changed.length === 0 && paths.length === digests.length
    ? { kind: 'same', paths }
    : { kind: 'changed', paths, changed }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return `sha256:${hash.digest('hex')}`
}

export interface SetNow {
  readonly set: QuestionSet
  /** What the run's own choice takes of it, in the order of the set. */
  readonly questions: readonly Question[]
}

/** Reads the files as the run did. Throws UsageError where they are faulty. */
export async function readSetNow(
  manifest: Manifest,
  paths: readonly string[],
  recorded: readonly Question[],
  environment: Environment,
): Promise<SetNow> {
  const set = await loadQuestionSets(paths)
  const chosen = chooseAgain(manifest, set.threads, recorded)
  const threads = manifest.options.hashEndUserRefs ? hashEndUserRefs(chosen, environment) : chosen
  return { set, questions: planQuestions(threads).turns.map(({ question }) => question) }
}

/** A sample is not drawn anew: its threads stay, however the set around them has changed. */
function chooseAgain(
  { options: { selection } }: Manifest,
  threads: readonly Thread[],
  recorded: readonly Question[],
): readonly Thread[] {
  const { tags, grep, sample, seed } = selection
  const chosen = selectThreads(threads, {
    ...(tags.length === 0 ? {} : { tag: tags }),
    ...(grep === null ? {} : { grep }),
    ...(sample === null || recorded.length > 0 ? {} : { sample, seed }),
  })
  if (sample === null || recorded.length === 0) return chosen
  const names = new Set(recorded.map(({ file, thread }) => JSON.stringify([file, thread])))
  return chosen.filter(({ name, turns: [{ file }] }) => names.has(JSON.stringify([file, name])))
}
