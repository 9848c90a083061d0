// The turns of a question as the report page shows them: graded, with what is known of their reviews.
import { describeError } from '../../domain/attempt.ts'
import { failuresOf, hasPassed, type GradedTurn, isGrounded, type TurnRecord } from '../../domain/turn.ts'
import type { PageReview, PageTurn } from '../../domain/page.ts'
import type { Asked } from '../asked.ts'
import { sourceLabel } from '../comparison/turn-summary.ts'
import { foldRepeats, isFlaky } from '../repeats.ts'

export interface RunTurnOptions {
  readonly groundedSources: readonly string[]
  /** Null where no review is known at all. */
  readonly reviewOf: (turn: TurnRecord) => PageReview | null
  /** Of a run with a baseline, what became of the turn; `answer` is its own. */
  readonly changeOf: (turn: TurnRecord, answer: string | null) => Pick<PageTurn, 'change' | 'changeAt'>
}

/** One for each repeat. */
export function runTurns(repeats: Asked, options: RunTurnOptions): readonly PageTurn[] {
  const [first, ...rest] = repeats
  if (first === undefined) return []
  const flaky = rest.length > 0 && isFlaky(foldRepeats([first, ...rest], options.groundedSources))
  return repeats.map((graded) => pageTurn(graded, flaky, options))
}

function pageTurn(
  { turn, grade }: GradedTurn,
  flaky: boolean,
  { groundedSources, reviewOf, changeOf }: RunTurnOptions,
): PageTurn {
  const { question, outcome, contextLost, result, usage } = turn
  const reply = result?.kind === 'reply' ? result.reply : undefined
  const contextSource = reply?.contextSource
  const answer = outcome === 'answered' ? (reply?.message ?? null) : null
  return {
    id: question.id,
    file: question.file,
    thread: question.thread,
    turn: question.turn,
    repeat: turn.repeat,
    message: question.message,
    answer,
    tags: question.tags,
    mustPass: question.mustPass,
    source: sourceLabel({ outcome, contextLost, contextSource }),
    grounded: isGrounded(turn, groundedSources) ?? null,
    outcome: outcome ?? null,
    error: describeError(result) ?? null,
    // What the gate forgives still failed: the page shows the answer's own verdict, as the results do.
    passed: hasPassed(grade) ?? null,
    failures: failuresOf(grade),
    latencyMs: turn.serviceMs ?? null,
    waitMs: turn.waitMs ?? null,
    attempts: usage.attempts,
    rateLimited: turn.rateLimited,
    conversationId: reply?.conversationId ?? null,
    contextLost,
    flaky,
    review: answer === null ? null : reviewOf(turn),
    ...changeOf(turn, answer),
  }
}
