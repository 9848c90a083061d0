// What one run has of a question, of the repeat that is shown, with the rates over all its repeats.
import { describeError } from '../../domain/attempt.ts'
import type { AskedFacts, ComparedSide, OtherAnswer } from '../../domain/comparison/change.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { answerSourceOf, sourceLabel } from './answer-source.ts'
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

/** Null without one. */
export const answerOf = ({ outcome, result }: TurnRecord): string | null =>
  outcome === 'answered' && result?.kind === 'reply' ? result.reply.message : null

/** Each answer, or outcome without one, that is not that of the shown repeat; in the order of the repeats. */
export function otherAnswers(
  repeats: readonly TurnSummary[],
  shown: ToldTurn | undefined,
  read: (turn: TurnSummary) => ToldTurn,
): readonly OtherAnswer[] {
  if (shown === undefined) return []
  const found = new Map<string, OtherAnswer & { readonly repeats: number[] }>()
  const own = keyOf(shown.turn)
  for (const summary of repeats) {
    const { repeat } = summary
    if (repeat === shown.turn.repeat) continue
    const { turn } = read(summary)
    const key = keyOf(turn)
    const known = found.get(key)
    if (key === own) continue
    if (known !== undefined) known.repeats.push(repeat)
    else found.set(key, { repeats: [repeat], answer: answerOf(turn), outcome: turn.outcome ?? null })
  }
  return [...found.values()]
}

const keyOf = (turn: TurnRecord): string => JSON.stringify([answerOf(turn), turn.outcome])
