// Folds journals into one model: for each turn its outcome, the position of its answer and the usage of its attempts; sessions, pace and calls.
import { type AttemptResult, isRateLimited } from '../domain/attempt.ts'
import type { IntentRecord, JournalRecord, Position, RecordOf, ResultRecord } from '../domain/journal.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Stop } from '../domain/stop.ts'
import type { Summary } from '../domain/summary.ts'
import { worstStop } from './verdict.ts'
import { type UsageClass, usageClassOf } from './quota.ts'
import { createRecordTally, type RecordTally } from './record-tally.ts'

/** The state of one turn of one repeat, and the usage of all its attempts, earlier conversations included. */
export interface Slot extends Readonly<Record<UsageClass | 'rateLimited', number>> {
  readonly index: number
  readonly repeat: number
  readonly conversation: number
  readonly outcome: Outcome | undefined
  readonly contextLost: boolean
  /** The last attempt with a result in the current conversation. */
  readonly last: { readonly attempt: number; readonly position: Position } | undefined
  /** Milliseconds that its attempts in the current conversation waited. */
  readonly waitMs: number
  /** An attempt in the current conversation has no result, so the conversation's state is unknown. */
  readonly dangling: boolean
}

export interface Model extends Omit<RecordTally, 'lost' | 'orphans'> {
  /** By number. Includes questions that left the set; undefined if the record is lost. */
  readonly questions: readonly (Question | undefined)[]
  /** The turns of the set, in its order, then by repeat. */
  readonly slots: readonly Slot[]
  /** The slot of a question and repeat, even if it was never sent. */
  readonly slotOf: (index: number, repeat: number) => Slot
  /** The last set recorded. Undefined if the journals hold none, or not all of its questions. */
  readonly set: RecordOf<'set'> | undefined
  /** Attempts whose intent is lost, so they belong to no turn. Without a result, they count as possible usage. */
  readonly attemptsLost: number
  readonly paceChanges: readonly RecordOf<'pace'>[]
  /** All attempts with a result; null if there are none. */
  readonly calls: Summary['pacing']['calls']
  /** Restarts of threads by cause. */
  readonly restarts: ReadonlyMap<string, number>
}

/** A report shows no more; a run of days may have many more. */
const MAX_PACE_CHANGES = 10_000

/** Identifies a thread: threads in different files may have the same name. */
export const threadKey = ({ file, thread }: Pick<Question, 'file' | 'thread'>): string => `${file} ${thread}`

/** Keeps no answers in memory, only the position of each turn's deciding result. */
export function createFold() {
  const questions: (Question | undefined)[] = []
  const threads = createThreads()
  const slots = createSlots()
  /** Slots by their attempts without a result. */
  const open = new Map<number, OpenSlot>()
  const tally = createRecordTally()
  const calls = createCallCounter()
  /** Version 0.1 sent failed `must_pass` questions again under a separate repeat. Its usage counts with the confirmed repeat. */
  const confirmedBy = new Map<number, number>()
  const restarts = new Map<string, number>()
  const paceChanges: RecordOf<'pace'>[] = []
  /** The sets of a merged run's shards, and how they ended. */
  const shards: { readonly set: RecordOf<'set'> | undefined; readonly stop: Stop | undefined }[] = []
  let set: RecordOf<'set'> | undefined

  /** An attempt counts as possible usage until its result is read. An intent in a later conversation restarts the turn. */
  const addIntent = ({ attempt, question, repeat, conversation }: IntentRecord): void => {
    const slot = slots.make(question, repeat)
    if (conversation > slot.conversation) resetSlot(slot, conversation)
    slot.possible += 1
    slot.dangling = true
    open.set(attempt, slot)
  }

  const addResult = (slot: OpenSlot, { attempt, result, waitMs }: ResultRecord, position: Position): void => {
    open.delete(attempt)
    slot.dangling = result.kind === 'abandoned' && result.sent
    slot.possible -= 1
    slot[usageClassOf(result)] += 1
    if (isRateLimited(result)) slot.rateLimited += 1
    slot.last = { attempt, position }
    slot.waitMs += waitMs
  }

  const apply = (record: JournalRecord, position: Position): void => {
    switch (record.kind) {
      case 'sitting': {
        const { sessions, stop } = tally.progress()
        // In a merged run, the next shard begins. The sets of all shards apply until a session resumes the merged run.
        if (record.sitting === 1 && sessions > 0) shards.push({ set, stop })
        else if (record.sitting === sessions + 1) shards.length = 0
        return
      }
      case 'question':
        // Earlier questions may be lost. Array methods skip holes, so fill them.
        while (questions.length < record.index) questions.push(undefined)
        questions[record.index] = record.question
        threads.add(record.index, record.question)
        slots.make(record.index, 1)
        return
      case 'set':
        set = mergeSets(shards.at(-1)?.set, record)
        return
      case 'intent':
        return addIntent(record)
      case 'result': {
        calls.add(record.at, record.result)
        const slot = open.get(record.attempt)
        if (slot !== undefined) addResult(slot, record, position)
        return
      }
      case 'outcome': {
        const slot = slots.make(record.question, record.repeat)
        // An outcome does not count if its answer is lost: the turn is sent again.
        if (record.attempt !== undefined && record.attempt !== slot.last?.attempt) return
        slot.outcome = record.outcome
        slot.contextLost = record.contextLost
        return
      }
      case 'restart':
        restarts.set(record.cause, (restarts.get(record.cause) ?? 0) + 1)
        for (const index of threads.of(record.question))
          resetSlot(slots.make(index, record.repeat), record.conversation)
        return
      case 'confirm':
        confirmedBy.set(record.as, record.repeat)
        return
      case 'pace':
        if (paceChanges.length < MAX_PACE_CHANGES) paceChanges.push(record)
        return
      case 'dropped':
      case 'generator':
      case 'end':
        return
    }
  }
  const add = (record: JournalRecord, position: Position): void => {
    apply(record, position)
    tally.add(record)
  }

  const finish = (): Model => {
    for (const slot of slots.all()) {
      const repeat = confirmedBy.get(slot.repeat)
      if (repeat === undefined) continue
      const first = slots.make(slot.index, repeat)
      for (const name of USAGE_NAMES) [first[name], slot[name]] = [first[name] + slot[name], 0]
    }
    // Without a record of the set, it is every recorded question.
    const { ranges, repeats } = set ?? {
      ranges: [[0, questions.length - 1] as const],
      repeats: slots.repeats(),
    }
    const numbers = ranges.flatMap(([first, last]) => range(first, last - first + 1))
    const slotsOfSet = numbers.flatMap((index) =>
      range(1, repeats).map((repeat) => slots.read(index, repeat)),
    )
    const { lost, orphans, ...whole } = tally.finish()
    return {
      ...whole,
      questions,
      slots: slotsOfSet,
      slotOf: slots.read,
      set: numbers.every((index) => questions[index] !== undefined) ? set : undefined,
      attemptsLost: orphans + lost,
      paceChanges,
      calls: calls.finish(),
      stop: worstStop([...shards.map((shard) => shard.stop), whole.stop]),
      restarts,
    }
  }
  return { add, addLostIntent: tally.addLostIntent, finish }
}

