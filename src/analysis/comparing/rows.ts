// Rows of a comparison (`comparison.csv`, lists of changes): a question of either run, with what changed.
import { describeError, replyOf } from '../../domain/attempt.ts'
import {
  ANSWER_KINDS,
  type AnswerKind,
  answerOf,
  type Change,
  CHANGE_KINDS,
  CHANGE_LISTS,
  type ChangedFact,
  type ChangeKind,
  type ListedSide,
  PROBLEMS,
  type Row,
  type Side,
} from '../../domain/changes.ts'
import { groupBy, ratio } from '../../domain/counts.ts'
import { isErrorOutcome, type Outcome } from '../../domain/outcome.ts'
import type { Reviewing } from '../../domain/review.ts'
import type { ListedQuestion } from '../../domain/summary.ts'
import { type AnsweredTurn, hasPassed, isGrounded, withAnswer } from '../../domain/turn.ts'
import { isShared, type Repeats } from '../figures/graded.ts'
import { compareAnswers } from './answers.ts'

export type ReviewOf = ((id: string, answer: string) => Reviewing) | undefined

/** Compares nothing if only one run has the question. */
export function rowOf(
  before: Side | undefined,
  after: Side | undefined,
  isEdited: boolean,
  reviewOf: ReviewOf,
): Row {
  const isInBoth = before !== undefined && after !== undefined
  const alone = { baseline: before, candidate: after, answers: undefined }
  const { baseline = null, candidate = null, answers } = isInBoth ? chooseRepeats(before, after) : alone
  const question = (candidate ?? baseline)?.question
  if (question === undefined) throw new Error('a question without a turn')
  const { id, file, thread, turn, message, tags, mustPass } = question
  // With its grounding the whole answer was replaced: its facts are other facts, not changed ones.
  const facts = before?.groundingRate === after?.groundingRate ? answers : undefined
  const answer = candidate && reviewOf ? answerOf(candidate) : null
  return {
    id,
    file,
    thread,
    turn,
    message,
    tags,
    mustPass,
    presence: isInBoth ? (isEdited ? 'edited' : 'both') : before === undefined ? 'added' : 'removed',
    baselineMessage: isInBoth && isEdited ? before.question.message : null,
    kinds: orNone(isInBoth ? changesBetween(before, after, answers?.kind) : undefined),
    answers: answers?.kind ?? null,
    similarity: answers?.similarity ?? null,
    factsLost: orNone(facts?.lost.map(nameFact)),
    factsGained: orNone(facts?.gained.map(nameFact)),
    baseline,
    candidate,
    reviewing: answer === null ? null : (reviewOf?.(id, answer) ?? null),
  }
}

const nameFact = ({ kind, text }: ChangedFact): ChangedFact => ({ kind, text })

/** Decides the repeats shown if a question has several changes: regressions first. */
const MAIN_KINDS = CHANGE_LISTS.filter(({ tone }) => tone !== 'warn').flatMap(({ kinds }) => kinds)

/**
 * Chooses the repeats to show. For each repeat of the candidate it takes the baseline's nearest one, because
 * an answer that any baseline repeat gave is not new, and of these pairs the one that differs most. Pairs
 * that show the change come first, then those with two answers. `answers` is undefined if one has none.
 */
export function chooseRepeats(before: Side, after: Side) {
  const kinds = changesBetween(before, after)
  const mainKind = MAIN_KINDS.find((kind) => kinds.includes(kind))
  const measure = (baseline: Side, candidate: Side, old: string | null, now: string | null) => {
    const answers = old === null || now === null ? undefined : compareAnswers(old, now)
    const isFlaky =
      baseline.groundingRate !== candidate.groundingRate || baseline.passRate !== candidate.passRate
    const showsChange =
      // A flaky question shows two repeats that differ.
      mainKind === 'flaky'
        ? isFlaky
        : mainKind !== undefined && changesBetween(baseline, candidate).includes(mainKind)
    const rank = (showsChange ? 0 : 2) + (answers === undefined ? 1 : 0)
    const distance = answers === undefined ? 0 : STEPS[answers.kind] + (1 - answers.similarity) / 2
    return { baseline, candidate, answers, rank, distance, isSame: baseline.repeat === candidate.repeat }
  }
  const earlier = repeatsOf(before).map((side) => ({ side, answer: answerOf(side) }))
  const nearest = repeatsOf(after).flatMap((candidate) => {
    const now = answerOf(candidate)
    return earlier
      .map(({ side, answer }) => measure(side, candidate, answer, now))
      .sort((a, b) => a.rank - b.rank || a.distance - b.distance || Number(b.isSame) - Number(a.isSame))
      .slice(0, 1)
  })
  const [chosen] = nearest.sort((a, b) => a.rank - b.rank || b.distance - a.distance)
  if (chosen === undefined) throw new Error('a question without a turn')
  const { baseline, candidate, answers } = chosen
  return { baseline: shownBy(before, baseline), candidate: shownBy(after, candidate), answers }
}

const STEPS = { same: 0, rephrased: 1, factsChanged: 2, otherAnswer: 3 } as const

function shownBy(side: Side, { repeat, outcome, failures, latencyMs, readTurn }: Side): Side {
  return side.repeats.length === 0 ? side : { ...side, repeat, outcome, failures, latencyMs, readTurn }
}

const MAX_CHANGES = 10_000

