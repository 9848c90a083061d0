// A question's result: passed, failed, errored or skipped, and why. For CI servers, and, most important
// first, for lists and annotations.
import { describeBody, describeError, errorCodeOf, statusOf } from '../domain/attempt.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { GateDecision } from '../domain/summary.ts'
import type { AnsweredTurn } from '../domain/turn.ts'

/** Sentences, at least one, contain untrusted text of the endpoint. */
export type Standing =
  { readonly kind: 'passed' } | { readonly kind: 'skipped'; readonly why: string } | FailedStanding

export interface FailedStanding {
  readonly kind: 'failed' | 'errored'
  /** The first expectation that was not met, or the outcome. */
  readonly type: string
  readonly sentences: readonly string[]
  /** Why it does not fail the run: it also fails in the baseline (`known`), or no gate covers it. */
  readonly excuse?: { readonly rank: 'known' | 'tolerated'; readonly why: string }
}

/** `repeats`: of one question, never empty. */
export function standingOfQuestion(
  repeats: readonly AnsweredTurn[],
  { before, isGreen }: GateDecision,
): Standing {
  const failure = fold(repeats.map(standingOf), repeats[0]?.tries?.map(standingOf))
  if (failure.kind !== 'failed' && failure.kind !== 'errored') return failure
  const question = repeats[0]?.question
  const hasFailedBefore = question !== undefined && before?.byId.get(question.id) === 'failed'
  const isKnown = hasFailedBefore && failure.kind === 'failed' && !question.mustPass
  if (!isKnown && !isGreen) return failure
  const why = isKnown ? `known failure (also in ${before?.baseline})` : 'it fails no gate'
  const rank = isKnown ? 'known' : 'tolerated'
  return { ...failure, excuse: { rank, why: `${why}: ${failure.sentences[0] ?? ''}` } }
}

const WORST_FIRST: readonly Standing['kind'][] = ['failed', 'errored', 'passed', 'skipped']

function fold(standings: readonly Standing[], tries = standings): Standing {
  const isFailure = (standing: Standing): standing is FailedStanding => standing.kind === 'failed'
  const [worst] = standings.filter(isFailure)
  if (worst !== undefined && tries.length > 1) {
    const often = `failed ${tries.filter(isFailure).length} of ${tries.length} times`
    return { ...worst, sentences: [often, ...worst.sentences] }
  }
  const [first] = standings.toSorted((a, b) => WORST_FIRST.indexOf(a.kind) - WORST_FIRST.indexOf(b.kind))
  return first ?? { kind: 'skipped', why: 'not sent' }
}

const MUST_HAVE_CONTEXT = 'must pass, but was answered without the context of its conversation'

/** An answer without its context neither passes nor fails, unless the question must pass. */
function standingOf(turn: AnsweredTurn): Standing {
  const { outcome, contextLost, failures, isTolerated = false } = turn
  if (outcome === undefined) return { kind: 'skipped', why: 'not sent: the run stopped first' }
  if (outcome === 'skipped')
    return { kind: 'skipped', why: 'not sent: an earlier question of its conversation ended in an error' }
  if (isErrorOutcome(outcome))
    return { kind: 'errored', type: outcome, sentences: [describeFailure(turn, outcome)] }
  if (contextLost && turn.question.mustPass)
    return { kind: 'failed', type: 'must_pass', sentences: [MUST_HAVE_CONTEXT] }
  if (contextLost)
    return { kind: 'skipped', why: 'answered, but the endpoint had lost the context of the conversation' }
  const [first] = failures
  if (first === undefined || isTolerated) return { kind: 'passed' }
  return { kind: 'failed', type: first.expectation, sentences: failures.map(({ sentence }) => sentence) }
}

function describeFailure({ result }: AnsweredTurn, outcome: string): string {
  const httpStatus = statusOf(result)
  const code = errorCodeOf(result)
  const facts = [httpStatus && `HTTP ${httpStatus}`, code && `code ${code}`].filter(Boolean).join(', ')
  const what = facts === '' ? outcome : `${outcome} (${facts})`
  const message = describeError(result)
  return message === undefined || message === '' ? what : `${what}: ${message}${describeBody(result)}`
}

type Rank = 'newly' | 'mustPass' | 'other' | NonNullable<FailedStanding['excuse']>['rank']

export interface FailedQuestion {
  readonly question: Question
  readonly failure: FailedStanding
  readonly rank: Rank
}

interface FailedQuestions {
  /** The first `MAX_LISTED`, by rank, then in the order of the set. */
  readonly items: readonly FailedQuestion[]
  readonly count: number
  readonly known: number
}

export interface Failures {
  readonly failed: FailedQuestions
  readonly errored: FailedQuestions
}

const MAX_LISTED = 200

/** Reads the questions once, in the order of the set. */
export function failuresOf(questions: Iterable<readonly AnsweredTurn[]>, judged: GateDecision): Failures {
  const found = { failed: createRanking(), errored: createRanking() }
  for (const repeats of questions) {
    const failure = standingOfQuestion(repeats, judged)
    const question = repeats[0]?.question
    if (question === undefined || (failure.kind !== 'failed' && failure.kind !== 'errored')) continue
    const rank = failure.excuse?.rank ?? rankOf(question, judged)
    found[failure.kind].add({ question, failure, rank })
  }
  return { failed: found.failed.finish(), errored: found.errored.finish() }
}

function rankOf({ id, mustPass }: Question, { before }: GateDecision): Rank {
  if (before?.byId.get(id) === 'passed') return 'newly'
  return mustPass ? 'mustPass' : 'other'
}

function createRanking() {
  // Failures that fail the run come first.
  const all: Record<Rank, FailedQuestion[]> = { newly: [], mustPass: [], other: [], tolerated: [], known: [] }
  let [count, known] = [0, 0]
  return {
    add: (failed: FailedQuestion): void => {
      count += 1
      if (failed.rank === 'known') known += 1
      if (all[failed.rank].length < MAX_LISTED) all[failed.rank].push(failed)
    },
    finish: (): FailedQuestions => ({ items: Object.values(all).flat().slice(0, MAX_LISTED), count, known }),
  }
}
