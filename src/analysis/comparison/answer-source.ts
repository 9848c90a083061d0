// Where a turn's answer came from, or why there is none that counts.
import { availabilityOf, type TurnSummary } from './turn-summary.ts'

/** The endpoint may call a source anything. */
export type AnswerSource =
  | { readonly kind: 'source'; readonly value: string }
  | { readonly kind: 'error' | 'skipped' | 'notAsked' | 'contextLost' | 'unknown' }

export function answerSourceOf(
  turn: Pick<TurnSummary, 'outcome' | 'contextLost' | 'contextSource'>,
): AnswerSource {
  const availability = availabilityOf(turn)
  if (availability !== 'answer') return { kind: availability }
  if (turn.contextLost) return { kind: 'contextLost' }
  // Another tool's export names no source; and a journal may have lost the record of an answer.
  return turn.contextSource === undefined
    ? { kind: 'unknown' }
    : { kind: 'source', value: turn.contextSource }
}

const LABELS = {
  error: '(error)',
  skipped: '(skipped)',
  notAsked: '(not asked)',
  contextLost: '(context lost)',
  unknown: '(unknown)',
} as const

/** For people: the source's value as it is, or in brackets why there is none. */
export const sourceLabel = (source: AnswerSource): string =>
  source.kind === 'source' ? source.value : LABELS[source.kind]
