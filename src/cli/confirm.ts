// Asks threads again in which a `must_pass` turn failed: a gate that cries wolf is not believed.
import { grade } from '../analysis/grading/grade.ts'
import { mustPassOf } from '../analysis/must-pass.ts'
import type { RunIndex } from '../analysis/run-index.ts'
import { threadKey } from '../analysis/threads-of-run.ts'
import { confirmationsOf, turnRecords } from '../analysis/turn-records.ts'
import type { GradedTurn } from '../domain/graded-turn.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { TurnRecord } from '../domain/turn.ts'
import { openPicker, type Place } from '../journal/read.ts'
import { openThread, type HeldThread, type PlannedTurn } from '../runner/thread-state.ts'
import { groupByThread, type ThreadTurns } from './by-thread.ts'
import { realClock } from './clock.ts'
import { indexJournal } from './index-journal.ts'
import { createRegexMatcher } from './regex-with-deadline.ts'
import { numbersOfShard } from './shard.ts'
import type { Sitting } from './sitting.ts'

export interface Confirming {
  readonly threads: readonly HeldThread[]
  /** What the journal must hold before they are asked. */
  readonly records: readonly JournalRecord[]
  readonly attemptsBefore: number
  /** What the round would take without a budget. */
  readonly calls: number
}

/**
 * The next round: threads as far as their last turn that must pass and has not, as many as the budget can finish;
 * undefined where none is left to confirm.
 */
export async function nextConfirmations(sitting: Sitting): Promise<Confirming | undefined> {
  const { turns, manifest, folder } = sitting
  const { gates } = manifest.options
  if (gates.confirm === 0 || !hasMustPass(turns)) return undefined
  const { index } = await indexJournal(folder, manifest)
  const picker = openPicker(folder.journal)
  try {
    const failing = [...findFailing(index, picker.pick, sitting)]
    if (failing.length === 0) return undefined
    let highest = 1
    for (const { repeat } of index.everySlot) highest = Math.max(highest, repeat)
    const numbers = numbersOfShard(highest + 1, manifest.shard)
    const wanted = shorten(failing, turns)
    const threads = fitting(wanted, (manifest.options.maxCalls ?? Infinity) - index.attempts).map(
      ([first, ...rest], order): HeldThread => openThread(order, [first, ...rest], numbers.next().value),
    )
    const at = realClock.wall()
    return {
      threads,
      records: threads.map(({ turns: [first], repeat }) => ({
        kind: 'confirm',
        at,
        question: first.index,
        repeat:
          failing.find(({ question }) => threadKey(question) === threadKey(first.question))?.repeat ?? 1,
        as: repeat,
      })),
      attemptsBefore: index.attempts,
      calls: wanted.reduce((sum, { length }) => sum + length, 0),
    }
  } finally {
    picker.close()
  }
}

function hasMustPass(turns: Iterable<PlannedTurn>): boolean {
  for (const { question } of turns) if (question.mustPass) return true
  return false
}

/** The first turn of each question that must pass, has not, and may be asked once more. */
function* findFailing(
  index: RunIndex<Place>,
  pick: (place: Place) => JournalRecord,
  { manifest }: Sitting,
): Generator<TurnRecord> {
  const { gates, repeat } = manifest.options
  const matches = createRegexMatcher()
  const grading = (turn: TurnRecord): GradedTurn => ({ turn, grade: grade(turn, { matches }) })
  const confirmations = confirmationsOf(index, pick)
  let repeats: GradedTurn[] = []
  for (const turn of turnRecords(index, pick)) {
    if (!turn.question.mustPass) continue
    repeats.push(grading(turn))
    if (repeats.length < repeat) continue
    const again = repeats.flatMap((one) => confirmations(one.turn)).map(grading)
    const result = mustPassOf({ repeats, confirmations: again }, gates.passPolicy)
    const first = repeats[0]?.turn
    repeats = []
    if (first === undefined || result === undefined || result.confirmed) continue
    if (result.confirmations + result.errors < gates.confirm) yield first
  }
}

/** A confirmation that cannot finish is a call for nothing. */
function fitting<T extends readonly unknown[]>(threads: readonly T[], calls: number): T[] {
  let left = calls
  return threads.filter(({ length }) => {
    const fits = length <= left
    if (fits) left -= length
    return fits
  })
}

/** Each failing turn's thread once, up to the last of them: what comes after need not be paid. */
function shorten(failing: readonly TurnRecord[], turns: Iterable<PlannedTurn>): ThreadTurns[] {
  const last = new Map<string, number>()
  for (const { question } of failing) {
    const key = threadKey(question)
    last.set(key, Math.max(last.get(key) ?? 0, question.turn))
  }
  const asked: PlannedTurn[] = []
  for (const { index, question } of turns)
    if (question.turn <= (last.get(threadKey(question)) ?? 0)) asked.push({ index, question })
  return [...groupByThread(asked).values()]
}
