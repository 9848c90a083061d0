// Reads question sets, selects threads and a shard, numbers the questions; or takes all from a journal.
import { join } from 'node:path'
import { readQuestionSets } from '../dataset/read.ts'
import { describeWhole, hashEndUserRefs, numberQuestions, selectThreads, tagsOf } from '../dataset/select.ts'
import type { Thread } from '../dataset/threads.ts'
import type { JournalRecord, RecordOf } from '../domain/journal.ts'
import type { Question } from '../domain/question.ts'
import { parseShard } from '../domain/shard.ts'
import { didYouMean, faultsError, optionError, UsageError } from '../options/faults.ts'
import { type RunSettings, withDefaults } from '../options/settings.ts'
import { rejectDuplicates } from '../store/folder.ts'
import type { PlannedTurn } from '../runner/thread.ts'
import type { Job } from './job.ts'
import { type Ports, resolveShipped } from './ports.ts'
import type { RecordedRun } from './recorded-run.ts'

export type OpenedSet = Awaited<ReturnType<typeof openSets>>

export const NO_SET = 'a question set is missing: name one or more files, CSV or .xlsx'
const HASH_VARIABLE = 'ASSIST_HASH_KEY'

/** Gives the turns to send, and the questions of the whole run, also for a shard. Throws UsageError. */
export async function openSets(
  datasets: readonly string[],
  choice: RunSettings,
  { note, ports }: { readonly note: (text: string) => void; readonly ports: Ports },
) {
  const paths = datasets.map((path) => resolveShipped(path, note))
  rejectDuplicates(paths, NO_SET)
  const read = await readQuestionSets(paths, choice)
  if (read.kind === 'faulty') throw faultsError(read.faults)
  const { threads: found, ...set } = read.set
  for (const warning of set.warnings) note(warning)
  const key = choice.hashEndUserRefs === true ? (ports.env[HASH_VARIABLE] ?? '') : undefined
  if (key === '')
    throw optionError('hashEndUserRefs', `needs a key: set the environment variable ${HASH_VARIABLE}`)
  const known = key === undefined ? found : found.map((thread) => hashEndUserRefs(thread, key))
  const threads = chooseThreads(known, choice)
  const shard = parseShard(choice.shard ?? '')
  const all = threads.flatMap(({ turns }) => turns)
  return {
    set,
    turns: numberQuestions(threads, shard),
    all,
    shard: shard && { ...shard, whole: describeWhole(all) },
  }
}

function chooseThreads(threads: readonly Thread[], choice: RunSettings): readonly Thread[] {
  const { tag, grep, sample, seed } = withDefaults(choice)
  const known = tag.length === 0 ? [] : tagsOf(threads)
  const unknown = tag.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, known) || `; it has ${known.slice(0, 20).join(', ') || 'no tags'}`
    throw optionError('tag', `${unknown}: no question of the set has this tag${hint}`)
  }
  const chosen = selectThreads(threads, { tags: tag, pattern: new RegExp(grep ?? '', 'iu'), sample, seed })
  if (chosen.length > 0) return chosen
  throw grep === undefined
    ? optionError('tag', 'selects no question; name other tags')
    : optionError('grep', `${grep}: no question matches; change the pattern`)
}

export function initialRecords({ set, turns }: OpenedSet, repeats: number, at: number): JournalRecord[] {
  const ranges: [number, number][] = []
  for (const { index } of turns) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === index) last[1] = index
    else ranges.push([index, index])
  }
  const digests = set.files.map(({ digest }) => digest)
  return [
    ...turns.map(({ index, question }) => ({ kind: 'question' as const, index, question })),
    { kind: 'set', at, digests, ranges, repeats },
  ]
}

/** Gives the set's questions with their numbers, but for one whose record is lost. */
export const turnsIn = (
  ranges: RecordOf<'set'>['ranges'],
  questions: readonly (Question | undefined)[],
): PlannedTurn[] =>
  ranges.flatMap(([from, to]) =>
    questions
      .slice(from, to + 1)
      .flatMap((question, offset) => (question === undefined ? [] : [{ index: from + offset, question }])),
  )

/**
 * Takes the questions from the journal, with the records that it lacks as `missing`; from the files where the
 * process died before it had recorded them all.
 */
export async function recordedSet({ model, manifest, folder }: RecordedRun, { ports }: Job) {
  const { questions, set } = model
  const { options, shard, datasets } = manifest
  const turns = turnsIn(set?.ranges ?? [[0, questions.length - 1]], questions)
  const expected = datasets.reduce((sum, dataset) => sum + dataset.turns, 0)
  if (set !== undefined || (model.attempts > 0 && turns.length === expected)) return { turns, missing: [] }
  const paths = datasets.map(({ source, path }) => join(folder.path, source ?? path))
  const choice = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))
  if (shard !== undefined) choice['shard'] = `${shard.index}/${shard.of}`
  const lacking = `the journal of ${folder.path} lacks some of its questions`
  const opened = await openSets(paths, choice, { note: () => undefined, ports }).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError([
      { path: '', message: `${lacking}, and they cannot be read from the question set again:` },
      ...error.issues,
    ])
  })
  if (datasets.some(({ digest }, file) => opened.set.files[file]?.digest !== digest))
    throw new UsageError(`${lacking}, and the question set has changed: restore the set, or start a new run`)
  const isOther = ({ index, question }: PlannedTurn): boolean => {
    const recorded = questions[index]
    return recorded !== undefined && recorded.endUserRef !== question.endUserRef
  }
  if (opened.turns.some(isOther))
    throw new UsageError(
      `${lacking}, and ${HASH_VARIABLE} is another key than the one that the run started with: ` +
        'set that one, or start a new run',
    )
  return { turns: opened.turns, missing: initialRecords(opened, options.repeat, ports.clock.wall()) }
}
