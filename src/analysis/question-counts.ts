// Counts a run's questions by what became of them, each once however often it was asked.
import { isGrounded } from '../domain/turn.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { QuestionCounts } from '../domain/summary.ts'
import type { Asked } from './asked.ts'

/** Those that are known once the gaps are grouped. */
type OfGaps = Pick<QuestionCounts, 'gaps' | 'clustered'>
/** Those that the lists of a summary count as they are made. */
type OfLists = Pick<QuestionCounts, 'wrong' | 'flaky'>

export interface QuestionCounter {
  add(asked: Asked): void
  /** `turns`: of the whole run, with those that a damaged journal does not hold any more. */
  finish(turns: number, lists: OfGaps & OfLists): QuestionCounts
}

export function createQuestionCounter(groundedSources: readonly string[]): QuestionCounter {
  const counts = { questions: 0, judged: 0, failed: 0, forgiven: 0, errors: 0, skipped: 0, notAsked: 0 }
  let [seen, repeats, ungrounded] = [0, 1, 0]
  return {
    add: (all) => {
      const some = (holds: (one: (typeof all)[number]) => boolean): number => (all.some(holds) ? 1 : 0)
      counts.questions += 1
      seen += all.length
      repeats = Math.max(repeats, all.length)
      counts.judged += some(({ grade }) => grade.kind === 'passed' || grade.kind === 'failed')
      counts.failed += some(({ grade }) => grade.kind === 'failed')
      counts.forgiven += some(({ grade, forgiven }) => grade.kind === 'failed' && forgiven !== undefined)
      counts.errors += some(({ turn: { outcome } }) => outcome !== undefined && isErrorOutcome(outcome))
      counts.skipped += some(({ turn }) => turn.outcome === 'skipped')
      counts.notAsked += some(({ turn }) => turn.outcome === undefined)
      ungrounded += some(({ turn }) => isGrounded(turn, groundedSources) === false)
    },
    finish: (turns, { gaps, clustered, wrong, flaky }) => {
      const lost = Math.ceil(Math.max(0, turns - seen) / repeats)
      return {
        ...counts,
        questions: counts.questions + lost,
        notAsked: counts.notAsked + lost,
        repeats,
        gaps,
        clustered,
        uncovered: ungrounded - gaps,
        wrong,
        flaky,
      }
    },
  }
}
