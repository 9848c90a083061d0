// Every question of either run with its answers' texts, one at a time: what `comparison.csv` lists and changes are drawn from.
import { describeError } from '../../domain/attempt.ts'
import { CHANGES, changesBetween, type ChangeKind, type QuestionState } from '../../domain/changes.ts'
import type {
  CandidateComparison,
  CandidateReviews,
  ChangedFact,
  ComparedSide,
  ComparisonRow,
  QuestionChange,
  ShownChange,
} from '../../domain/comparison.ts'
import type { Reviewing } from '../../domain/review.ts'
import type { TurnRecord } from '../../domain/turn.ts'
import { createReviewTally } from '../reviews/tally.ts'
import type { PairedQuestion } from './pair.ts'
import type { AnswerChange } from './answers.ts'
import { shownPair, stateOf } from './question.ts'
import { sourceLabel, type TurnSummary } from './turn-summary.ts'

/** A turn read again for a row. */
export interface ReadTurn {
  readonly turn: TurnRecord
  /** Expectations that the answer did not meet, a sentence each. */
  readonly failures: readonly string[]
}

/** Reads a turn again, with its answer; both runs graded by what the candidate expects. */
export interface TurnTexts {
  readonly baseline: (turn: TurnSummary) => ReadTurn
  readonly candidate: (turn: TurnSummary) => ReadTurn
}

/** What people think of an answer; undefined where no review is known at all. */
export type ReviewOf = ((id: string, answer: string) => Reviewing) | undefined

export function* comparisonRows(
  questions: readonly PairedQuestion<TurnSummary>[],
  texts: TurnTexts,
  reviewOf: ReviewOf,
): Generator<ComparisonRow> {
  for (const question of questions) yield rowOf(question, texts, reviewOf)
}

/** Each turn of one question is read from the disk once, however often it is looked at. */
function once(read: TurnTexts['baseline']): TurnTexts['baseline'] {
  const known = new Map<TurnSummary, ReadTurn>()
  return (turn) => {
    const one = known.get(turn) ?? read(turn)
    known.set(turn, one)
    return one
  }
}

/** Of questions that only one run has, or whose texts differ, nothing is compared. */
function rowOf(question: PairedQuestion<TurnSummary>, texts: TurnTexts, reviewOf: ReviewOf): ComparisonRow {
  const read = { baseline: once(texts.baseline), candidate: once(texts.candidate) }
  const [before, after] = [stateOf(question.baseline), stateOf(question.candidate)]
  const pair: {
    baseline?: TurnSummary | undefined
    candidate?: TurnSummary | undefined
    answers?: AnswerChange | undefined
  } =
    question.presence === 'both'
      ? shownPair(
          { ...question, before, after },
          {
            baseline: (turn) => answerOf(read.baseline(turn).turn),
            candidate: (turn) => answerOf(read.candidate(turn).turn),
          },
        )
      : { baseline: question.baseline[0], candidate: question.candidate[0] }
  const where = pair.candidate ?? pair.baseline
  if (where === undefined) throw new Error('a question without a turn')
  const { id, file, thread, turn, message, tags, mustPass } = where
  const baseline = pair.baseline ? sideOf(read.baseline(pair.baseline), question.baseline, before) : null
  const is = pair.candidate && read.candidate(pair.candidate)
  const candidate = is === undefined ? null : sideOf(is, question.candidate, after)
  return {
    id,
    file,
    thread,
    turn,
    message,
    tags,
    mustPass,
    presence: question.presence,
    kinds: question.presence === 'both' ? changesBetween(before, after, pair.answers?.kind) : [],
    answers: pair.answers?.kind ?? null,
    similarity: pair.answers?.similarity ?? null,
    factsLost: pair.answers?.lost.map(changedFact) ?? [],
    factsGained: pair.answers?.gained.map(changedFact) ?? [],
    baseline,
    candidate,
    asked: is === undefined || pair.candidate === undefined ? null : askedFacts(is, pair.candidate),
    reviewing:
      candidate === null || candidate.answer === null
        ? null
        : (reviewOf?.(candidate.id, candidate.answer) ?? null),
  }
}

const changedFact = ({ kind, text }: ChangedFact): ChangedFact => ({ kind, text })

