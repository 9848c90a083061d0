// Folds the journals of a run into one model: its questions, the state of each turn, and the account.
import { factsOf, isRateLimited } from '../../domain/attempt.ts'
import { groupBy } from '../../domain/counts.ts'
import type { IntentRecord, JournalEvent, Position, RecordOf, ResultRecord } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import type { ShardPosition } from '../../domain/shard.ts'
import type { Summary } from '../../domain/summary.ts'
import { NO_RESULT, type TurnFacts } from '../../domain/turn.ts'
import { PART_COLUMN } from '../../domain/viewed-set.ts'
import type { RecordedOptions } from '../../options/manifest.ts'
import { type Account, createAccount, createCallsOverTime, usageClassOf } from './account.ts'

export interface Model extends Account {
  readonly questions: readonly (Question | undefined)[]
  readonly slots: readonly Slot[]
  readonly slotOf: (index: number, repeat: number) => Slot
  /** `--confirm` sends these turns again. Their usage is counted at the first answer's slot. */
  readonly confirming: readonly Slot[]
  /** These turns and the first answer of the question, which is the key, are counted by majority. */
  readonly tries: ReadonlyMap<number, readonly Slot[]>
  /** This is the last set recorded. Undefined if the journals hold none, or not all of its questions. */
  readonly set: RecordOf<'set'> | undefined
  readonly paceChanges: readonly RecordOf<'pace'>[]
  readonly calls: Summary['pacing']['calls']
  readonly restarts: ReadonlyMap<string, number>
}

/** A report shows no more, and the last one; a run of days may have many more. */
const MAX_PACE_CHANGES = 10_000

/** Keeps no answers in memory, only the position of each turn's deciding result. */
export function createFold() {
  const account = createAccount()
  const questions = createQuestions()
  const slots = createSlots()
  let recordedSet: RecordOf<'set'> | undefined
  const calls = createCallsOverTime()
  const confirmations: RecordOf<'confirm'>[] = []
  const restarts = new Map<string, number>()
  const paceChanges: RecordOf<'pace'>[] = []
  return {
    add: (event: JournalEvent, position: Position): void => {
      questions.add(event)
      slots.add(event, position, questions.threadOf)
      calls.add(event)
      account.add(event)
      if (event.kind === 'restart') restarts.set(event.cause, (restarts.get(event.cause) ?? 0) + 1)
      if (event.kind === 'confirm') confirmations.push(event)
      if (event.kind === 'set') recordedSet = joinSets(recordedSet, event)
      if (event.kind === 'pace') paceChanges[Math.min(paceChanges.length, MAX_PACE_CHANGES - 1)] = event
    },
    addLostIntent: account.addLostIntent,
    finish: (): Model => {
      const set = recordedSet
      const repeatOf = new Map(
        confirmations.flatMap((event) => repeatsOf(event).map((as) => [as, event.repeat])),
      )
      for (const [as, repeat] of repeatOf) slots.joinUsage(as, repeat)
      // Without a record of the set, it is every recorded question.
      const ranges = set?.ranges ?? [[0, questions.all.length - 1] as const]
      const numbers = ranges.flatMap(([first, last]) => range(first, last - first + 1))
      const repeats = range(1, set?.repeats ?? slots.repeats())
      return {
        ...account.totals(),
        questions: questions.all,
        slots: numbers.flatMap((index) => repeats.map((repeat) => slots.read(index, repeat))),
        slotOf: slots.read,
        confirming: confirmations.flatMap((confirmation) =>
          repeatsOf(confirmation).flatMap((as) =>
            questions.threadOf(confirmation.question).map((index) => slots.read(index, as)),
          ),
        ),
        tries: new Map(
          confirmations.flatMap((confirmation) => {
            const again = repeatsOf(confirmation)
            return confirmation.questions.map((index) => [index, again.map((as) => slots.read(index, as))])
          }),
        ),
        set: numbers.every((index) => questions.all[index] !== undefined) ? set : undefined,
        paceChanges,
        calls: calls.finish(),
        restarts,
      }
    },
  }
}

