// Failed questions, most important first: for the lists of reports and for annotations.
import type { Question } from '../domain/question.ts'
import type { GradedTurn } from '../domain/turn.ts'
import { standingOfQuestion, type Failure, type Judged, type Standing } from './standing.ts'

/** `tolerated`: no gate covers it. `known`: it also fails in the baseline. */
type Rank = 'newly' | 'mustPass' | 'other' | 'tolerated' | 'known'

export interface FailedQuestion {
  readonly question: Question
  readonly failure: Failure
  readonly rank: Rank
}

interface FailedQuestions {
  /** The first `MOST`, by rank, then in the order of the set. */
  readonly items: readonly FailedQuestion[]
  readonly count: number
  readonly known: number
}

export interface Failures {
  /** Expectations that were not met. */
  readonly failed: FailedQuestions
  readonly errored: FailedQuestions
}

const MOST = 200

export function createFailureGatherer(judged: Judged) {
  const found = { failed: createRanking(), errored: createRanking() }
  return {
    /** Adds one question. */
    add: (repeats: readonly GradedTurn[]): void => {
      const standing = standingOfQuestion(repeats, judged)
      const failure = standing.kind === 'excused' ? standing.failure : standing
      const question = repeats[0]?.turn.question
      if (question === undefined || (failure.kind !== 'failed' && failure.kind !== 'errored')) return
      found[failure.kind].add({ question, failure, rank: rankOf(question, standing, judged) })
    },
    finish: (): Failures => ({ failed: found.failed.finish(), errored: found.errored.finish() }),
  }
}

function rankOf({ id, mustPass }: Question, standing: Standing, { before }: Judged): Rank {
  if (standing.kind === 'excused') return standing.isKnown ? 'known' : 'tolerated'
  if (before?.byId.get(id) === 'passed') return 'newly'
  return mustPass ? 'mustPass' : 'other'
}

function createRanking() {
  // Failures that fail the run come first.
  const all: Record<Rank, FailedQuestion[]> = { newly: [], mustPass: [], other: [], tolerated: [], known: [] }
  let [count, known] = [0, 0]
  return {
    add: (one: FailedQuestion): void => {
      count += 1
      if (one.rank === 'known') known += 1
      if (all[one.rank].length < MOST) all[one.rank].push(one)
    },
    finish: (): FailedQuestions => ({ items: Object.values(all).flat().slice(0, MOST), count, known }),
  }
}
