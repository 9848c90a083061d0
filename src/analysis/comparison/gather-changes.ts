// What a comparison keeps of its rows: how the answers differ, the changes, and the first of each kind with their texts.
import {
  CHANGE_KINDS,
  type AnswerReview,
  type ChangeKind,
  type ComparisonRow,
  type QuestionChange,
  type ShownChange,
} from '../../domain/comparison/change.ts'
import { type CandidateReviews } from '../../domain/comparison/comparison.ts'
import { createReviewTally } from '../reviews/tally.ts'

export interface GatheredChanges {
  readonly answers: AnswerReview
  readonly changes: readonly QuestionChange[]
  readonly changesLeftOut: number
  /** Gravest kind first, then in the order of the rows. */
  readonly shown: readonly ShownChange[]
  readonly reviews: CandidateReviews | null
}

const MOST_CHANGES = 10_000
const MOST_SHOWN_A_KIND = 100
/** A text is cut for people's lists; `comparison.csv` has it whole. */
const LONGEST_SHOWN = 20_000

export interface ChangesGatherer {
  readonly add: (row: ComparisonRow) => void
  finish(): GatheredChanges
}

export function createChangesGatherer(): ChangesGatherer {
  const answers = { same: 0, rephrased: 0, factsChanged: 0, otherAnswer: 0 }
  const changes: QuestionChange[] = []
  const shown = new Map<ChangeKind, ShownChange[]>(CHANGE_KINDS.map((kind) => [kind, []]))
  const reviews = createReviewTally()
  let [changesLeftOut, isReviewed] = [0, false]
  return {
    add: (row) => {
      if (row.answers !== null) answers[row.answers] += 1
      if (row.reviewing !== null) {
        reviews.addAnswer(row, row.reviewing, row.reviewing.kind === 'changed' || row.kinds.length > 0)
        isReviewed = true
      }
      const change = changeOf(row)
      if (change === undefined) return
      if (changes.length < MOST_CHANGES) changes.push(change)
      else changesLeftOut += 1
      const [gravest] = change.kinds
      const list = gravest === undefined ? undefined : shown.get(gravest)
      if (list === undefined || list.length >= MOST_SHOWN_A_KIND) return
      list.push({
        ...change,
        answers: { baseline: cut(row.baseline?.answer), candidate: cut(row.candidate?.answer) },
      })
    },
    finish: () => ({
      answers,
      changes,
      changesLeftOut,
      shown: [...shown.values()].flat(),
      reviews: isReviewed
        ? { counts: reviews.counts, awaitedCount: reviews.waiting, awaited: reviews.awaited() }
        : null,
    }),
  }
}

function changeOf(row: ComparisonRow): QuestionChange | undefined {
  const { presence, baseline, candidate, kinds } = row
  if (presence !== 'both' || baseline === null || candidate === null || kinds.length === 0) return undefined
  const { id, file, thread, turn, message, tags, mustPass, similarity, factsLost, factsGained } = row
  const { answer: _before, ...before } = baseline
  const { answer: _after, ...after } = candidate
  return {
    id,
    file,
    thread,
    turn,
    message,
    tags,
    mustPass,
    kinds,
    baseline: before,
    candidate: after,
    similarity,
    factsLost,
    factsGained,
  }
}

const cut = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : text.slice(0, LONGEST_SHOWN)