/** A resume records the whole set again. Version 0.3 left a merged run the sets of all its shards. */
function joinSets(before: RecordOf<'set'> | undefined, set: RecordOf<'set'>): RecordOf<'set'> {
  const earlier = (before?.ranges ?? []).filter(([from]) => set.ranges.every(([first]) => first !== from))
  return { ...set, ranges: [...earlier, ...set.ranges].toSorted(([some], [other]) => some - other) }
}

const range = (first: number, count: number): number[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => first + index)

const repeatsOf = ({ as, times }: RecordOf<'confirm'>): number[] => range(as, times)

/**
 * Lists what a resume sends. A conversation with an attempt of unknown result starts again, and so does each
 * that a new sandbox (`forgets`) does not know.
 */
export function turnsLeft({ questions, slots, confirming }: Model, forgets: boolean): number {
  const threads = groupBy([...slots, ...confirming], ({ index, repeat }) => {
    const question = questions[index]
    return question === undefined ? '' : `${threadKey(question)} ${repeat}`
  })
  return [...threads.values()].reduce((sum, turns) => {
    const open = turns.filter(({ outcome }) => outcome === undefined).length
    if (open > 0 && turns.some(({ dangling }) => dangling)) return sum + turns.length
    return sum + (forgets && 0 < open && open < turns.length ? turns.length + 1 : open)
  }, 0)
}

/** Identifies a thread: threads in different files may have the same name. */
export const threadKey = ({ file, thread }: { readonly file: number; readonly thread: string }): string =>
  `${file} ${thread}`

/** Returns one value for all that are equal: most questions and results of a run say the same. */
function createShared() {
  const known = new Map<string, unknown>()
  return <T>(value: T): T => {
    const key = JSON.stringify(value)
    if (known.size < MAX_SHARED && !known.has(key)) known.set(key, value)
    return (known.get(key) ?? value) as T
  }
}

/** More than these are hardly the same, and would be kept for nothing. */
const MAX_SHARED = 1000

export function createQuestions() {
  const share = createShared()
  const questions: (Question | undefined)[] = []
  const threads: (readonly number[])[] = []
  const byName = new Map<string, number[]>()
  return {
    add: (event: JournalEvent): void => {
      if (event.kind !== 'question') return
      const { index } = event
      const { tags, cells, expect } = event.question
      const question = { ...event.question, tags: share(tags), cells: share(cells) }
      if (expect !== undefined) question.expect = share(expect)
      // Earlier questions may be lost. Array methods skip holes, so fill them.
      while (questions.length < index) questions.push(undefined)
      questions[index] = question
      // A later record of the same number does not change the thread.
      if (threads[index] !== undefined) return
      const name = threadKey(question)
      const thread = byName.get(name) ?? []
      byName.set(name, thread)
      thread.push(index)
      threads[index] = thread
    },
    all: questions as readonly (Question | undefined)[],
    /** Lists the numbers of all questions of a thread; only this one if its record is lost. */
    threadOf: (index: number): readonly number[] => threads[index] ?? [index],
  }
}

/** Usage is that of all attempts, earlier conversations included. Facts count once there is an outcome. */
export interface Slot extends TurnFacts {
  readonly conversation: number
  /** A journal may have lost it; only a session that sends has it for certain. */
  readonly question: Question | undefined
  readonly last: { readonly attempt: number; readonly position: Position } | undefined
  readonly waitMs: number
  /** An attempt in the current conversation has no result, so the conversation's state is unknown. */
  readonly dangling: boolean
}

export type OpenSlot = { -readonly [K in keyof Slot]: Slot[K] }

const USAGE_NAMES = ['certain', 'possible', 'notCounted', 'rateLimited'] as const

/** A run has many slots, and without spreads each takes half the memory. */
const newSlot = (index: number, repeat: number): OpenSlot => ({
  index,
  repeat,
  conversation: 1,
  question: undefined,
  outcome: undefined,
  contextLost: false,
  grade: 'notGraded',
  facts: NO_RESULT.facts,
  serviceMs: undefined,
  waitMs: 0,
  last: undefined,
  dangling: false,
  certain: 0,
  possible: 0,
  notCounted: 0,
  rateLimited: 0,
})

