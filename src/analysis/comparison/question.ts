// One question in both runs: what a comparison holds of its turns, what they came to, and the repeats that show what became of it.
import {
  type Availability,
  CHANGE_LISTS,
  CHANGES,
  changesBetween,
  type QuestionState,
} from '../../domain/changes.ts'
import type { NamedQuestion } from '../../domain/conversations.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import { compareTexts } from '../../domain/text.ts'
import { type GradedTurn, hasPassed, isGrounded, type TurnRecord } from '../../domain/turn.ts'
import { type AnswerChange, compareAnswers } from './answers.ts'
import { threadKey } from '../fold.ts'
import { ratio } from '../turns.ts'
import type { QuestionPair } from './pair.ts'

export interface TurnSummary extends Pick<
  TurnRecord,
  'index' | 'repeat' | 'outcome' | 'contextLost' | 'serviceMs'
> {
  readonly question: NamedQuestion
  /** Of an answer, as the endpoint named it. */
  readonly contextSource: string | undefined
  /** Undefined where the question does not apply: no answer, or one without its context. */
  readonly grounded: boolean | undefined
  /** Undefined: nothing was expected, or there was no answer to hold it against. */
  readonly passed: boolean | undefined
}

/** `groundedSources`: the `contextSource` values that count as grounded, one list for all runs compared. */
export function turnSummaryOf({ turn, grade }: GradedTurn, groundedSources: readonly string[]): TurnSummary {
  const { index, question, repeat, outcome, contextLost, serviceMs, result } = turn
  const isAnswer = outcome === 'answered' && result?.kind === 'reply'
  const contextSource = isAnswer ? result.reply.contextSource : undefined
  const [grounded, passed] = [isGrounded(turn, groundedSources), hasPassed(grade)]
  return { index, question, repeat, outcome, contextLost, serviceMs, contextSource, grounded, passed }
}

/** An answer without its context is an answer. */
export function availabilityOf({ outcome }: Pick<TurnSummary, 'outcome'>): Availability {
  if (outcome === undefined) return 'notSent'
  if (outcome === 'answered') return 'answer'
  return isErrorOutcome(outcome) ? 'error' : 'skipped'
}

const NO_SOURCE = { error: '(error)', skipped: '(skipped)', notSent: '(not sent)' } as const

/** For people: the answer's `contextSource` as it is, or in brackets why there is none that counts. */
export function sourceLabel(turn: Pick<TurnSummary, 'outcome' | 'contextLost' | 'contextSource'>): string {
  const availability = availabilityOf(turn)
  if (availability !== 'answer') return NO_SOURCE[availability]
  // A journal may have lost the record of an answer.
  return turn.contextLost ? '(context lost)' : (turn.contextSource ?? '(unknown)')
}

const GRAVEST = ['error', 'skipped', 'answer'] as const

export const stateOf = (repeats: readonly TurnSummary[]): QuestionState => ({
  groundingRate: rateOf(repeats, ({ grounded }) => grounded),
  passRate: rateOf(repeats, ({ passed }) => passed),
  availability: GRAVEST.find((state) => repeats.some((turn) => availabilityOf(turn) === state)) ?? 'notSent',
  contextLost: repeats.some(({ contextLost, outcome }) => contextLost && outcome === 'answered'),
  sources: repeats.flatMap(({ contextSource, contextLost }) =>
    contextSource === undefined || contextLost ? [] : [contextSource],
  ),
})

/** What a turn counts as; undefined where it does not count, such as an error where answers are judged. */
export type TurnValue = (turn: TurnSummary) => boolean | undefined

/** Share of the repeats that count, 0 to 1; null where none does. */
function rateOf(repeats: readonly TurnSummary[], valueOf: TurnValue): number | null {
  const values = repeats.map(valueOf).filter((value) => value !== undefined)
  return ratio(values.filter(Boolean).length, values.length)
}

