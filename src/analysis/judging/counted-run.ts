// A run as its turns count: figures overall and by tag, and the lists that reports show. Nothing is judged.
import { describeBody, describeError, errorCodeOf, statusOf } from '../../domain/attempt.ts'
import { ratio } from '../../domain/counts.ts'
import { isErrorOutcome } from '../../domain/outcome.ts'
import { areWeighted } from '../../domain/question.ts'
import type { Reviewing } from '../../domain/review.ts'
import type {
  Confirmation,
  Figures,
  RepeatedQuestion,
  Summary,
  SummaryDetails,
} from '../../domain/summary.ts'
import type { AnsweredTurn, Outcomes, PassPolicy, Standing, Turn } from '../../domain/turn.ts'
import type { Manifest } from '../../options/manifest.ts'
import type { Consultation } from '../articles/consult.ts'
import { acceptedIn, quotaFigures } from '../figures/account.ts'
import { createFigures } from '../figures/figures.ts'
import { type Model, threadKey } from '../figures/fold.ts'
import { confirmationOf, isFlaky, passes, type Repeats, summariseRepeats } from '../figures/graded.ts'
import { createGapCollector } from '../gaps/collect.ts'
import { groupGaps } from '../gaps/group.ts'
import { createReviewTally } from '../reviews/book.ts'

/** Only the heaviest gaps are grouped: more would take minutes. */
const MAX_CLUSTERED = 2000
const MAX_BACKGROUND = 5000

interface Beside {
  readonly reviewingOf?: ((turn: AnsweredTurn) => Reviewing) | undefined
  readonly consultation?: Consultation | undefined
}

export type CountedRun = ReturnType<typeof countRun>

/** Walks the questions once, in the order of the set. */
export function countRun(
  questions: Iterable<Repeats>,
  { manifest, model }: { manifest: Manifest; model: Model },
  { reviewingOf, consultation }: Beside = {},
) {
  const { options } = manifest
  const { groundedSources } = options
  const isWeighted = areWeighted(model.questions)
  const counted = createFigures({ ...options, isWeighted })
  const gaps = createGapCollector(groundedSources, MAX_CLUSTERED)
  const standings = createStandings(options.passPolicy)
  const reviews = createReviewTally()
  const flaky: RepeatedQuestion[] = []
  const confirmations: Confirmation[] = []
  const soFar: Turn[] | undefined = model.stop?.kind === 'decided' && model.set !== undefined ? [] : undefined
  let hasMustPass = false
  const threads = new Set<string>()
  for (const repeats of questions) {
    const [first] = repeats
    threads.add(threadKey(first.question))
    counted.add(repeats)
    hasMustPass ||= first.question.mustPass
    // Without the answers: a run may have 100,000.
    soFar?.push(...repeats.map((turn) => ({ ...turn, result: undefined })))
    if (reviewingOf !== undefined) reviews.add(repeats, reviewingOf)
    consultation?.add(repeats)
    gaps.add(repeats)
    standings.add(repeats)
    const folded = summariseRepeats(repeats, groundedSources)
    if (isFlaky(folded)) flaky.push(folded)
    const confirmation = confirmationOf(first, groundedSources)
    if (confirmation !== undefined) confirmations.push(confirmation)
  }
  const consulted = consultation?.finish()
  // Where the journal does not hold the whole set, the manifest knows how many there are.
  const planned = manifest.datasets.reduce((sum, { turns }) => sum + turns, 0) * options.repeat
  const { overall, tags, broken } = counted.finish(model.set === undefined ? planned : model.slots.length)
  // Attempts count even if their turn is lost.
  const figures = { ...overall, quota: quotaFigures(model.usage, options.quota) }
  const { heaviest, count } = gaps.finish()
  // A sample of the set's questions, spread evenly, shows which words are common.
  const step = Math.max(1, Math.ceil(model.questions.length / MAX_BACKGROUND))
  const background = model.questions.flatMap((question, index) =>
    question === undefined || index % step !== 0 ? [] : [question.message],
  )
  return {
    figures: { ...figures, ...consulted?.figures, pacing: pacingOf(model, figures), tags },
    broken,
    hasMustPass,
    soFar,
    consulted,
    standings: standings.all,
    reviews: reviewingOf === undefined ? null : reviews.counts,
    flaky,
    confirmations,
    details: {
      threads: threads.size,
      repeat: options.repeat,
      gaps: { count, items: groupGaps(heaviest, background, consulted?.gapOf, isWeighted) },
      awaited: reviews.awaited,
      doubtful: consulted?.doubtful ?? { count: 0, items: [] },
      articles: consulted?.records ?? null,
    } satisfies SummaryDetails,
  }
}

