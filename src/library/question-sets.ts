// Opens question sets: reads them, selects threads and a shard, numbers the questions.
import { readQuestionSets } from '../dataset/read.ts'
import { describeWhole, hashEndUserRefs, numberQuestions, selectThreads, tagsOf } from '../dataset/select.ts'
import type { Thread } from '../dataset/threads.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { parseShard } from '../domain/shard.ts'
import { didYouMean, faultsError, optionError, UsageError } from '../options/faults.ts'
import { type RunSettings, withDefaults } from '../options/settings.ts'
import { findTwice } from '../store/folder.ts'
import type { Ports } from './ports.ts'
import { resolveShipped } from './shipped.ts'

export type OpenedSet = Awaited<ReturnType<typeof openSets>>

type Choice = Pick<
  RunSettings,
  'format' | 'column' | 'tag' | 'grep' | 'sample' | 'seed' | 'shard' | 'hashEndUserRefs'
>

export interface SetPorts {
  readonly note: (text: string) => void
  readonly ports: Pick<Ports, 'env'>
}

export const HASH_VARIABLE = 'ASSIST_HASH_KEY'

/**
 * `turns`: what is sent; `all`: the questions of the whole run, also for a shard; `shard`: its description
 * for the manifest. Throws UsageError with every fault of the sets, and if nothing is selected.
 */
export async function openSets(named: readonly string[], choice: Choice, { note, ports }: SetPorts) {
  const paths = named.map((path) => resolveShipped(path, note))
  rejectDuplicates(paths)
  const read = await readQuestionSets(paths, choice)
  if (read.kind === 'faulty') throw faultsError(read.faults)
  const { threads: found, ...set } = read.set
  for (const warning of set.warnings) note(warning)
  const key = choice.hashEndUserRefs === true ? readHashKey(ports) : undefined
  const known = key === undefined ? found : found.map((thread) => hashEndUserRefs(thread, key))
  const threads = chooseThreads(known, choice)
  const shard = choice.shard === undefined ? undefined : parseShard(choice.shard)
  return {
    set,
    turns: numberQuestions(threads, shard),
    all: threads.flatMap(({ turns }) => turns),
    shard: shard && { ...shard, whole: describeWhole(threads) },
  }
}

/** Throws UsageError without a set, and for one that is named twice, which would cost twice. */
export function rejectDuplicates(paths: readonly string[]): void {
  if (paths.length === 0) throw new UsageError('a question set is missing: name one or more CSV files')
  const twice = findTwice(paths)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each file once`)
}

function readHashKey({ env }: Pick<Ports, 'env'>): string {
  const key = env[HASH_VARIABLE] ?? ''
  if (key !== '') return key
  throw optionError('hashEndUserRefs', `needs a key: set the environment variable ${HASH_VARIABLE}`)
}

/** Throws UsageError for a tag that no question has, and if nothing is selected. */
function chooseThreads(threads: readonly Thread[], choice: Choice): readonly Thread[] {
  const { tag, grep, sample, seed } = withDefaults(choice)
  const known = tag.length === 0 ? [] : tagsOf(threads)
  const unknown = tag.find((one) => !known.includes(one))
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

/** The first records of a journal: the questions, and the set that they form. */
export function initialRecords(
  { set, turns }: Pick<OpenedSet, 'set' | 'turns'>,
  repeats: number,
  at: number,
): JournalRecord[] {
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
