// Comparison rows: one question of either run with the texts of its answers. `comparison.csv` and lists of
// changes use them.
import { describeError } from '../../domain/attempt.ts'
import { type AnswerKind, CHANGE_KINDS, changesBetween, type QuestionState } from '../../domain/changes.ts'
import type {
  ChangedFact,
  ChangedQuestions,
  ComparedSide,
  ComparisonRow,
  QuestionChange,
} from '../../domain/comparison.ts'
import type { Reviewing } from '../../domain/review.ts'
import type { ListedQuestion } from '../../domain/summary.ts'
import { groupBy } from '../turns.ts'
import type { PairedQuestion } from './pair.ts'
import { chooseRepeats, type ComparedTurn, sourceLabel, stateOf } from './question.ts'

/** The review of an answer. Undefined if there are no reviews at all. */
export type ReviewOf = ((id: string, answer: string) => Reviewing) | undefined

/** Compares nothing if only one run has the question. */
export function comparisonRow(question: PairedQuestion<ComparedTurn>, reviewOf: ReviewOf): ComparisonRow {
  const { presence, baseline: befores, candidate: afters } = question
  const [before, after] = [stateOf(befores), stateOf(afters)]
  const isCompared = presence === 'both' || presence === 'edited'
  const pair = isCompared ? chooseRepeats(question, [before, after]) : undefined
  const answers = pair?.answers
  // With its grounding the whole answer was replaced: its facts are other facts, not changed ones.
  const isReplaced = before.groundingRate !== after.groundingRate
  const [was, is] = [pair?.baseline ?? befores[0], pair?.candidate ?? afters[0]]
  const where = is ?? was
  if (where === undefined) throw new Error('a question without a turn')
  const { id, file, thread, turn, message, tags, mustPass } = where.question
  const answer = is?.answer ?? null
  return {
    id,
    file,
    thread,
    turn,
    message,
    tags,
    mustPass,
    presence,
    baselineMessage: presence === 'edited' ? (was?.question.message ?? null) : null,
    kinds: isCompared ? changesBetween(before, after, answers?.kind) : [],
    answers: answers?.kind ?? null,
    similarity: answers?.similarity ?? null,
    factsLost: isReplaced ? [] : (answers?.lost.map(changedFact) ?? []),
    factsGained: isReplaced ? [] : (answers?.gained.map(changedFact) ?? []),
    baseline: was === undefined ? null : sideOf(was, befores, before),
    candidate: is === undefined ? null : sideOf(is, afters, after),
    graded: is?.graded ?? null,
    reviewing: answer === null ? null : (reviewOf?.(id, answer) ?? null),
  }
}

const changedFact = ({ kind, text }: ChangedFact): ChangedFact => ({ kind, text })

function sideOf(
  { repeat, outcome, serviceMs, answer, graded: { turn, grade } }: ComparedTurn,
  repeats: readonly ComparedTurn[],
  { groundingRate, passRate }: QuestionState,
): ComparedSide & { answer: string | null } {
  const error = describeError(turn.result)
  const failures = grade.kind === 'failed' ? grade.failures.map(({ sentence }) => sentence) : []
  return {
    repeat,
    source: sourcesOf(repeats),
    outcome: outcome ?? null,
    groundingRate,
    passRate,
    failures: error === undefined ? failures : [error],
    latencyMs: serviceMs ?? null,
    answer,
  }
}

const sourcesOf = (repeats: readonly ComparedTurn[]): string =>
  [...groupBy(repeats, sourceLabel)]
    .sort(([, some], [, other]) => other.length - some.length)
    .map(([label]) => label)
    .join(' / ')

const MAX_CHANGES = 10_000
const ANSWER_KINDS: readonly AnswerKind[] = ['same', 'rephrased', 'factsChanged', 'otherAnswer']

/** What the rows of a comparison show together. An edited question counts as edited alone. */
export function changedQuestions(rows: readonly ComparisonRow[]): ChangedQuestions {
  const compared = rows.filter(({ presence }) => presence === 'both')
  return {
    added: listed(rows, 'added'),
    removed: listed(rows, 'removed'),
    counts: countBy(CHANGE_KINDS, (kind) => compared.filter(({ kinds }) => kinds.includes(kind)).length),
    answers: countBy(ANSWER_KINDS, (kind) => compared.filter(({ answers }) => answers === kind).length),
    changes: changesOf(compared.filter(({ kinds }) => kinds.length > 0)),
    edited: changesOf(rows.filter(({ presence }) => presence === 'edited')),
  }
}

const listed = (rows: readonly ComparisonRow[], wanted: 'added' | 'removed'): ListedQuestion[] =>
  rows.flatMap(({ id, message, presence }) => (presence === wanted ? [{ id, message }] : []))

const countBy = <Kind extends string>(kinds: readonly Kind[], countOf: (kind: Kind) => number) =>
  Object.fromEntries(kinds.map((kind) => [kind, countOf(kind)])) as Record<Kind, number>

const changesOf = (rows: readonly ComparisonRow[]): QuestionChange[] =>
  rows.slice(0, MAX_CHANGES).flatMap((row) => {
    const { presence: _, answers: __, graded: ___, reviewing: ____, baseline, candidate, ...change } = row
    if (baseline === null || candidate === null) return []
    const { answer: _before, ...before } = baseline
    const { answer: _after, ...after } = candidate
    return [{ ...change, baseline: before, candidate: after }]
  })
