// One question in two runs: a summary of its turns, its state in each run, and the pair of repeats that shows
// the change.
import { replyOf } from '../../domain/attempt.ts'
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
import { threadKey } from '../questions.ts'
import { ratio } from '../turns.ts'
import type { QuestionPair } from './pair.ts'

export interface TurnSummary extends Pick<
  TurnRecord,
  'index' | 'repeat' | 'outcome' | 'contextLost' | 'serviceMs'
> {
  readonly question: NamedQuestion
  /** As the endpoint sent it; undefined without an answer. */
  readonly contextSource: string | undefined
  /** Undefined if there is no answer, or one without its context. */
  readonly grounded: boolean | undefined
  /** Undefined without expectations, or without an answer to grade. */
  readonly passed: boolean | undefined
  readonly answer: string | null
}

export interface ComparedTurn extends TurnSummary {
  readonly graded: GradedTurn
}

/** `groundedSources`: the `contextSource` values that count as grounded, the same for all compared runs. */
export function comparedTurn(graded: GradedTurn, groundedSources: readonly string[]): ComparedTurn {
  const { turn, grade } = graded
  const { index, question, repeat, outcome, contextLost, serviceMs, result } = turn
  const reply = outcome === 'answered' ? replyOf(result) : undefined
  return {
    index,
    question,
    repeat,
    outcome,
    contextLost,
    serviceMs,
    contextSource: reply?.contextSource,
    grounded: isGrounded(turn, groundedSources),
    passed: hasPassed(grade),
    answer: reply?.message ?? null,
    graded,
  }
}

/** An answer counts even without its context. */
export function availabilityOf({ outcome }: Pick<TurnSummary, 'outcome'>): Availability {
  if (outcome === undefined) return 'notSent'
  if (outcome === 'answered') return 'answer'
  return isErrorOutcome(outcome) ? 'error' : 'skipped'
}

const NO_SOURCE = { error: '(error)', skipped: '(skipped)', notSent: '(not sent)' } as const

/** The answer's `contextSource` unchanged, or in brackets why it has none or does not count. */
export function sourceLabel(turn: Pick<TurnSummary, 'outcome' | 'contextLost' | 'contextSource'>): string {
  const availability = availabilityOf(turn)
  if (availability !== 'answer') return NO_SOURCE[availability]
  // The record of an answer may be lost.
  return turn.contextLost ? '(context lost)' : (turn.contextSource ?? '(unknown)')
}

const SEVERITY = ['error', 'skipped', 'answer'] as const

export const stateOf = (repeats: readonly TurnSummary[]): QuestionState => ({
  groundingRate: rateOf(repeats, ({ grounded }) => grounded),
  passRate: rateOf(repeats, ({ passed }) => passed),
  availability: SEVERITY.find((state) => repeats.some((turn) => availabilityOf(turn) === state)) ?? 'notSent',
  contextLost: repeats.some(({ contextLost, outcome }) => contextLost && outcome === 'answered'),
  sources: repeats.flatMap(({ contextSource, contextLost }) =>
    contextSource === undefined || contextLost ? [] : [contextSource],
  ),
})

/** The value of a turn in a share. Undefined if it does not count, such as an error in a share of answers. */
export type TurnValue = (turn: TurnSummary) => boolean | undefined

function rateOf(repeats: readonly TurnSummary[], valueOf: TurnValue): number | null {
  const values = repeats.map(valueOf).filter((value) => value !== undefined)
  return ratio(values.filter(Boolean).length, values.length)
}

/** A question's value in both runs: a share of its repeats, 0 to 1. */
export interface QuestionValues {
  readonly thread: string
  readonly baseline: number
  readonly candidate: number
}

/** Questions that have a value in both runs, sorted by thread and turn. */
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
  // The bootstrap draws by position, so the same questions in any order must give the same figures.
  return values.sort(
    (some, other) =>
      compareTexts(some.thread, other.thread) || some.turn - other.turn || compareTexts(some.id, other.id),
  )
}

/**
 * The two repeats that represent a question, and the difference of their answers; undefined if one has no
 * answer.
 */
export interface RepeatPair {
  readonly baseline: ComparedTurn
  readonly candidate: ComparedTurn
  readonly answers: AnswerChange | undefined
}

/** Decides the repeats shown if a question has several changes: regressions first. */
const MAIN_KINDS = CHANGE_LISTS.filter(({ tone }) => tone !== 'drift').flatMap(({ kinds }) => kinds)

/**
 * Chooses among the pairs of repeats that show the change. It finds the baseline's nearest repeat for each of
 * the candidate's, because an answer that any baseline repeat gave is not new. Of these pairs it returns the
 * one that differs most.
 */
export function chooseRepeats(
  { baseline, candidate }: QuestionPair<ComparedTurn>,
  [before, after]: readonly [QuestionState, QuestionState],
): RepeatPair {
  const kinds = changesBetween(before, after)
  const mainKind = MAIN_KINDS.find((kind) => kinds.includes(kind))
  const showsChange = (pair: Omit<RepeatPair, 'answers'>): boolean => {
    const [was, is] = [stateOf([pair.baseline]), stateOf([pair.candidate])]
    // A flaky question shows two repeats that differ.
    if (mainKind === 'flaky') return was.groundingRate !== is.groundingRate || was.passRate !== is.passRate
    return mainKind !== undefined && CHANGES[mainKind].holds(was, is, undefined)
  }
  const pairs = candidate.flatMap((turn) =>
    // The repeat with the same number comes first.
    baseline
      .toSorted((some, other) => Number(other.repeat === turn.repeat) - Number(some.repeat === turn.repeat))
      .map((other) => ({ baseline: other, candidate: turn })),
  )
  const showing = pairs.filter(showsChange)
  const measured = (showing.length > 0 ? showing : pairs).map((pair): RepeatPair => {
    const [old, now] = [pair.baseline.answer, pair.candidate.answer]
    return { ...pair, answers: old === null || now === null ? undefined : compareAnswers(old, now) }
  })
  const answered = measured.filter(({ answers }) => answers !== undefined)
  const comparable = answered.length > 0 ? answered : measured
  comparable.sort((some, other) => distance(some) - distance(other))
  const nearest = candidate.flatMap((turn) => comparable.find((pair) => pair.candidate === turn) ?? [])
  const [chosen] = nearest.sort((some, other) => distance(other) - distance(some))
  if (chosen === undefined) throw new Error('a question without a turn')
  return chosen
}

const STEPS = { same: 0, rephrased: 1, factsChanged: 2, otherAnswer: 3 } as const

const distance = ({ answers }: RepeatPair): number =>
  answers === undefined ? 0 : STEPS[answers.kind] + (1 - answers.similarity) / 2
