// `--until-decided`: grades the answers of a run while it sends, and says when its verdict is certain.
import type { AttemptResult } from '../../domain/attempt.ts'
import type { Grade, Turn } from '../../domain/turn.ts'
import { grade } from '../grading/grade.ts'
import { createRegexMatcher } from '../grading/regex-with-deadline.ts'
import type { Repeats } from '../figures/repeats.ts'
import { decide, type Judging } from './decided.ts'

/** A run of up to 1,264 turns is judged after each one, a larger one less often, but 40 times at least. */
const MIN_LOOKS = 40
const MAX_TURNS_SEEN = 800_000

export type Decider = ReturnType<typeof createDecider>

export function createDecider(judging: Judging, recorded: Iterable<Repeats>) {
  const matches = createRegexMatcher()
  let [isDecided, ended] = [false, Infinity]
  return {
    /** A run may have 100,000 turns, so they leave their answers. */
    recorded: [...recorded].flatMap((repeats) => repeats.map((turn) => ({ ...turn, result: undefined }))),
    gradeOf: (turn: Turn, result: AttemptResult | undefined): Grade => {
      ended += 1
      return grade({ ...turn, result }, { matches }).grade
    },
    /** True once no answer to come can change the exit code. `turns`: all of the run. */
    isDecided: (turns: readonly Turn[]): boolean => {
      const { length } = turns
      const step = Math.max(1, Math.floor(length * Math.min(1 / MIN_LOOKS, length / MAX_TURNS_SEEN)))
      if (isDecided || ended < step) return isDecided
      ended = 0
      isDecided = decide(turns, judging) !== undefined
      return isDecided
    },
  }
}
