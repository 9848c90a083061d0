// Comparison rows: one question of either run with the texts of its answers. `comparison.csv` and lists of changes use them.
import { describeError } from '../../domain/attempt.ts'
import { CHANGE_KINDS, changesBetween, type ChangeKind, type QuestionState } from '../../domain/changes.ts'
import type {
  ChangedFact,
  ChangedQuestions,
  ComparedSide,
  ComparisonRow,
  QuestionChange,
} from '../../domain/comparison.ts'
import type { Reviewing } from '../../domain/review.ts'
import type { ListedQuestion } from '../../domain/summary.ts'
import type { GradedTurn, TurnRecord } from '../../domain/turn.ts'
import { groupBy } from '../turns.ts'
import type { PairedQuestion } from './pair.ts'
import { chooseRepeats, sourceLabel, stateOf, type TurnSummary } from './question.ts'

/** Reads a turn with its answer. Both runs are graded by the candidate's expectations. */
type Read = (turn: TurnSummary) => GradedTurn

/** The review of an answer. Undefined if there are no reviews at all. */
export type ReviewOf = ((id: string, answer: string) => Reviewing) | undefined

/** Compares nothing if only one run has the question, or if its texts differ. */
export function comparisonRow(
  question: PairedQuestion<TurnSummary>,
  readers: Readonly<Record<'baseline' | 'candidate', Read>>,
  reviewOf: ReviewOf,
): ComparisonRow {
  const read = new Map([
    ...question.baseline.map((turn) => [turn, readers.baseline(turn)] as const),
    ...question.candidate.map((turn) => [turn, readers.candidate(turn)] as const),
  ])
  const [before, after] = [stateOf(question.baseline), stateOf(question.candidate)]
  const isCompared = question.presence === 'both'
  const pair = isCompared
    ? chooseRepeats(question, [before, after], (turn) => answerOf(read.get(turn)?.turn))
    : undefined
  const answers = pair?.answers
  const [was, is] = [pair?.baseline ?? question.baseline[0], pair?.candidate ?? question.candidate[0]]
  const where = is ?? was
  if (where === undefined) throw new Error('a question without a turn')
  const { id, file, thread, turn, message, tags, mustPass } = where.question
  const [old, now] = [was && read.get(was), is && read.get(is)]
  const baseline = old === undefined ? null : sideOf(old, question.baseline, before)
  const candidate = now === undefined ? null : sideOf(now, question.candidate, after)
  const answer = candidate?.answer ?? null
  return {
    id,
    file,
    thread,
    turn,
    message,
    tags,
    mustPass,
    presence: question.presence,
    kinds: isCompared ? changesBetween(before, after, answers?.kind) : [],
    answers: answers?.kind ?? null,
    similarity: answers?.similarity ?? null,
    factsLost: answers?.lost.map(changedFact) ?? [],
    factsGained: answers?.gained.map(changedFact) ?? [],
    baseline,
    candidate,
    graded: now ?? null,
    reviewing: answer === null ? null : (reviewOf?.(id, answer) ?? null),
  }
}

const changedFact = ({ kind, text }: ChangedFact): ChangedFact => ({ kind, text })

/** Null without an answer. */
const answerOf = (turn: TurnRecord | undefined): string | null =>
  turn?.outcome === 'answered' && turn.result?.kind === 'reply' ? turn.result.reply.message : null

function sideOf(
  { turn, grade }: GradedTurn,
  repeats: readonly TurnSummary[],
  { groundingRate, passRate }: QuestionState,
): ComparedSide & { answer: string | null } {
  const error = describeError(turn.result)
  const failures = grade.kind === 'failed' ? grade.failures.map(({ sentence }) => sentence) : []
  return {
    repeat: turn.repeat,
    source: sourcesOf(repeats),
    outcome: turn.outcome ?? null,
    groundingRate,
    passRate,
    failures: error === undefined ? failures : [error],
    latencyMs: turn.serviceMs ?? null,
    answer: answerOf(turn),
  }
}

/** The sources of all repeats, most frequent first. */
const sourcesOf = (repeats: readonly TurnSummary[]): string =>
  [...groupBy(repeats, sourceLabel)]
    .sort(([, some], [, other]) => other.length - some.length)
    .map(([label]) => label)
    .join(' / ')

const MAX_CHANGES = 10_000

export function createRowCollector() {
  const answers = { same: 0, rephrased: 0, factsChanged: 0, otherAnswer: 0 }
  const counts = Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, 0])) as Record<ChangeKind, number>
  const changes: QuestionChange[] = []
  /** Ids, including those beyond the listed changes, because each fails a rule. */
  const newlyFailing: string[] = []
  const lists: Record<'added' | 'removed', ListedQuestion[]> = { added: [], removed: [] }
  return {
    add: (row: ComparisonRow): void => {
      const { id, message, presence } = row
      if (presence === 'added' || presence === 'removed') lists[presence].push({ id, message })
      if (row.answers !== null) answers[row.answers] += 1
      for (const kind of row.kinds) counts[kind] += 1
      if (row.kinds.includes('passToFail')) newlyFailing.push(id)
      const change = row.kinds.length > 0 && changes.length < MAX_CHANGES ? changeOf(row) : undefined
      if (change !== undefined) changes.push(change)
    },
    changed: { ...lists, counts, answers, changes } as ChangedQuestions,
    newlyFailing: newlyFailing as readonly string[],
  }
}

function changeOf(row: ComparisonRow): QuestionChange | undefined {
  const { presence: _, answers: __, graded: ___, reviewing: ____, baseline, candidate, ...change } = row
  if (baseline === null || candidate === null) return undefined
  const { answer: _before, ...before } = baseline
  const { answer: _after, ...after } = candidate
  return { ...change, baseline: before, candidate: after }
}
