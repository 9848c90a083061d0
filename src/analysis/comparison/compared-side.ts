// What one run has of a question, of the repeat that is shown, with the rates over all its repeats.
import type { AskedFacts, ComparedSide } from '../../domain/comparison/change.ts'
import { describeError } from '../../domain/describe-error.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { answerSourceOf, sourceLabel } from './answer-source.ts'
import { answerOf } from './other-answers.ts'
import { foldedValue, groundingValue, verdictValue } from './question-values.ts'
import type { TurnSummary } from './turn-summary.ts'

/** A turn read again for a row. */
export interface ToldTurn {
  readonly turn: TurnRecord
  /** Expectations that the answer did not keep, a sentence each. */
  readonly failures: readonly string[]
}

export function sideOf(
  { turn, failures }: ToldTurn,
  repeats: readonly TurnSummary[],
): ComparedSide & { answer: string | null } {
  const { question, repeat, outcome, result, serviceMs } = turn
  const error = describeError(result)
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
  { turn: { waitMs, usage, rateLimited, result } }: ToldTurn,
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