/** A question's value in both runs, a share of its repeats: what a test counts. */
export interface QuestionValues {
  /** Its conversation, within the candidate. */
  readonly thread: string
  readonly baseline: number
  readonly candidate: number
}

/** Questions that have a value in both runs, in the order of conversations and turns, whatever that of the rows. */
export function questionValues(
  questions: readonly QuestionPair<TurnSummary>[],
  valueOf: TurnValue,
): readonly QuestionValues[] {
  const values: (QuestionValues & Pick<NamedQuestion, 'id' | 'turn'>)[] = []
  for (const { baseline, candidate } of questions) {
    const [was, is] = [rateOf(baseline, valueOf), rateOf(candidate, valueOf)]
    const [first] = candidate
    if (first === undefined || was === null || is === null) continue
    const { id, turn } = first.question
    values.push({ id, thread: threadKey(first.question), baseline: was, candidate: is, turn })
  }
  // Draws of the bootstrap go by place: the same questions must give the same figures.
  return values.sort(
    (some, other) =>
      compareTexts(some.thread, other.thread) || some.turn - other.turn || compareTexts(some.id, other.id),
  )
}

/** The two repeats that stand for a question, and how their answers differ; undefined where one of them has none. */
export interface ShownPair {
  readonly baseline: TurnSummary
  readonly candidate: TurnSummary
  readonly answers: AnswerChange | undefined
}

/** By what a question is shown where it changed in several ways: what became worse first. */
const SHOWN_BY = CHANGE_LISTS.filter(({ tone }) => tone !== 'drift').flatMap(({ kinds }) => kinds)

/**
 * Of the pairs of repeats that show what became of the question: for each of the candidate's the nearest of the baseline's, as
 * an answer that any of these gave is no news; and of these the furthest.
 */
export function shownPair(
  { baseline, candidate }: QuestionPair<TurnSummary>,
  [before, after]: readonly [QuestionState, QuestionState],
  answerOf: Readonly<Record<'baseline' | 'candidate', (turn: TurnSummary) => string | null>>,
): ShownPair {
  const kinds = changesBetween(before, after)
  const gravest = SHOWN_BY.find((kind) => kinds.includes(kind))
  const isShowing = (pair: { baseline: TurnSummary; candidate: TurnSummary }): boolean => {
    const [was, is] = [stateOf([pair.baseline]), stateOf([pair.candidate])]
    // Between two repeats, what is flaky flips.
    if (gravest === 'flaky') return was.groundingRate !== is.groundingRate || was.passRate !== is.passRate
    return gravest !== undefined && CHANGES[gravest].holds(was, is, undefined)
  }
  const pairs = candidate.flatMap((turn) =>
    // The repeat of the same number first.
    baseline
      .toSorted((some, other) => Number(other.repeat === turn.repeat) - Number(some.repeat === turn.repeat))
      .map((other) => ({ baseline: other, candidate: turn })),
  )
  const showing = pairs.filter(isShowing)
  const measured = (showing.length > 0 ? showing : pairs).map((pair): ShownPair => {
    const [old, now] = [answerOf.baseline(pair.baseline), answerOf.candidate(pair.candidate)]
    return { ...pair, answers: old === null || now === null ? undefined : compareAnswers(old, now) }
  })
  const answered = measured.filter(({ answers }) => answers !== undefined)
  const telling = answered.length > 0 ? answered : measured
  telling.sort((some, other) => distance(some) - distance(other))
  const nearest = candidate.flatMap((turn) => telling.find((pair) => pair.candidate === turn) ?? [])
  const [shown] = nearest.sort((some, other) => distance(other) - distance(some))
  if (shown === undefined) throw new Error('a question without a turn')
  return shown
}

const STEPS = { same: 0, rephrased: 1, factsChanged: 2, otherAnswer: 3 } as const

/** By kind, and within it by similarity. */
const distance = ({ answers }: ShownPair): number =>
  answers === undefined ? 0 : STEPS[answers.kind] + (1 - answers.similarity) / 2
