// `--until-decided`: follows a run while it sends, and says when its verdict is certain.
import type { JournalEvent } from '../../domain/journal.ts'
import type { Question } from '../../domain/question.ts'
import type { GradedTurn } from '../../domain/turn.ts'
import { grade } from '../grading/grade.ts'
import { createRegexMatcher } from '../grading/regex-with-deadline.ts'
import type { SentThread } from '../progress.ts'
import type { Repeats } from '../repeats.ts'
import { decide, type Judging } from './decided.ts'
import { unsentTurn, withoutTexts } from './scenarios.ts'

/** A run of up to 1,600 turns is judged after each one, a larger one less often, but 40 times at least. */
const MIN_LOOKS = 40
const MAX_TURNS_SEEN = 800_000

interface SentTurn {
  readonly index: number
  readonly question: Question
}

interface Slot {
  /** Of its conversation. */
  readonly turns: readonly SentTurn[]
  /** It ended in an earlier session, and is not sent again. */
  readonly isOver: boolean
  known: GradedTurn
}

export type Decider = ReturnType<typeof createDecider>

/** `recorded`: the turns of earlier sessions. */
export function createDecider(
  threads: readonly SentThread<SentTurn>[],
  recorded: Iterable<Repeats>,
  judging: Judging,
) {
  const matches = createRegexMatcher()
  const slots = new Map<string, Slot>()
  const planned = threads.flatMap(({ turns, repeat, next }) =>
    turns.map(({ index, question }, at): Slot => {
      return { turns, isOver: at < next, known: unsentTurn(index, question, repeat) }
    }),
  )
  planned.sort(({ known: { turn: a } }, { known: { turn: b } }) => a.index - b.index || a.repeat - b.repeat)
  for (const slot of planned) slots.set(keyOf(slot.known.turn.index, slot.known.turn.repeat), slot)
  for (const repeats of recorded)
    for (const one of repeats) {
      const slot = slots.get(keyOf(one.turn.index, one.turn.repeat))
      if (slot?.isOver === true) slot.known = withoutTexts(one)
    }
  const step = Math.max(1, Math.floor(slots.size * Math.min(1 / MIN_LOOKS, slots.size / MAX_TURNS_SEEN)))
  let [isDecided, waiting] = [false, step]
  return {
    add: (event: JournalEvent): void => {
      if (event.kind !== 'turnEnded' && event.kind !== 'restart') return
      const { repeat } = event
      const slot = slots.get(keyOf(event.question, repeat))
      if (slot === undefined) return
      if (event.kind === 'restart') {
        for (const { index, question } of slot.turns) {
          const other = slots.get(keyOf(index, repeat))
          if (other !== undefined) other.known = unsentTurn(index, question, repeat)
        }
        return
      }
      const { outcome, contextLost, result: record } = event
      // Without its answer at hand, nothing is said of the conversation.
      if (outcome !== 'skipped' && record === undefined) return
      waiting += 1
      const { result, serviceMs } = record ?? {}
      const turn = { ...slot.known.turn, outcome, contextLost, result, serviceMs }
      slot.known = withoutTexts({ turn, grade: grade(turn, { matches }) })
    },
    /** True once no answer to come can change the exit code. */
    isDecided: (): boolean => {
      if (isDecided || waiting < step) return isDecided
      waiting = 0
      const turns = Array.from(slots.values(), ({ known }) => known)
      isDecided = decide(turns, judging) !== undefined
      return isDecided
    },
  }
}

const keyOf = (index: number, repeat: number): string => `${index} ${repeat}`
