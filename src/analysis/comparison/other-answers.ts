// What the repeats of a question came to that are not shown: where a run gave several answers, each is told.
import type { OtherAnswer } from '../../domain/comparison/change.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import type { ToldTurn } from './compared-side.ts'
import type { TurnSummary } from './turn-summary.ts'

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
