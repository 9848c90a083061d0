// Folds the journals of a run into one model: each turn with its outcome, the position of its answer and its
// usage.
import { isRateLimited } from '../domain/attempt.ts'
import type { IntentRecord, JournalEvent, Position, RecordOf, ResultRecord } from '../domain/journal.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { Summary } from '../domain/summary.ts'
import { createAccount, type Totals } from './account.ts'
import { createCallsOverTime } from './calls-over-time.ts'
import { createLimitCalls, type LimitCalls } from './limit/calls.ts'
import { createQuestions } from './questions.ts'
import { type UsageClass, usageClassOf } from './quota.ts'

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

/** What the journals of a run say: all of its turns, without their texts. */
export interface Model extends Omit<Totals, 'lost' | 'orphans'> {
  /** By number; undefined if the record is lost. */
  readonly questions: readonly (Question | undefined)[]
  /** The turns of the set, in its order, then by repeat. */
  readonly slots: readonly Slot[]
  readonly slotOf: (index: number, repeat: number) => Slot
  /**
   * The turns of conversations that `--confirm` sends again, beside those of the set. The usage of their
   * attempts is that of the first answer's slot.
   */
  readonly confirming: readonly Slot[]
  /** Questions that failed: of their first answer and those in `confirming`, the majority counts. */
  readonly confirmed: ReadonlySet<number>
  /** The last set recorded. Undefined if the journals hold none, or not all of its questions. */
  readonly set: RecordOf<'set'> | undefined
  /**
   * Attempts whose intent is lost, so they belong to no turn. Without a result, they count as possible usage.
   */
  readonly attemptsLost: number
  readonly paceChanges: readonly RecordOf<'pace'>[]
  readonly calls: Summary['pacing']['calls']
  readonly limitCalls: LimitCalls
  readonly restarts: ReadonlyMap<string, number>
}

/** A report shows no more; a run of days may have many more. */
const MAX_PACE_CHANGES = 10_000

/** Keeps no answers in memory, only the position of each turn's deciding result. */
export function createFold() {
  const account = createAccount()
  const questions = createQuestions()
  let recordedSet: RecordOf<'set'> | undefined
  const slots = createSlots()
  const calls = createCallsOverTime()
  const limitCalls = createLimitCalls()
  const confirmations: RecordOf<'confirm'>[] = []
  const restarts = new Map<string, number>()
  const paceChanges: RecordOf<'pace'>[] = []
  return {
    add: (event: JournalEvent, position: Position): void => {
      questions.add(event)
      slots.add(event, position, questions.threadOf)
      calls.add(event)
      limitCalls.add(event)
      account.add(event)
      if (event.kind === 'restart') restarts.set(event.cause, (restarts.get(event.cause) ?? 0) + 1)
      if (event.kind === 'confirm') confirmations.push(event)
      if (event.kind === 'set') recordedSet = joinSets(recordedSet, event)
      if (event.kind === 'pace' && paceChanges.length < MAX_PACE_CHANGES) paceChanges.push(event)
    },
    addLostIntent: account.addLostIntent,
    finish: (): Model => {
      const { lost, orphans, ...totals } = account.totals()
      const set = recordedSet
      const repeatOf = new Map(confirmations.flatMap((one) => repeatsOf(one).map((as) => [as, one.repeat])))
      for (const [as, repeat] of repeatOf) slots.joinUsage(as, repeat)
      // Without a record of the set, it is every recorded question.
      const ranges = set?.ranges ?? [[0, questions.all.length - 1] as const]
      const numbers = ranges.flatMap(([first, last]) => range(first, last - first + 1))
      const repeats = range(1, set?.repeats ?? slots.repeats())
      return {
        ...totals,
        questions: questions.all,
        slots: numbers.flatMap((index) => repeats.map((repeat) => slots.read(index, repeat))),
        slotOf: slots.read,
        confirming: confirmations.flatMap((one) =>
          repeatsOf(one).flatMap((as) =>
            questions.threadOf(one.question).map((index) => slots.read(index, as)),
          ),
        ),
        confirmed: new Set(confirmations.flatMap((one) => one.questions)),
        set: numbers.every((index) => questions.all[index] !== undefined) ? set : undefined,
        attemptsLost: orphans + lost,
        paceChanges,
        calls: calls.finish(),
        limitCalls: limitCalls.finish(),
        restarts,
      }
    },
  }
}

/** A resume records the whole set again. Version 0.3 left a merged run the sets of its shards, one after the other. */
function joinSets(before: RecordOf<'set'> | undefined, set: RecordOf<'set'>): RecordOf<'set'> {
  const earlier = (before?.ranges ?? []).filter(([from]) => set.ranges.every(([first]) => first !== from))
  return { ...set, ranges: [...earlier, ...set.ranges].toSorted(([some], [other]) => some - other) }
}

const range = (first: number, count: number): number[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => first + index)

const repeatsOf = ({ as, times }: RecordOf<'confirm'>): number[] => range(as, times)

type OpenSlot = { -readonly [K in keyof Slot]: Slot[K] }

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

function createSlots() {
  const byRepeat = new Map<number, OpenSlot[]>()
  const open = new Map<number, OpenSlot>()

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
  const addResult = ({ attempt, result, waitMs }: ResultRecord, position: Position): void => {
    const slot = open.get(attempt)
    if (slot === undefined) return
    open.delete(attempt)
    slot.dangling = result.kind === 'abandoned' && result.sent
    slot.possible -= 1
    slot[usageClassOf(result)] += 1
    if (isRateLimited(result)) slot.rateLimited += 1
    slot.last = { attempt, position }
    slot.waitMs += waitMs
  }
  return {
    add: (event: JournalEvent, position: Position, threadOf: (index: number) => readonly number[]): void => {
      if (event.kind === 'question') make(event.index, 1)
      else if (event.kind === 'intent') addIntent(event)
      else if (event.kind === 'result') addResult(event, position)
      else if (event.kind === 'turnEnded') {
        const slot = make(event.question, event.repeat)
        // An outcome does not count if its answer is lost: the turn is sent again.
        if (event.attempt !== undefined && event.attempt !== slot.last?.attempt) return
        slot.outcome = event.outcome
        slot.contextLost = event.contextLost
      } else if (event.kind === 'restart')
        for (const index of threadOf(event.question)) resetSlot(make(index, event.repeat), event.conversation)
    },
    /** What conversations cost that were sent again to confirm a failure counts with the first ones. */
    joinUsage: (as: number, repeat: number): void => {
      for (const slot of Object.values(byRepeat.get(as) ?? [])) {
        const first = make(slot.index, repeat)
        for (const name of USAGE_NAMES) [first[name], slot[name]] = [first[name] + slot[name], 0]
      }
    },
    repeats: (): number => Math.max(1, ...byRepeat.keys()),
    /** The state of a turn; that of an unsent turn if there are no records of it. */
    read: (index: number, repeat: number): Slot => byRepeat.get(repeat)?.[index] ?? newSlot(index, repeat),
  }
}
