// Folds the journals of a run into one model.
import type { JournalEvent, Position, RecordOf } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import type { Summary } from '../../domain/summary.ts'
import { createAccount, type Totals } from './account.ts'
import { createCallsOverTime } from './calls-over-time.ts'
import { createQuestions } from './questions.ts'
import { createSlots, type Slot } from './slots.ts'

export interface Model extends Totals {
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
