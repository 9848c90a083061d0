// A question in one run, and the kinds of change between its sides in two.
import { describeError, replyOf } from '../../domain/attempt.ts'
import { type AnswerKind, CHANGE_KINDS, type ChangeKind, type Side } from '../../domain/changes.ts'
import { isErrorOutcome, type Outcome } from '../../domain/outcome.ts'
import { type AnsweredTurn, hasPassed, isGrounded } from '../../domain/turn.ts'
import { isShared, type Repeats } from '../figures/repeats.ts'
import { groupBy, ratio } from '../figures/turns.ts'

/** Shows the first repeat, until a row chooses another. */
export function sideOf(turns: Repeats, groundedSources: readonly string[]): Side {
  const [first, ...others] = turns
  const side = sideOfTurn(first, groundedSources)
  if (others.length === 0) return side
  const repeats = [side, ...others.map((turn) => sideOfTurn(turn, groundedSources))]
  const states = new Set(repeats.map(({ availability }) => availability))
  return {
    ...side,
    source: [...groupBy(repeats, ({ source }) => source)]
      .sort(([, some], [, other]) => other.length - some.length)
      .map(([source]) => source)
      .join(' / '),
    groundingRate: meanOf(repeats.map(({ groundingRate }) => groundingRate)),
    passRate: meanOf(repeats.map(({ passRate }) => passRate)),
    answerRate: meanOf(repeats.map(({ answerRate }) => answerRate)),
    availability: SEVERITY.find((state) => states.has(state)) ?? 'notSent',
    contextLost: repeats.some(({ contextLost }) => contextLost),
    sources: repeats.flatMap(({ sources }) => sources),
    repeats,
  }
}

/** A shared list saves memory: a comparison has 200,000 sides, and most of their lists are empty. */
const NONE: readonly never[] = []
const SEVERITY = ['error', 'skipped', 'answer'] as const
const NO_SOURCE = { error: '(error)', skipped: '(skipped)', notSent: '(not sent)' } as const

function sideOfTurn(turn: AnsweredTurn, groundedSources: readonly string[]): Side {
  const { repeat, outcome, contextLost, result, serviceMs } = turn
  const availability = availabilityOf(outcome)
  const reply = availability === 'answer' ? replyOf(result) : undefined
  // The record of an answer may be lost.
  const sourceOfAnswer = contextLost ? '(context lost)' : (reply?.contextSource ?? '(unknown)')
  const source = availability === 'answer' ? sourceOfAnswer : NO_SOURCE[availability]
  const error = describeError(result)
  const failures = turn.failures.length === 0 ? NONE : turn.failures
  return {
    repeat,
    source,
    outcome: outcome ?? null,
    groundingRate: rateOf(isGrounded(turn, groundedSources)),
    passRate: rateOf(hasPassed(turn.grade)),
    answerRate: availability === 'notSent' ? null : Number(availability === 'answer'),
    failures: error === undefined ? failures : [{ sentence: error }],
    latencyMs: serviceMs ?? null,
    availability,
    contextLost: contextLost && availability === 'answer',
    sources: reply === undefined || contextLost ? NONE : [reply.contextSource],
    question: turn.question,
    index: turn.index,
    readTurn: turn.tries === undefined ? turn.readAgain : () => turn,
    repeats: NONE,
  }
}

/** An answer counts even without its context. */
function availabilityOf(outcome: Outcome | undefined): Side['availability'] {
  if (outcome === undefined) return 'notSent'
  if (outcome === 'answered') return 'answer'
  return isErrorOutcome(outcome) ? 'error' : 'skipped'
}

const rateOf = (value: boolean | undefined): number | null => (value === undefined ? null : Number(value))

function meanOf(rates: readonly (number | null)[]): number | null {
  const known = rates.filter((rate) => rate !== null)
  return ratio(
    known.reduce((sum, rate) => sum + rate, 0),
    known.length,
  )
}

export const repeatsOf = (side: Side): readonly Side[] => (side.repeats.length === 0 ? [side] : side.repeats)

/** A `flaky` value differs within the repeats of one run, too, so it moves by chance. */
function moveOf(before: number | null, after: number | null): 'up' | 'down' | 'flaky' | 'none' {
  if (before === null || after === null || before === after) return 'none'
  if (isShared(before) || isShared(after)) return 'flaky'
  return after > before ? 'up' : 'down'
}

export function changesBetween(before: Side, after: Side, answers?: AnswerKind): ChangeKind[] {
  const grounding = moveOf(before.groundingRate, after.groundingRate)
  const passing = moveOf(before.passRate, after.passRate)
  const [was, is] = [before.availability, after.availability]
  // With its grounding the whole answer changes, and a flaky one changes by chance.
  const isComparable = grounding === 'none' && passing !== 'flaky'
  const hasSources = before.sources.length > 0 && after.sources.length > 0
  const holds: Readonly<Record<ChangeKind, boolean>> = {
    groundingLost: grounding === 'down',
    passToFail: passing === 'down',
    groundingGained: grounding === 'up',
    failToPass: passing === 'up',
    flaky: grounding === 'flaky' || passing === 'flaky',
    answerToError: was === 'answer' && is === 'error',
    answerToSkipped: was === 'answer' && is === 'skipped',
    errorToAnswer: was === 'error' && is === 'answer',
    skippedToAnswer: was === 'skipped' && is === 'answer',
    contextLost: !before.contextLost && after.contextLost,
    contextRegained: before.contextLost && !after.contextLost && is === 'answer',
    factsChanged: isComparable && answers === 'factsChanged',
    otherAnswer: isComparable && answers === 'otherAnswer',
    sourceChanged:
      grounding === 'none' && hasSources && !before.sources.some((source) => after.sources.includes(source)),
    failInBoth: after.passRate !== null && after.passRate < 1 && after.passRate === before.passRate,
  }
  return CHANGE_KINDS.filter((kind) => holds[kind])
}
