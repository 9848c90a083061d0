// Fold: journals in, one model out. For each turn its last outcome and where its answer stands, what all attempts cost, sessions, pace, calls.
import { type AttemptResult, isRateLimited } from '../domain/attempt.ts'
import type {
  IntentRecord,
  JournalRecord,
  PaceRecord,
  Position,
  ResultRecord,
  SetRecord,
} from '../domain/journal.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Stop } from '../domain/stop.ts'
import type { Summary } from '../domain/summary.ts'
import { worstStop } from './verdict.ts'
import { type UsageClass, usageClassOf } from './quota.ts'
import { createRecordTally, type RecordTally } from './record-tally.ts'

/** A turn of one repeat, as the journals leave it; what its attempts cost, in whatever conversation. */
export interface Slot extends Readonly<Record<UsageClass | 'rateLimited', number>> {
  readonly index: number
  readonly repeat: number
  readonly conversation: number
  readonly outcome: Outcome | undefined
  readonly contextLost: boolean
  /** The last attempt with a result in the conversation that stands. */
  readonly last: { readonly attempt: number; readonly place: Position } | undefined
  /** Milliseconds that its attempts in that conversation waited. */
  readonly waitMs: number
  /** An attempt of the conversation that stands has no result: nobody knows its state. */
  readonly dangling: boolean
}

export interface Model extends Omit<RecordTally, 'lost' | 'strays'> {
  /** By number; some may have left the set, some may be lost. */
  readonly questions: readonly (Question | undefined)[]
  /** What stands in the set, in its order, then by repeat. */
  readonly slots: readonly Slot[]
  /** The slot of a question and a repeat, sent or not. */
  readonly slotOf: (index: number, repeat: number) => Slot
  /** The set that stands; undefined where the journals hold none, or not all of its questions. */
  readonly set: SetRecord | undefined
  /** Attempts whose intent is lost: no turn shows them. Without a result, they count as possible. */
  readonly attemptsLost: number
  readonly paceChanges: readonly PaceRecord[]
  /** Of all attempts whose result is known; null where there is none. */
  readonly calls: Summary['pacing']['calls']
  /** How often a thread was sent again from its start, by cause. */
  readonly restarts: ReadonlyMap<string, number>
}

/** As many changes of pace as a report shows; a run of days may have many more. */
const MOST_PACE_CHANGES = 10_000

/** One value for the turns of one conversation. */
export const threadKey = ({ file, thread }: Pick<Question, 'file' | 'thread'>): string => `${file} ${thread}`

/** Reads no answer twice: of each turn only the place of what decides it is kept. */
export function createFold() {
  const questions: (Question | undefined)[] = []
  const threads = createThreads()
  const slots = createSlots()
  /** By the attempt that has no result yet. */
  const open = new Map<number, OpenSlot>()
  const tally = createRecordTally()
  const calls = createCallCounter()
  /** Version 0.1 sent `must_pass` questions that had failed again, under a repeat of its own: those calls count with the first. */
  const confirmedBy = new Map<number, number>()
  const restarts = new Map<string, number>()
  const paceChanges: PaceRecord[] = []
  /** How the shards of a merged run ended, and what they held. */
  const shards: { readonly set: SetRecord | undefined; readonly stop: Stop | undefined }[] = []
  let set: SetRecord | undefined

  /** Until its result is read, nobody knows what became of the attempt. A later conversation than the slot's starts the turn again. */
  const begin = ({ attempt, question, repeat, conversation }: IntentRecord): void => {
    const slot = slots.make(question, repeat)
    if (conversation > slot.conversation) restartSlot(slot, conversation)
    slot.possible += 1
    slot.dangling = true
    open.set(attempt, slot)
  }

  const settle = (slot: OpenSlot, { attempt, result, waitMs }: ResultRecord, place: Position): void => {
    open.delete(attempt)
    slot.dangling = result.kind === 'abandoned' && result.sent
    slot.possible -= 1
    slot[usageClassOf(result)] += 1
    if (isRateLimited(result)) slot.rateLimited += 1
    slot.last = { attempt, place }
    slot.waitMs += waitMs
  }

  const see = (record: JournalRecord, place: Position): void => {
    switch (record.kind) {
      case 'sitting': {
        const { sessions, stop } = tally.ended()
        // Of a merged run: the next shard. What all shards hold stands, until a session resumes the whole.
        if (record.sitting === 1 && sessions > 0) shards.push({ set, stop })
        else if (record.sitting === sessions + 1) shards.length = 0
        return
      }
      case 'question':
        // Questions before it may be lost; an array with holes would be passed over there.
        while (questions.length < record.index) questions.push(undefined)
        questions[record.index] = record.question
        threads.add(record.index, record.question)
        slots.make(record.index, 1)
        return
      case 'set':
        set = uniteSets(shards.at(-1)?.set, record)
        return
      case 'intent':
        return begin(record)
      case 'result': {
        calls.add(record.at, record.result)
        const slot = open.get(record.attempt)
        if (slot !== undefined) settle(slot, record, place)
        return
      }
      case 'outcome': {
        const slot = slots.make(record.question, record.repeat)
        // An outcome whose answer the journals have lost decides nothing: the turn is sent again.
        if (record.attempt !== undefined && record.attempt !== slot.last?.attempt) return
        slot.outcome = record.outcome
        slot.contextLost = record.contextLost
        return
      }
      case 'restart':
        restarts.set(record.cause, (restarts.get(record.cause) ?? 0) + 1)
        for (const index of threads.of(record.question))
          restartSlot(slots.make(index, record.repeat), record.conversation)
        return
      case 'confirm':
        confirmedBy.set(record.as, record.repeat)
        return
      case 'pace':
        if (paceChanges.length < MOST_PACE_CHANGES) paceChanges.push(record)
        return
      case 'dropped':
      case 'generator':
      case 'end':
        return
    }
  }
  const add = (record: JournalRecord, place: Position): void => {
    see(record, place)
    tally.add(record)
  }

  const finish = (): Model => {
    for (const slot of slots.all()) {
      const repeat = confirmedBy.get(slot.repeat)
      if (repeat === undefined) continue
      const first = slots.make(slot.index, repeat)
      for (const name of COSTS) [first[name], slot[name]] = [first[name] + slot[name], 0]
    }
    // Without a word on the set, everything that was recorded.
    const { ranges, repeats } = set ?? {
      ranges: [[0, questions.length - 1] as const],
      repeats: slots.repeats(),
    }
    const numbers = ranges.flatMap(([first, last]) => countUp(first, last - first + 1))
    const standing = numbers.flatMap((index) =>
      countUp(1, repeats).map((repeat) => slots.read(index, repeat)),
    )
    const { lost, strays, ...whole } = tally.finish()
    return {
      ...whole,
      questions,
      slots: standing,
      slotOf: slots.read,
      set: numbers.every((index) => questions[index] !== undefined) ? set : undefined,
      attemptsLost: strays + lost,
      paceChanges,
      calls: calls.finish(),
      stop: worstStop([...shards.map((shard) => shard.stop), whole.stop]),
      restarts,
    }
  }
  return { add, addLostIntent: tally.lose, finish }
}