function resetSlot(slot: OpenSlot, conversation: number): OpenSlot {
  const { index, repeat, question, certain, possible, notCounted, rateLimited } = slot
  const usage = { certain, possible, notCounted, rateLimited }
  return Object.assign(slot, newSlot(index, repeat), { conversation, question, ...usage })
}

export function createSlots() {
  const byRepeat = new Map<number, OpenSlot[]>()
  const open = new Map<number, OpenSlot>()
  const share = createShared()

  const make = (index: number, repeat: number): OpenSlot => {
    const ofRepeat = byRepeat.get(repeat) ?? []
    byRepeat.set(repeat, ofRepeat)
    return (ofRepeat[index] ??= newSlot(index, repeat))
  }
  /** An attempt counts as possible usage until its result is read. */
  const addIntent = ({ attempt, question, repeat, conversation }: IntentRecord): void => {
    const slot = make(question, repeat)
    if (conversation > slot.conversation) resetSlot(slot, conversation)
    slot.possible += 1
    slot.dangling = true
    open.set(attempt, slot)
  }
  const addResult = ({ attempt, result, waitMs, serviceMs }: ResultRecord, position: Position): void => {
    const slot = open.get(attempt)
    if (slot === undefined) return
    open.delete(attempt)
    slot.dangling = result.kind === 'abandoned' && result.sent
    slot.possible -= 1
    slot[usageClassOf(result)] += 1
    if (isRateLimited(result)) slot.rateLimited += 1
    slot.last = { attempt, position }
    slot.waitMs += waitMs
    slot.serviceMs = serviceMs
    slot.facts = share(factsOf(result))
  }
  return {
    make,
    /** Returns the turns that ended, or that a restart opened again. */
    add: (
      event: JournalEvent,
      position: Position,
      threadOf: (index: number) => readonly number[],
    ): readonly OpenSlot[] => {
      if (event.kind === 'question') make(event.index, 1)
      else if (event.kind === 'intent') addIntent(event)
      else if (event.kind === 'result') addResult(event, position)
      else if (event.kind === 'turnEnded') {
        const slot = make(event.question, event.repeat)
        // An outcome does not count if its answer is lost: the turn is sent again.
        if (event.attempt !== undefined && event.attempt !== slot.last?.attempt) return []
        slot.outcome = event.outcome
        slot.contextLost = event.contextLost
        return [slot]
      } else if (event.kind === 'restart')
        return threadOf(event.question).map((index) =>
          resetSlot(make(index, event.repeat), event.conversation),
        )
      return []
    },
    /** Counts what it cost to send conversations again with the first ones. */
    joinUsage: (as: number, repeat: number): void => {
      for (const slot of Object.values(byRepeat.get(as) ?? [])) {
        const first = make(slot.index, repeat)
        for (const name of USAGE_NAMES) [first[name], slot[name]] = [first[name] + slot[name], 0]
      }
    },
    repeats: (): number => Math.max(1, ...byRepeat.keys()),
    read: (index: number, repeat: number): Slot => byRepeat.get(repeat)?.[index] ?? newSlot(index, repeat),
  }
}

export interface Selected {
  readonly manifest: { readonly options: RecordedOptions; readonly shard?: ShardPosition | undefined }
  readonly model: { readonly questions: Model['questions'] }
}

/** Questions that were asked again are marked. */
export const isMarked = ({ questions }: Selected['model']): boolean =>
  questions.some((question) => (question?.cells[PART_COLUMN] ?? '') !== '')

export const selects = ({ options: { tag, grep, sample }, shard }: Selected['manifest']): boolean =>
  tag.length > 0 || grep !== null || sample !== null || shard !== undefined

/** The run lacks questions of its set. */
export const isOfPart = ({ manifest, model }: Selected): boolean => selects(manifest) || isMarked(model)
