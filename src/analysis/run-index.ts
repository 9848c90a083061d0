// What stands at the end of a journal: for each turn its last outcome, and what all its attempts cost.
import type { JournalRecord, PaceRecord, ResultRecord, SetRecord } from '../domain/journal.ts'
import type { InferredLimit } from '../domain/limit.ts'
import type { Question } from '../domain/question.ts'
import { worstStop, type Stop } from '../domain/stop.ts'
import { usageClassOf, type UsageClass } from '../domain/quota.ts'
import type { CallsOverTime } from '../domain/calls-over-time.ts'
import { createCallCounter } from './calls-over-time.ts'
import { createCallGatherer, type GatheredCalls } from './limit/gather-calls.ts'
import { createLearnedLimit } from './limit/learned-limit.ts'
import { usageElsewhere } from './beside.ts'
import { restartSlot, Slots, type OpenSlot, type Slot } from './slots.ts'
import { ThreadsOfRun } from './threads-of-run.ts'

export interface RunIndex<P> {
  /** By number; some may have left the set, some may be lost. */
  readonly questions: readonly (Question | undefined)[]
  readonly threads: Pick<ThreadsOfRun, 'has' | 'besides'>
  /** What stands in the set, in its order, then by repeat. */
  readonly slots: readonly Slot<P>[]
  /** Those that were asked, and what has left the set; in no order. */
  readonly everySlot: readonly Slot<P>[]
  /** The slot of a question and a repeat, asked or not. */
  readonly slotOf: (index: number, repeat: number) => Slot<P>
  /** The set that stands; undefined where the journal holds none, or not all of its questions. */
  readonly set: SetRecord | undefined
  /** Usage of questions that have left the set, and of attempts whose intent is lost. */
  readonly usageElsewhere: Readonly<Record<UsageClass, number>>
  readonly rateLimitedElsewhere: number
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
  /** What was learned of the limit last, on the evidence of all sittings. */
  readonly limit: InferredLimit | undefined
  readonly stop: Stop | undefined
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
export function createRunIndexer<P>(): RunIndexer<P> {
  const questions: (Question | undefined)[] = []
  const threads = new ThreadsOfRun()
  const slots = new Slots<P>()
  /** Slots, by the attempt that has no result yet. */
  const open = new Map<number, OpenSlot<P>>()
  /** Results whose intent is lost, by attempt: their outcome tells the question. */
  const orphans = new Map<number, { readonly record: ResultRecord; readonly place: P }>()
  /** Lines that may have been intents and whose numbers no record after them has told. */
  let unnumbered = 0
  const calls = createCallCounter()
  const limitCalls = createCallGatherer()
  const learned = createLearnedLimit()
  /** Version 0.1 sent questions that had failed again, under a repeat of its own: to the one that had failed. Those calls count with it, and say nothing else. */
  const confirmedBy = new Map<number, number>()
  const restarts = new Map<string, number>()
  const paceChanges: PaceRecord[] = []
  let [attempts, intents, sittings, paceChangesLeftOut] = [0, 0, 0, 0]
  const shards: { readonly set: SetRecord | undefined; readonly stop: Stop | undefined }[] = []
  let set: SetRecord | undefined
  let stop: Stop | undefined
  let lastAt: number | undefined

  const addQuestion = (index: number, question: Question): void => {
    // Questions before it may be lost; an array with holes would be passed over there.
    while (questions.length < index) questions.push(undefined)
    questions[index] = question
    threads.add(index, question)
    slots.make(index, 1)
  }

  const restart = (first: number, repeat: number, conversation: number): void => {
    for (const index of threads.besides(first)) restartSlot(slots.make(index, repeat), conversation)
  }

  const see = (attempt: number): void => {
    unnumbered = Math.max(0, unnumbered - Math.max(0, attempt - attempts))
    attempts = Math.max(attempts, attempt)
  }

  /** The intent of an attempt. Until its result is read: sent, and nobody knows what became of it. */
  const begin = (attempt: number, { question, repeat, conversation }: AttemptPlace): OpenSlot<P> => {
    intents += 1
    const slot = slots.make(question, repeat)
    if (conversation > slot.conversation) enter(slot, conversation)
    slot.usage.possible += 1
    slot.dangling = true
    open.set(attempt, slot)
    return slot
  }

  const settle = (slot: OpenSlot<P>, { attempt, result, waitMs }: ResultRecord, place: P): void => {
    open.delete(attempt)
    slot.dangling = result.kind === 'abandoned' && result.sent
    slot.usage.possible -= 1
    slot.usage[usageClassOf(result)] += 1
    if (result.kind === 'rejection' && result.httpStatus === 429) slot.rateLimited += 1
    slot.last = { attempt, place }
    slot.waitMs += waitMs
  }

  /** A turn is asked in a later conversation of its thread than is known. */
  const enter = (slot: OpenSlot<P>, conversation: number): void => {
    const { index, repeat } = slot
    const isKnown = threads
      .besides(index)
      .some((other) => slots.make(other, repeat).conversation >= conversation)
    // A turn that joined a thread later; or the word that the thread started again is lost: its earlier answers do
    // not stand all the same.
    if (isKnown) slot.conversation = conversation
    else restart(index, repeat, conversation)
  }

  const add = (record: JournalRecord, place: P): void => {
    if (record.kind !== 'question') lastAt = record.at
    limitCalls.add(record)
    learned.add(record)
    switch (record.kind) {
      case 'sitting':
        sittings += 1
        // Of a merged run: the next shard. What all shards hold stands, until a session resumes the whole.
        if (record.sitting === 1 && sittings > 1) shards.push({ set, stop })
        else if (record.sitting === sittings) shards.length = 0
        stop = undefined
        attempts += unnumbered
        unnumbered = 0
        return
      case 'question':
        addQuestion(record.index, record.question)
        return
      case 'set':
        set = uniteSets(shards.at(-1)?.set, record)
        return
      case 'intent':
        see(record.attempt)
        // Attempts are numbered as they begin: this number tells of all before it.
        unnumbered = 0
        begin(record.attempt, record)
        return
      case 'result': {
        see(record.attempt)
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
        const slot = slots.make(record.question, record.repeat)
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
      // Without a word on the set, every question that was recorded.
      const { ranges, repeats } = set ?? { ranges: [[0, questions.length - 1] as const], repeats: 1 }
      const numbers = ranges.flatMap(([first, last]) =>
        Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place),
      )
      const standing = numbers.flatMap((index) =>
        Array.from({ length: repeats }, (_, place) => slots.read(index, place + 1)),
      )
      const begun = attempts + unnumbered
      const attemptsLost = Math.max(0, begun - intents)
      const everySlot = slots.all
      for (const slot of everySlot) {
        const repeat = confirmedBy.get(slot.repeat)
        if (repeat !== undefined) moveUsage(slot, slots.make(slot.index, repeat))
      }
      const elsewhere = usageElsewhere(everySlot, standing, attemptsLost)
      const isWhole = set !== undefined && numbers.every((index) => threads.has(index))
      return {
        questions,
        threads,
        slots: standing,
        everySlot,
        slotOf: (index, repeat) => slots.read(index, repeat),
        set: isWhole ? set : undefined,
        usageElsewhere: elsewhere.usage,
        rateLimitedElsewhere: elsewhere.rateLimited,
        attemptsLost,
        attempts: begun,
        sittings,
        paceChanges,
        paceChangesLeftOut,
        calls: calls.finish(),
        limitCalls: limitCalls.finish(),
        limit: learned.finish(),
        stop: worstStop([...shards.map((shard) => shard.stop), stop]),
        restarts,
        lastAt,
      }
    },
  }
}

function moveUsage(from: OpenSlot<unknown>, to: OpenSlot<unknown>): void {
  for (const one of ['certain', 'possible', 'notCounted'] as const) {
    to.usage[one] += from.usage[one]
    from.usage[one] = 0
  }
  to.rateLimited += from.rateLimited
  from.rateLimited = 0
}

/** What the shards before hold stands beside it. Numbers are those of the whole set. */
function uniteSets(before: SetRecord | undefined, record: SetRecord): SetRecord {
  if (before === undefined) return record
  const ranges = [...before.ranges, ...record.ranges].toSorted(([a], [b]) => a - b)
  return { ...record, ranges }
}