const countUp = (first: number, count: number): number[] =>
  Array.from({ length: Math.max(0, count) }, (_, place) => first + place)

/** While the journals are read. */
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
    /** What is known of a turn; of one that was never made, what stands before anything is. */
    read: (index: number, repeat: number): Slot => byRepeat.get(repeat)?.[index] ?? newSlot(index, repeat),
  }
}

const UNSENT = { outcome: undefined, contextLost: false, last: undefined, waitMs: 0, dangling: false }
const FREE = { certain: 0, possible: 0, notCounted: 0, rateLimited: 0 }
const COSTS = ['certain', 'possible', 'notCounted', 'rateLimited'] as const

/** A run has many: one plain object for each, all of one shape. */
const newSlot = (index: number, repeat: number): OpenSlot => ({
  index,
  repeat,
  conversation: 1,
  ...UNSENT,
  ...FREE,
})

/** The turn stands as never sent, in this conversation; what its attempts cost stays. */
const restartSlot = (slot: OpenSlot, conversation: number): OpenSlot =>
  Object.assign(slot, UNSENT, { conversation })

/** Which questions are of one conversation. */
export function createThreads() {
  /** By the question's number: the numbers of its thread, in the order of their recording. */
  const members: (readonly number[])[] = []
  const byName = new Map<string, number[]>()
  return {
    /** A later question of the same number is of the same thread. */
    add: (index: number, question: Question): void => {
      if (members[index] !== undefined) return
      const name = threadKey(question)
      const own = byName.get(name) ?? []
      byName.set(name, own)
      own.push(index)
      members[index] = own
    },
    /** Itself alone where its question is not known. */
    of: (index: number): readonly number[] => members[index] ?? [index],
  }
}

/** What the shards before hold stands beside it. Numbers are those of the whole set. */
function uniteSets(before: SetRecord | undefined, record: SetRecord): SetRecord {
  if (before === undefined) return record
  const ranges = [...before.ranges, ...record.ranges].toSorted(([a], [b]) => a - b)
  return { ...record, ranges }
}

/** As many bins as a chart shows, however long the run. */
const MOST_BINS = 120
const FIRST_BIN_MS = 250

type Fate = 'answered' | 'refused' | 'failed'

export function createCallCounter() {
  const [ends, fates]: [number[], Fate[]] = [[], []]
  return {
    /** `at`: milliseconds since the epoch when the call ended; calls come roughly in order. */
    add: (at: number, result: AttemptResult): void => {
      ends.push(at)
      fates.push(fateOf(result))
    },
    /** Null where no call ended. */
    finish: (): Model['calls'] => {
      const [first] = ends
      if (first === undefined) return null
      const from = Math.floor(first / FIRST_BIN_MS) * FIRST_BIN_MS
      const longest = ends.reduce((most, at) => Math.max(most, at - from), 0)
      let binMs = FIRST_BIN_MS
      while (longest >= MOST_BINS * binMs) binMs *= 2
      const empty = Array<number>(Math.floor(longest / binMs) + 1).fill(0)
      const counts = { answered: [...empty], refused: [...empty], failed: [...empty] }
      // A clock that was set back must not lose a call.
      for (const [place, fate] of fates.entries()) {
        const bin = Math.max(0, Math.floor(((ends[place] ?? from) - from) / binMs))
        counts[fate][bin] = (counts[fate][bin] ?? 0) + 1
      }
      return { from: new Date(from).toISOString(), binMs, ...counts }
    },
  }
}

function fateOf(result: AttemptResult): Fate {
  if (result.kind === 'reply') return 'answered'
  return isRateLimited(result) ? 'refused' : 'failed'
}
