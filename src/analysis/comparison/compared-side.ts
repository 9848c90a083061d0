// What one run has of a question, of the repeat that is shown, with the rates over all its repeats.
import type { AskedFacts, ComparedSide } from '../../domain/comparison/change.ts'
import { describeError } from '../../domain/describe-error.ts'
import type { GradedTurn } from '../../domain/graded-turn.ts'
import { answerSourceOf, sourceLabel } from './answer-source.ts'
import { answerOf } from './other-answers.ts'
import { foldedValue, groundingValue, verdictValue } from './question-values.ts'
import type { TurnSummary } from './turn-summary.ts'

export function sideOf(
  { turn, grade }: GradedTurn,
  repeats: readonly TurnSummary[],
): ComparedSide & { answer: string | null } {
  const { question, repeat, outcome, result, serviceMs } = turn
  const error = describeError(result)
  const failures = grade.kind === 'failed' ? grade.failures.map(({ sentence }) => sentence) : []
  return {
    id: question.id,
    message: question.message,
    repeat,
    source: sourcesOf(repeats),
    outcome: outcome ?? null,
    groundingRate: foldedValue(repeats, groundingValue) ?? null,
    passRate: foldedValue(repeats, verdictValue) ?? null,
    failures: error === undefined ? failures : [error],
    latencyMs: serviceMs ?? null,
    answer: answerOf(turn),
  }
}

export const askedFacts = (
  { turn: { waitMs, usage, rateLimited, result } }: GradedTurn,
  { grounded, passed, contextLost, outcome }: TurnSummary,
): AskedFacts => ({
  waitMs: waitMs ?? null,
  attempts: usage.attempts,
  rateLimited,
  conversationId: result?.kind === 'reply' ? result.reply.conversationId : null,
  grounded: grounded ?? null,
  passed: passed ?? null,
  contextLost: contextLost && outcome === 'answered',
})

/** Over the repeats; of several the most frequent first. */
function sourcesOf(repeats: readonly TurnSummary[]): string {
  const counts = new Map<string, number>()
  for (const turn of repeats) {
    const label = sourceLabel(answerSourceOf(turn))
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, some], [, other]) => other - some)
    .map(([label]) => label)
    .join(' / ')
}
