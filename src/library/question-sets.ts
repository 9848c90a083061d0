// Open: reads question sets, selects threads and a shard, numbers the questions.
import { createHash, createHmac } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { readQuestionSets } from '../dataset/read.ts'
import { placeOf, type Fault } from '../dataset/remarks.ts'
import { shardOf, type Thread } from '../dataset/threads.ts'
import { digits, plural } from '../domain/text.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Question } from '../domain/question.ts'
import { parseShard, type Shard } from '../domain/shard.ts'
import { openThread, type PlannedTurn, type ThreadState } from '../runner/thread-state.ts'
import { drawSample, seededRandom } from '../stats/random.ts'
import { findTwice } from '../store/folder.ts'
import { resolveShipped } from './shipped.ts'
import { type RunSettings, withDefaults } from '../options/settings.ts'
import { didYouMean, optionError, UsageError } from '../options/faults.ts'

export type OpenedSet = Awaited<ReturnType<typeof openSets>>

type Choice = Pick<
  RunSettings,
  'format' | 'column' | 'tag' | 'grep' | 'sample' | 'seed' | 'shard' | 'hashEndUserRefs'
>

/**
 * `turns`: what is sent; `all`: the questions of the whole run, also for a shard; `shard`: its description for the manifest. Throws UsageError with every fault of the
 * sets, and if nothing is selected.
 */
export async function openSets(named: readonly string[], choice: Choice, note: (text: string) => void) {
  const paths = named.map((path) => resolveShipped(path, note))
  rejectDuplicates(paths)
  limitHeapGrowth(paths)
  const read = await readQuestionSets(paths, choice)
  if (read.kind === 'faulty') throw faultsError(read.faults)
  const { threads: found, ...set } = read.set
  for (const warning of set.warnings) note(warning)
  const hide = choice.hashEndUserRefs === true ? refHider() : undefined
  const threads = selectThreads(hide === undefined ? found : found.map(hide), choice)
  const part = choice.shard === undefined ? undefined : parseShard(choice.shard)
  const all = threads.flatMap(({ turns }) => turns)
  const isSent = ({ turns: [first] }: Thread): boolean =>
    part === undefined || shardOf(first.id, part.of) === part.index
  const shard = part && { ...part, whole: describeWhole(threads) }
  return { set, turns: planTurns(threads, isSent), all, shard }
}

/** Throws UsageError without a set, and for one that is named twice, which would cost twice. */
export function rejectDuplicates(paths: readonly string[]): void {
  if (paths.length === 0) throw new UsageError('a question set is missing: name one or more CSV files')
  const twice = findTwice(paths)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each file once`)
}

/** Maximum number of listed faults. */
const MOST_FAULTS = 100

/** Lists the faults with their places, then how many there are and what was not done. */
export function faultsError(faults: readonly Fault[], undone = 'sent'): UsageError {
  const hidden = faults.length - MOST_FAULTS
  return new UsageError([
    ...faults
      .slice(0, MOST_FAULTS)
      .map((fault) => ({ path: placeOf(fault), isFile: true as const, message: fault.message })),
    ...(hidden > 0 ? [{ path: '', message: `and ${digits(hidden)} more` }] : []),
    { path: '', message: `${plural(faults.length, 'fault')}; nothing was ${undone}` },
  ])
}

/** Whole threads in which a question has one of the tags and matches; then a sample of them. */
function selectThreads(threads: readonly Thread[], choice: Choice): Thread[] {
  const { tag, grep, sample, seed } = withDefaults(choice)
  rejectUnknownTags(threads, tag)
  const pattern = new RegExp(grep ?? '', 'iu')
  const chosen = threads.filter(
    ({ turns }) =>
      (tag.length === 0 || turns.some(({ tags }) => tags.some((one) => tag.includes(one)))) &&
      turns.some(({ message, id }) => pattern.test(message) || pattern.test(id)),
  )
  if (chosen.length === 0)
    throw grep === undefined
      ? optionError('tag', 'selects no question; name other tags')
      : optionError('grep', `${grep}: no question matches; change the pattern`)
  return sample === undefined ? chosen : drawSample(chosen, sample, seededRandom(seed))
}

function rejectUnknownTags(threads: readonly Thread[], wanted: readonly string[]): void {
  const known = [...new Set(threads.flatMap(({ turns }) => turns.flatMap(({ tags }) => tags)))].toSorted()
  const unknown = wanted.find((one) => !known.includes(one))
  if (unknown === undefined) return
  const hint = didYouMean(unknown, known) || `; it has ${known.slice(0, 20).join(', ') || 'no tags'}`
  throw optionError('tag', `${unknown}: no question of the set has this tag${hint}`)
}

/** In the order of the set. Numbered by file, line and turn; a shard's questions keep the numbers that they have in the whole. */
function planTurns(threads: readonly Thread[], isSent: (thread: Thread) => boolean): PlannedTurn[] {
  const sent = new Set(threads.filter(isSent).flatMap(({ turns }) => turns))
  return threads
    .flatMap(({ turns }) => turns)
    .toSorted((a, b) => a.file - b.file || a.line - b.line || a.turn - b.turn)
    .flatMap((question, index) => (sent.has(question) ? [{ index, question }] : []))
}

/** The conversations that the turns make, each with its repeats: about the order in which a run sends them, so that they lie side by side in memory. */
export function openThreads(turns: readonly PlannedTurn[], repeats: number): ThreadState[] {
  const threads = new Map<string, [PlannedTurn, ...PlannedTurn[]]>()
  for (const turn of turns) {
    const key = JSON.stringify([turn.question.file, turn.question.thread])
    const members = threads.get(key)
    if (members === undefined) threads.set(key, [turn])
    else members.push(turn)
  }
  for (const members of threads.values()) members.sort((a, b) => a.question.turn - b.question.turn)
  return [...threads.values()].flatMap((members, order) =>
    Array.from({ length: repeats }, (_, place) => openThread(order, members, place + 1)),
  )
}

/** The whole run, which the shards must add up to. */
function describeWhole(threads: readonly Thread[]): NonNullable<Shard['whole']> {
  const questions = threads.flatMap((thread) => thread.turns)
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

export const HASH_VARIABLE = 'ASSIST_HASH_KEY'

/** Puts HMAC-SHA-256 in hex in the place of each `end_user_ref`. Throws UsageError if there is no key. */
function refHider(): (thread: Thread) => Thread {
  const key = process.env[HASH_VARIABLE] ?? ''
  if (key === '')
    throw optionError('hashEndUserRefs', `needs a key: set the environment variable ${HASH_VARIABLE}`)
  const hide = (question: Question): Question => {
    if (question.endUserRef === undefined) return question
    const hashed = createHmac('sha256', key).update(question.endUserRef).digest('hex')
    return { ...question, endUserRef: hashed, cells: { ...question.cells, end_user_ref: hashed } }
  }
  return ({ turns: [first, ...rest] }) => ({ turns: [hide(first), ...rest.map(hide)] })
}

/** Bytes of input from which frequent garbage collection is worth its time: about ten thousand turns. */
const LARGE = 2 ** 22

/** Makes V8 collect garbage more often for large inputs: by default the heap grows to several times what is in use. */
export function limitHeapGrowth(paths: readonly string[]): void {
  const bytes = paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0)
  if (bytes < LARGE) return
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--semi-space-growth-factor=1')
}