function pacingOf(model: Model, { quota }: Figures): Summary['pacing'] {
  const policy = model.paceChanges.findLast((change) => change.policy !== undefined)?.policy
  return {
    rate429: ratio(model.rateLimited, quota.attempts),
    rateLimited: model.rateLimited,
    ...(policy !== undefined && { policy }),
    accepted: acceptedIn(model),
    calls: model.calls,
    changes: model.paceChanges.map(({ at, pace }) => ({ at: new Date(at).toISOString(), pace })),
  }
}

/** GitLab rejects a `junit.xml` of 30 MB, and 100,000 cases need 8 MB without any text. */
const MAX_WITH_ANSWERS = 500

/** Call it in the order of the set. */
export function createStandings(policy: PassPolicy) {
  const all: Standing[] = []
  let failing = 0
  return {
    add: (repeats: Repeats): void => {
      // Failed repeats of a question that passes fail nothing, in reports and gates alike.
      const isPassed = passes(policy, repeats) === true
      const outcomes = worstOf(
        repeats.map((turn) => outcomesOf(turn, isPassed)),
        repeats[0].tries?.map((turn) => outcomesOf(turn)),
      )
      const hasFailed = outcomes.kind === 'failed' || outcomes.kind === 'errored'
      if (hasFailed) failing += 1
      const standing = {
        question: repeats[0].question,
        serviceMs: repeats.reduce((sum, { serviceMs = 0 }) => sum + serviceMs, 0),
        turns: hasFailed && failing <= MAX_WITH_ANSWERS ? repeats : undefined,
      }
      // Spreads would give each object a hidden class of its own: three times the memory of 100,000.
      all.push(Object.assign(standing, outcomes))
    },
    all: all as readonly Standing[],
  }
}

const WORST_FIRST: readonly Outcomes['kind'][] = ['failed', 'errored', 'passed', 'skipped']

function worstOf(outcomes: readonly Outcomes[], tries = outcomes): Outcomes {
  const [worst] = outcomes.toSorted((a, b) => WORST_FIRST.indexOf(a.kind) - WORST_FIRST.indexOf(b.kind))
  if (worst === undefined) return { kind: 'skipped', why: 'not sent' }
  if (worst.kind !== 'failed' || tries.length === 1) return worst
  const failed = tries.filter(({ kind }) => kind === 'failed').length
  return { ...worst, unmet: [{ sentence: `failed ${failed} of ${tries.length} times` }, ...worst.unmet] }
}

/** An answer without its context neither passes nor fails, unless the question must pass. */
function outcomesOf(turn: AnsweredTurn, isPassed = false): Outcomes {
  const { outcome, contextLost, failures } = turn
  if (outcome === undefined) return { kind: 'skipped', why: 'not sent: the run stopped first' }
  if (outcome === 'skipped')
    return { kind: 'skipped', why: 'not sent: an earlier question of its conversation ended in an error' }
  if (isErrorOutcome(outcome))
    return { kind: 'errored', type: outcome, unmet: [{ sentence: describeFailure(turn, outcome) }] }
  if (contextLost && turn.question.mustPass) {
    const sentence = 'must pass, but was answered without the context of its conversation'
    return { kind: 'failed', type: 'must_pass', unmet: [{ sentence }] }
  }
  if (contextLost)
    return { kind: 'skipped', why: 'answered, but the endpoint had lost the context of the conversation' }
  const [first] = failures
  if (first === undefined || isPassed) return { kind: 'passed' }
  return { kind: 'failed', type: first.expectation, unmet: failures }
}

function describeFailure({ result }: AnsweredTurn, outcome: string): string {
  const httpStatus = statusOf(result)
  const code = errorCodeOf(result)
  const facts = [httpStatus && `HTTP ${httpStatus}`, code && `code ${code}`].filter(Boolean).join(', ')
  const what = facts === '' ? outcome : `${outcome} (${facts})`
  const message = describeError(result)
  return message === undefined || message === '' ? what : `${what}: ${message}${describeBody(result)}`
}