/** Null without one. */
const answerOf = ({ outcome, result }: TurnRecord): string | null =>
  outcome === 'answered' && result?.kind === 'reply' ? result.reply.message : null

function sideOf(
  { turn, failures }: ReadTurn,
  repeats: readonly TurnSummary[],
  { groundingRate, passRate }: QuestionState,
): ComparedSide & { answer: string | null } {
  const { question, repeat, outcome, result, serviceMs } = turn
  const error = describeError(result)
  return {
    id: question.id,
    message: question.message,
    repeat,
    source: sourcesOf(repeats),
    outcome: outcome ?? null,
    groundingRate,
    passRate,
    failures: error === undefined ? failures : [error],
    latencyMs: serviceMs ?? null,
    answer: answerOf(turn),
  }
}

/** Over the repeats; of several the most frequent first. */
function sourcesOf(repeats: readonly TurnSummary[]): string {
  const counts = new Map<string, number>()
  for (const turn of repeats) counts.set(sourceLabel(turn), (counts.get(sourceLabel(turn)) ?? 0) + 1)
  return [...counts]
    .sort(([, some], [, other]) => other - some)
    .map(([label]) => label)
    .join(' / ')
}

const askedFacts = (
  { turn: { waitMs, usage, rateLimited } }: ReadTurn,
  { grounded, passed, contextLost, outcome }: TurnSummary,
): ComparisonRow['asked'] => ({
  waitMs: waitMs ?? null,
  attempts: usage.attempts,
  rateLimited,
  grounded: grounded ?? null,
  passed: passed ?? null,
  contextLost: contextLost && outcome === 'answered',
})

/** What a comparison keeps of its rows. */
export interface GatheredRows extends Pick<CandidateComparison, 'counts' | 'answers' | 'changes'> {
  /** Worst kind first, then in the order of the rows. */
  readonly shown: readonly ShownChange[]
  readonly reviews: CandidateReviews | null
}

const MOST_CHANGES = 10_000
const MOST_SHOWN_A_KIND = 100
/** A text is cut for people's lists; `comparison.csv` has it whole. */
const LONGEST_SHOWN = 20_000

const NO_CHANGES = Object.fromEntries(Object.keys(CHANGES).map((kind) => [kind, 0])) as Record<
  ChangeKind,
  number
>

export function createRowGatherer() {
  const answers = { same: 0, rephrased: 0, factsChanged: 0, otherAnswer: 0 }
  const counts = { ...NO_CHANGES }
  const changes: QuestionChange[] = []
  const shown = new Map<ChangeKind, ShownChange[]>()
  const reviews = createReviewTally()
  let isReviewed = false
  return {
    add: (row: ComparisonRow): void => {
      if (row.answers !== null) answers[row.answers] += 1
      if (row.reviewing !== null) {
        reviews.addAnswer(row, row.reviewing, row.reviewing.kind === 'changed' || row.kinds.length > 0)
        isReviewed = true
      }
      for (const kind of row.kinds) counts[kind] += 1
      const [gravest] = row.kinds
      const change = changeOf(row)
      if (gravest === undefined || change === undefined) return
      if (changes.length < MOST_CHANGES) changes.push(change)
      const list = shown.get(gravest) ?? []
      shown.set(gravest, list)
      if (list.length >= MOST_SHOWN_A_KIND) return
      list.push({
        ...change,
        answers: {
          baseline: row.baseline?.answer?.slice(0, LONGEST_SHOWN) ?? null,
          candidate: row.candidate?.answer?.slice(0, LONGEST_SHOWN) ?? null,
        },
      })
    },
    finish: (): GatheredRows => ({
      answers,
      counts,
      changes,
      shown: (Object.keys(CHANGES) as ChangeKind[]).flatMap((kind) => shown.get(kind) ?? []),
      reviews: isReviewed
        ? { counts: reviews.counts, awaitedCount: reviews.waiting, awaited: reviews.awaited() }
        : null,
    }),
  }
}

function changeOf(row: ComparisonRow): QuestionChange | undefined {
  const { presence: _, answers: __, asked: ___, reviewing: ____, baseline, candidate, ...change } = row
  if (baseline === null || candidate === null) return undefined
  const { answer: _before, ...before } = baseline
  const { answer: _after, ...after } = candidate
  return { ...change, baseline: before, candidate: after }
}
