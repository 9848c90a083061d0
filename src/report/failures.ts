// What failed in a run, gravest first: the list of its reports, its annotations, and JUnit's cases.
import { describeBody, describeError, errorCodeOf, statusOf } from '../domain/attempt.ts'
import { isErrorOutcome } from '../domain/outcome.ts'
import type { Question } from '../domain/question.ts'
import type { GateDecision } from '../domain/summary.ts'
import type { AnsweredTurn } from '../domain/turn.ts'

/** There is at least one sentence; it contains untrusted text of the endpoint. */
export type Standing =
  { readonly kind: 'passed' } | { readonly kind: 'skipped'; readonly why: string } | FailedStanding

interface FailedStanding {
  readonly kind: 'failed' | 'errored'
  /** The type is the first expectation that was not met, or the outcome. */
  readonly type: string
  readonly sentences: readonly string[]
  /** It does not fail the run: it also fails in the baseline (`known`), or no gate covers it. */
  readonly excuse?: { readonly rank: 'known' | 'tolerated'; readonly why: string }
}

export interface Failure extends FailedStanding {
  readonly question: Question
  readonly rank: Rank
}

/** Failures that fail the run come first. */
export const RANKS = ['newly', 'mustPass', 'other', 'tolerated', 'known'] as const
type Rank = (typeof RANKS)[number]

export interface Failures {
  /** Each rank has its first `MAX_LISTED`, in the order of the set. */
  readonly items: readonly Failure[]
  readonly failed: number
  readonly errored: number
  readonly known: number
}

const MAX_LISTED = 200

/** Reads the questions once, in the order of the set. */
export function failuresOf(questions: Iterable<readonly AnsweredTurn[]>, judged: GateDecision): Failures {
  const counts = { failed: 0, errored: 0, known: 0 }
  const items: Record<Rank, Failure[]> = { newly: [], mustPass: [], other: [], tolerated: [], known: [] }
  for (const repeats of questions) {
    const question = repeats[0]?.question
    const standing = standingOfQuestion(repeats, judged)
    if (question === undefined || standing.kind === 'passed' || standing.kind === 'skipped') continue
    const isNew = judged.before?.byId.get(question.id) === 'passed'
    const rank = standing.excuse?.rank ?? (isNew ? 'newly' : question.mustPass ? 'mustPass' : 'other')
    counts[standing.kind] += 1
    if (rank === 'known') counts.known += 1
    if (items[rank].length < MAX_LISTED) items[rank].push({ ...standing, question, rank })
  }
  return { items: RANKS.flatMap((rank) => items[rank]), ...counts }
}

export function standingOfQuestion(
  repeats: readonly AnsweredTurn[],
  { before, isGreen }: GateDecision,
): Standing {
  const failure = worstOf(repeats.map(standingOf), repeats[0]?.tries?.map(standingOf))
  if (failure.kind === 'passed' || failure.kind === 'skipped') return failure
  const question = repeats[0]?.question
  const hasFailedBefore = question !== undefined && before?.byId.get(question.id) === 'failed'
  const isKnown = hasFailedBefore && failure.kind === 'failed' && !question.mustPass
  if (!isKnown && !isGreen) return failure
  const why = isKnown ? `known failure (also in ${before?.baseline})` : 'it fails no gate'
  const rank = isKnown ? 'known' : 'tolerated'
  return { ...failure, excuse: { rank, why: `${why}: ${failure.sentences[0] ?? ''}` } }
}

const WORST_FIRST: readonly Standing['kind'][] = ['failed', 'errored', 'passed', 'skipped']

function worstOf(standings: readonly Standing[], tries = standings): Standing {
  const [worst] = standings.toSorted((a, b) => WORST_FIRST.indexOf(a.kind) - WORST_FIRST.indexOf(b.kind))
  if (worst === undefined) return { kind: 'skipped', why: 'not sent' }
  if (worst.kind !== 'failed' || tries.length === 1) return worst
  const failed = tries.filter(({ kind }) => kind === 'failed').length
  return { ...worst, sentences: [`failed ${failed} of ${tries.length} times`, ...worst.sentences] }
}

/** An answer without its context neither passes nor fails, unless the question must pass. */
function standingOf(turn: AnsweredTurn): Standing {
  const { outcome, contextLost, failures, isTolerated = false } = turn
  if (outcome === undefined) return { kind: 'skipped', why: 'not sent: the run stopped first' }
  if (outcome === 'skipped')
    return { kind: 'skipped', why: 'not sent: an earlier question of its conversation ended in an error' }
  if (isErrorOutcome(outcome))
    return { kind: 'errored', type: outcome, sentences: [describeFailure(turn, outcome)] }
  if (contextLost && turn.question.mustPass) {
    const sentence = 'must pass, but was answered without the context of its conversation'
    return { kind: 'failed', type: 'must_pass', sentences: [sentence] }
  }
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