const range = (first: number, count: number): number[] =>
  Array.from({ length: Math.max(0, count) }, (_, place) => first + place)

/** A slot while the journals are read. */
type OpenSlot = { -readonly [K in keyof Slot]: Slot[K] }

function createSlots() {
  /** By repeat, then by the question's number. */
  const byRepeat = new Map<number, OpenSlot[]>()
  return {
    all: () => [...byRepeat.values()].flat(),
    repeats: () => Math.max(1, ...byRepeat.keys()),
    make: (index: number, repeat: number): OpenSlot => {
      const ofRepeat = byRepeat.get(repeat) ?? []
      byRepeat.set(repeat, ofRepeat)
      return (ofRepeat[index] ??= newSlot(index, repeat))
    },
    /** The state of a turn; that of an unsent turn if there are no records of it. */
    read: (index: number, repeat: number): Slot => byRepeat.get(repeat)?.[index] ?? newSlot(index, repeat),
  }
}

const UNSENT = { outcome: undefined, contextLost: false, last: undefined, waitMs: 0, dangling: false }
const NO_USAGE = { certain: 0, possible: 0, notCounted: 0, rateLimited: 0 }
const USAGE_NAMES = ['certain', 'possible', 'notCounted', 'rateLimited'] as const

/** A run has many slots: each is a plain object, all of one shape. */
const newSlot = (index: number, repeat: number): OpenSlot => ({
  index,
  repeat,
  conversation: 1,
  ...UNSENT,
  ...NO_USAGE,
})

/** Resets the turn to unsent in the new conversation, and keeps the usage of its attempts. */
const resetSlot = (slot: OpenSlot, conversation: number): OpenSlot =>
  Object.assign(slot, UNSENT, { conversation })

/** The questions of each thread. */
export function createThreads() {
  /** By the question's number: the numbers of its thread's questions, in recorded order. */
  const members: (readonly number[])[] = []
  const byName = new Map<string, number[]>()
  return {
    /** A later record of the same number does not change the thread. */
    add: (index: number, question: Question): void => {
      if (members[index] !== undefined) return
      const name = threadKey(question)
      const own = byName.get(name) ?? []
      byName.set(name, own)
      own.push(index)
      members[index] = own
    },
    /** Only the question itself if its record is lost. */
    of: (index: number): readonly number[] => members[index] ?? [index],
  }
}

/** Adds the ranges of earlier shards. All shards number questions as in the whole set. */
function mergeSets(before: RecordOf<'set'> | undefined, record: RecordOf<'set'>): RecordOf<'set'> {
  if (before === undefined) return record
  const ranges = [...before.ranges, ...record.ranges].toSorted(([a], [b]) => a - b)
  return { ...record, ranges }
}

/** A chart shows at most this many bins; longer runs get wider bins. */
const MAX_BINS = 120
const FIRST_BIN_MS = 250

type CallKind = 'answered' | 'refused' | 'failed'

export function createCallCounter() {
  const [ends, kinds]: [number[], CallKind[]] = [[], []]
  return {
    /** `at`: when the call ended, in milliseconds since the epoch; roughly ascending. */
    add: (at: number, result: AttemptResult): void => {
      ends.push(at)
      kinds.push(callKind(result))
    },
    /** Null without calls. */
    finish: (): Model['calls'] => {
      const [first] = ends
      if (first === undefined) return null
      const from = Math.floor(first / FIRST_BIN_MS) * FIRST_BIN_MS
      const longest = ends.reduce((most, at) => Math.max(most, at - from), 0)
      let binMs = FIRST_BIN_MS
      while (longest >= MAX_BINS * binMs) binMs *= 2
      const empty = Array<number>(Math.floor(longest / binMs) + 1).fill(0)
      const counts = { answered: [...empty], refused: [...empty], failed: [...empty] }
      // If the clock was set back, the call still counts.
      for (const [place, kind] of kinds.entries()) {
        const bin = Math.max(0, Math.floor(((ends[place] ?? from) - from) / binMs))
        counts[kind][bin] = (counts[kind][bin] ?? 0) + 1
      }
      return { from: new Date(from).toISOString(), binMs, ...counts }
    },
  }
}

function callKind(result: AttemptResult): CallKind {
  if (result.kind === 'reply') return 'answered'
  return isRateLimited(result) ? 'refused' : 'failed'
}
