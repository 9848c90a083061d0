// What stands at the end of a journal: for each turn its last outcome, and what all its attempts cost.
import type { JournalRecord, PaceRecord, ResultRecord, SetRecord } from '../domain/journal.ts'
import type { InferredLimit } from '../domain/limit.ts'
import type { Question } from '../domain/question.ts'
import type { Stop } from '../domain/stop.ts'
import { usageClassOf, type UsageClass } from '../domain/usage.ts'
import type { CallsOverTime } from '../domain/calls-over-time.ts'
import { createCallCounter } from './calls-over-time.ts'
import { createCallGatherer, type GatheredCalls } from './limit/gather-calls.ts'
import { createOvercomeCodes } from './overcome-codes.ts'
import { groupConfirmations, usageElsewhere } from './beside.ts'
import { createSlots, type Slot } from './slots.ts'

export interface RunIndex<P> {
  /** By number; some may have left the set, some may be lost. */
  readonly questions: readonly (Question | undefined)[]
  /** What stands in the set, in its order, then by repeat. */
  readonly slots: readonly Slot<P>[]
  /** Those and what has left the set. */
  readonly everySlot: readonly Slot<P>[]
  /** The set that stands; undefined where the journal holds none, or not all of its questions. */
  readonly set: SetRecord | undefined
  /** Usage of questions that have left the set, and of attempts whose intent is lost. */
  readonly usageElsewhere: Readonly<Record<UsageClass, number>>
  readonly rateLimitedElsewhere: number
  /** What was asked again to confirm a slot that stands, by `slotKey`. */
  readonly confirmations: ReadonlyMap<string, readonly Slot<P>[]>
  /** Attempts that the journal must have held, going by their numbers, and does not. */
  readonly attemptsLost: number
  /** The highest number of an attempt: how many were begun over all sittings. */
  readonly attempts: number
  readonly sittings: number
  readonly paceChanges: readonly PaceRecord[]
  readonly paceChangesLeftOut: number
  /** Of all attempts whose result is known; null where there is none. */
  readonly calls: CallsOverTime | null
  /** Those that tell of the limit. */
  readonly limitCalls: GatheredCalls
  /** The last that was learned of the limit. */
  readonly limit: InferredLimit | undefined
  readonly stop: Stop | undefined
  /** Codes of refusals that a sitting met and overcame. */
  readonly overcomeCodes: readonly string[]
  /** How often a thread was asked again from its start, by cause. */
  readonly restarts: ReadonlyMap<string, number>
  /** Milliseconds since the epoch of the last record. */
  readonly lastAt: number | undefined
}

/** As many changes of pace as a report shows; a run of days may have many more. */
const MOST_PACE_CHANGES = 10_000

export interface RunIndexer<P> {
  add(record: JournalRecord, place: P): void
  /** A line that cannot be read, and may have been the intent of an attempt that was sent. */
  addLostIntent(): void
  finish(): RunIndex<P>
}

/** Which turn an attempt was of, as its intent and its outcome say. */
interface AttemptPlace {
  readonly question: number
  readonly repeat: number
  readonly conversation: number
}

