// Everything that is made of a run's turns, gathered in one pass: figures, gates, gaps, failures, flaky questions.
import type { MustPassResult } from '../domain/gate.ts'
import { type GradedTurn, isGrounded } from '../domain/turn.ts'
import type { Manifest } from '../domain/manifest.ts'
import type { Question } from '../domain/question.ts'
import type { RepeatedQuestion } from '../domain/repeats.ts'
import type { Summary, FailedTurn, SummaryDetails } from '../domain/summary.ts'
import { type Asked, mustPassOf } from './asked.ts'
import { createErrorGatherer } from './errors.ts'
import { clusterGaps } from './gaps/cluster.ts'
import { createGapGatherer } from './gaps/gather.ts'
import { findLimitInRecord } from './limit/find-in-record.ts'
import { foldRepeats, isFlaky } from './repeats.ts'
import type { Model } from './fold.ts'
import { createSummaryGatherer } from './summarise.ts'
import { createQuestionCounter } from './question-counts.ts'

export interface Evaluation {
  readonly summary: Summary
  readonly details: SummaryDetails
}

export interface EvaluationGatherer {
  /** Questions in the order of the set. */
  add(asked: Asked): void
  finish(): Evaluation
}

const MOST_FAILURES = 200
const MOST_FLAKY = 1000
const MOST_GAPS = 200
/** Beyond so many gaps, only the heaviest are grouped: time grows with their square. */
const MOST_CLUSTERED = 2000
/** So many messages of a set tell which words are common in it. */
const MOST_BACKGROUND = 5000

export function createEvaluationGatherer(
  manifest: Manifest,
  index: Model<unknown>,
  notes: readonly string[],
): EvaluationGatherer {
  const { groundedSources, passPolicy } = manifest.options
  const summaries = createSummaryGatherer(manifest, index, notes)
  const counter = createQuestionCounter(groundedSources)
  const errors = createErrorGatherer()
  const gaps = createGapGatherer(groundedSources)
  const failures: FailedTurn[] = []
  const wrong: FailedTurn[] = []
  const wrongAnswers: Summary['wrongAnswers'] = []
  const flaky: RepeatedQuestion[] = []
  const mustPass: MustPassResult[] = []
  const messages = new Map<string, string>()
  const withoutContext = new Map<string, number>()
  const found = { wrong: 0, flaky: 0 }

  /** A grounded answer that failed: the article is wrong, or it is the wrong one. Slow is not wrong. */
  const isWrong = ({ turn, grade }: GradedTurn): boolean =>
    grade.kind === 'failed' &&
    grade.failures.some(({ expectation }) => expectation !== 'max_latency_ms') &&
    isGrounded(turn, groundedSources) === true

  /** One entry a question, however often it was asked. */
  const noteFailure = (repeats: readonly GradedTurn[]): void => {
    const failed = repeats.filter(({ grade, forgiven }) => grade.kind === 'failed' && forgiven === undefined)
    const [first] = failed
    if (first?.grade.kind !== 'failed') return
    const { id, message } = first.turn.question
    const often = repeats.length === 1 ? [] : [`failed ${failed.length} of ${repeats.length} times`]
    const sentences = [...often, ...first.grade.failures.map(({ sentence }) => sentence)]
    if (failures.length < MOST_FAILURES) failures.push({ id, message, sentences })
    const wrongly = failed.find(isWrong)
    if (wrongly === undefined) return
    found.wrong += 1
    if (wrong.length >= MOST_FAILURES) return
    wrong.push({ id, message, sentences })
    wrongAnswers.push({ id, repeat: wrongly.turn.repeat, failures: sentences })
  }

  return {
    add: (repeats) => {
      const [first, ...others] = repeats
      if (first === undefined) return
      counter.add(repeats)
      gaps.add(repeats.map(({ turn }) => turn))
      for (const { turn, grade } of repeats) {
        summaries.add(turn, grade)
        errors.add(turn)
        if (turn.outcome !== 'answered' || !turn.contextLost || turn.result?.kind !== 'reply') continue
        const { contextSource } = turn.result.reply
        withoutContext.set(contextSource, (withoutContext.get(contextSource) ?? 0) + 1)
      }
      const { id, message } = first.turn.question
      const result = mustPassOf(repeats, passPolicy)
      if (result !== undefined) {
        mustPass.push(result)
        messages.set(id, message)
      }
      const folded = others.length === 0 ? undefined : foldRepeats([first, ...others], groundedSources)
      if (folded !== undefined && isFlaky(folded)) {
        found.flaky += 1
        if (flaky.length < MOST_FLAKY) {
          flaky.push(folded)
          messages.set(id, message)
        }
      }
      noteFailure(repeats)
    },
    finish: () => {
      // The figures first: what they are made of is let go before the gaps are grouped, which takes the most memory.
      const counted = { mustPass, flaky, gaps: [], wrongAnswers }
      const summary = summaries.finish(counted, findLimitInRecord(index.limitCalls))
      const { heaviest, count } = gaps.finish(MOST_CLUSTERED)
      const clusters = clusterGaps(heaviest, messagesOf(index.questions))
      const named = clusters
        .slice(0, MOST_GAPS)
        .map(({ name, weight, questions }) => ({ name, weight, questions: questions.map(({ id }) => id) }))
      const ofGaps = { gaps: count, clustered: heaviest.length }
      const counts = counter.finish(summary.turns.total, { ...found, ...ofGaps })
      return {
        summary: { ...summary, gaps: named },
        details: {
          counts,
          messages,
          withoutContext,
          failures,
          errors: errors.finish(),
          gaps: clusters,
          flaky,
          wrong,
          awaited: [],
        },
      }
    },
  }
}

/** Of questions spread over the whole set. */
function messagesOf(questions: readonly (Question | undefined)[]): string[] {
  const step = Math.max(1, Math.ceil(questions.length / MOST_BACKGROUND))
  return questions.flatMap((question, place) =>
    question === undefined || place % step !== 0 ? [] : [question.message],
  )
}