/** The lists and counts of `comparison.json`. An edited question counts as edited alone. */
export function changedQuestions(rows: readonly Row[]) {
  const listed = (wanted: Row['presence']): ListedQuestion[] =>
    rows.flatMap(({ id, message, presence }) => (presence === wanted ? [{ id, message }] : []))
  const compared = rows.filter(({ presence }) => presence === 'both')
  return {
    added: listed('added'),
    removed: listed('removed'),
    counts: countBy(CHANGE_KINDS, (kind) => compared.filter(({ kinds }) => kinds.includes(kind)).length),
    answers: countBy(ANSWER_KINDS, (kind) => compared.filter(({ answers }) => answers === kind).length),
    changes: changesOf(compared.filter(({ kinds }) => kinds.length > 0)),
    edited: changesOf(rows.filter(({ presence }) => presence === 'edited')),
  }
}

const countBy = <Kind extends string>(kinds: readonly Kind[], countOf: (kind: Kind) => number) =>
  Object.fromEntries(kinds.map((kind) => [kind, countOf(kind)])) as Record<Kind, number>

const changesOf = (rows: readonly Row[]): Change[] =>
  rows.slice(0, MAX_CHANGES).flatMap((row) => {
    const { presence: _, answers: __, reviewing: ___, baseline, candidate, ...change } = row
    if (baseline === null || candidate === null) return []
    return [{ ...change, baseline: listedSide(baseline), candidate: listedSide(candidate) }]
  })

function listedSide(side: Side): ListedSide {
  const { repeat, source, outcome, groundingRate, passRate, failures, latencyMs } = side
  return { repeat, source, outcome, groundingRate, passRate, failures: failures.map(withAnswer), latencyMs }
}

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
    repeats,
  }
}

/** A shared list saves memory: a comparison has 200,000 sides, and most of their lists are empty. */
const NONE: readonly never[] = []
const orNone = <T>(list: readonly T[] = NONE): readonly T[] => (list.length === 0 ? NONE : list)
const UNKNOWN = '(unknown)'
const SEVERITY = ['error', 'skipped', 'answer'] as const
const NO_SOURCE = { error: '(error)', skipped: '(skipped)', notSent: '(not sent)' } as const

function sideOfTurn(turn: AnsweredTurn, groundedSources: readonly string[]): Side {
  const { repeat, outcome, contextLost, facts, result, serviceMs } = turn
  const availability = availabilityOf(outcome)
  // The record of an answer may be lost. Turns share their facts, each reply has a text of its own.
  const known = replyOf(result) === undefined ? UNKNOWN : facts.contextSource
  const sourceOfAnswer = contextLost ? '(context lost)' : (known ?? UNKNOWN)
  const source = availability === 'answer' ? sourceOfAnswer : NO_SOURCE[availability]
  const error = describeError(result)
  return {
    repeat,
    source,
    outcome: outcome ?? null,
    groundingRate: rateOf(isGrounded(turn, groundedSources)),
    passRate: rateOf(hasPassed(turn.grade)),
    answerRate: availability === 'notSent' ? null : Number(availability === 'answer'),
    failures: error === undefined ? orNone(turn.failures) : [{ sentence: error }],
    latencyMs: serviceMs ?? null,
    availability,
    contextLost: contextLost && availability === 'answer',
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

const sourcesOf = (side: Side): string[] =>
  repeatsOf(side).flatMap(({ availability, contextLost, source }) =>
    availability === 'answer' && !contextLost && source !== UNKNOWN ? [source] : [],
  )

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
  const [oldSources, newSources] = [sourcesOf(before), sourcesOf(after)]
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
      grounding === 'none' &&
      oldSources.length > 0 &&
      newSources.length > 0 &&
      !oldSources.some((source) => newSources.includes(source)),
    failInBoth: after.passRate !== null && after.passRate < 1 && after.passRate === before.passRate,
  }
  return CHANGE_KINDS.filter((kind) => holds[kind])
}

/** Is a change as the comparison of an earlier run lists it. */
export interface RecordedChange extends ListedQuestion {
  readonly kinds: readonly string[]
}

const hasKind = (kinds: readonly string[], wanted: readonly ChangeKind[]): boolean =>
  wanted.some((kind) => kinds.includes(kind))

const keyOf = ({ id, message }: ListedQuestion): string => `${id}\n${message}`

/**
 * Finds the problems that are back again: an earlier run, of which the last comes first, lists that they
 * began or ended there. One that began in the very last run has not been away since: it is still new.
 */
export function backAgain(
  changes: readonly Change[],
  earlier: Iterable<readonly RecordedChange[]>,
): readonly Change[] {
  const isNew = ({ kinds }: Change): boolean => PROBLEMS.some(({ begins }) => hasKind(kinds, begins))
  const open = new Map(changes.filter(isNew).map((change) => [keyOf(change), change]))
  const found = new Set<Change>()
  let isLast = true
  if (open.size === 0) return []
  for (const recorded of earlier) {
    for (const before of recorded) {
      const change = open.get(keyOf(before))
      const problems = PROBLEMS.filter(({ begins }) => hasKind(change?.kinds ?? [], begins))
      if (change === undefined) continue
      const isStill = isLast && problems.some(({ begins }) => hasKind(before.kinds, begins))
      const wasThere = problems.some(({ begins, ends }) => hasKind(before.kinds, [...begins, ...ends]))
      if (wasThere && !isStill) found.add(change)
      if (wasThere) open.delete(keyOf(before))
    }
    isLast = false
  }
  return changes.filter((change) => found.has(change))
}
