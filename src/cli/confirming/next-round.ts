// Asks threads again in which a `must_pass` turn failed: a gate that cries wolf is not believed.
import { threadKey } from '../../analysis/threads-of-run.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { openPicker } from '../../journal/read.ts'
import { openThread, type HeldThread, type PlannedTurn } from '../../runner/thread-state.ts'
import { groupByThread, type ThreadTurns } from '../by-thread.ts'
import { realClock } from '../clock.ts'
import { indexJournal } from '../index-journal.ts'
import { numbersOfShard } from '../shard.ts'
import type { Sitting } from '../sitting.ts'
import { findUnconfirmed, hasMustPass } from './unconfirmed.ts'

export interface Confirming {
  readonly threads: readonly HeldThread[]
  /** What the journal must hold before they are asked. */
  readonly records: readonly JournalRecord[]
  readonly attemptsBefore: number
}

/**
 * The next round: threads as far as their last turn that must pass and has not, as many as the budget can finish;
 * undefined where none is left to confirm.
 */
export async function nextConfirmations(sitting: Sitting): Promise<Confirming | undefined> {
  const { turns, manifest, folder } = sitting
  const { gates } = manifest.options
  if (gates.confirm === 0 || !hasMustPass(questionsOf(turns))) return undefined
  const { index } = await indexJournal(folder, manifest)
  const picker = openPicker(folder.journal)
  try {
    const unconfirmed = [...findUnconfirmed(index, picker.pick, manifest)]
    const failing = unconfirmed.filter(({ hasFailed }) => hasFailed).map(({ turn }) => turn)
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
    }
  } finally {
    picker.close()
  }
}

function* questionsOf(turns: Iterable<PlannedTurn>): Generator<Question> {
  for (const { question } of turns) yield question
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