/** Reads no answer twice: of each turn only the place of what decides it is kept. */
export function createRunIndexer<P>(countRejected: boolean): RunIndexer<P> {
  const questions: (Question | undefined)[] = []
  const threads = new Map<string, Set<number>>()
  const slots = createSlots<P>()
  const open = new Map<number, Slot<P>>()
  /** Results whose intent is lost, by attempt: their outcome tells the question. */
  const orphans = new Map<number, { readonly record: ResultRecord; readonly place: P }>()
  /** Lines that may have been intents and whose numbers no record after them has told. */
  let unnumbered = 0
  const overcome = createOvercomeCodes()
  const calls = createCallCounter()
  const limitCalls = createCallGatherer()
  const restarts = new Map<string, number>()
  const paceChanges: PaceRecord[] = []
  let [attempts, intents, sittings, paceChangesLeftOut] = [0, 0, 0, 0]
  /** The repeat that a confirmation's records carry, to the one it confirms. */
  const confirmedBy = new Map<number, number>()
  let set: SetRecord | undefined
  let stop: Stop | undefined
  let limit: InferredLimit | undefined
  let lastAt: number | undefined

  const addQuestion = (index: number, question: Question): void => {
    questions[index] = question
    const key = threadKey(question)
    const members = threads.get(key)
    if (members === undefined) threads.set(key, new Set([index]))
    else members.add(index)
    slots.of(index, 1)
  }

  const restart = (first: number, repeat: number, conversation: number): void => {
    const question = questions[first]
    const members = question === undefined ? [first] : (threads.get(threadKey(question)) ?? [first])
    for (const index of members) {
      const slot = slots.of(index, repeat)
      Object.assign(slot, { conversation, outcome: undefined, contextLost: false })
      Object.assign(slot, { last: undefined, waitMs: 0, dangling: false })
    }
  }

  const see = (attempt: number): void => {
    unnumbered = Math.max(0, unnumbered - Math.max(0, attempt - attempts))
    attempts = Math.max(attempts, attempt)
  }

  /** The intent of an attempt. Until its result is read: sent, and nobody knows what became of it. */
  const begin = (attempt: number, place: AttemptPlace): Slot<P> => {
    intents += 1
    const slot = slots.of(place.question, place.repeat)
    enter(slot, place.conversation)
    slot.usage.possible += 1
    slot.dangling = true
    open.set(attempt, slot)
    return slot
  }

  const settle = (slot: Slot<P>, record: ResultRecord, place: P): void => {
    open.delete(record.attempt)
    slot.dangling = record.result.kind === 'abandoned' && record.result.sent
    slot.usage.possible -= 1
    slot.usage[usageClassOf(record.result, countRejected)] += 1
    if (record.result.kind === 'rejection' && record.result.httpStatus === 429) slot.rateLimited += 1
    slot.waitMs += record.waitMs
    slot.last = { attempt: record.attempt, place, serviceMs: record.serviceMs }
  }

  /** A turn is asked in this conversation of its thread. */
  const enter = (slot: Slot<P>, conversation: number): void => {
    if (conversation <= slot.conversation) return
    const question = questions[slot.index]
    const members = question === undefined ? undefined : threads.get(threadKey(question))
    const isKnown = [...(members ?? [])].some(
      (index) => slots.of(index, slot.repeat).conversation >= conversation,
    )
    // A turn that joined a thread later; or the word that the thread started again is lost: its earlier answers do
    // not stand all the same.
    if (isKnown) slot.conversation = conversation
    else restart(slot.index, slot.repeat, conversation)
  }

  const add = (record: JournalRecord, place: P): void => {
    if (record.kind !== 'question') lastAt = record.at
    limitCalls.add(record)
    switch (record.kind) {
      case 'sitting':
        sittings += 1
        stop = undefined
        attempts += unnumbered
        unnumbered = 0
        overcome.beginSitting()
        return
      case 'question':
        addQuestion(record.index, record.question)
        return
      case 'set':
        set = record
        return
      case 'intent':
        see(record.attempt)
        // Attempts are numbered as they begin: this number tells of all before it.
        unnumbered = 0
        begin(record.attempt, record)
        return
      case 'result': {
        see(record.attempt)
        overcome.note(record.attempt, record.result, attempts)
        calls.add(record.at, record.result)
        const slot = open.get(record.attempt)
        if (slot === undefined) orphans.set(record.attempt, { record, place })
        else settle(slot, record, place)
        return
      }
      case 'outcome': {
        const orphan = record.attempt === undefined ? undefined : orphans.get(record.attempt)
        if (orphan !== undefined) {
          orphans.delete(orphan.record.attempt)
          settle(begin(orphan.record.attempt, record), orphan.record, orphan.place)
        }
        const slot = slots.of(record.question, record.repeat)
        // An outcome whose answer the journal has lost decides nothing: the turn is asked again.
        if (record.attempt !== undefined && record.attempt !== slot.last?.attempt) return
        slot.outcome = record.outcome
        slot.contextLost = record.contextLost
        return
      }
      case 'restart':
        restarts.set(record.cause, (restarts.get(record.cause) ?? 0) + 1)
        restart(record.question, record.repeat, record.conversation)
        return
      case 'confirm':
        confirmedBy.set(record.as, record.repeat)
        return
      case 'pace':
        limit = record.limit ?? limit
        if (paceChanges.length < MOST_PACE_CHANGES) paceChanges.push(record)
        else paceChangesLeftOut += 1
        return
      case 'dropped':
      case 'generator':
        return
      case 'end':
        stop = record.stop
        return
    }
  }

  return {
    add,
    addLostIntent: () => {
      unnumbered += 1
    },
    finish: () => {
      const standing = slots.inOrder(set, questions)
      const begun = attempts + unnumbered
      const attemptsLost = Math.max(0, begun - intents)
      const everySlot = slots.all()
      const confirmed = groupConfirmations(everySlot, confirmedBy)
      const elsewhere = usageElsewhere(everySlot, standing, confirmed, attemptsLost)
      const isWhole = set !== undefined && standing.every(({ index }) => questions[index] !== undefined)
      return {
        questions,
        slots: standing,
        everySlot,
        set: isWhole ? set : undefined,
        usageElsewhere: elsewhere.usage,
        rateLimitedElsewhere: elsewhere.rateLimited,
        confirmations: confirmed,
        attemptsLost,
        attempts: begun,
        sittings,
        paceChanges,
        paceChangesLeftOut,
        calls: calls.finish(),
        limitCalls: limitCalls.finish(),
        limit,
        stop,
        overcomeCodes: overcome.list(),
        restarts,
        lastAt,
      }
    },
  }
}

/** One value for the turns of one conversation. */
export const threadKey = ({ file, thread }: Question): string => `${file} ${thread}`
