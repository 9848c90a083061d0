// A run as its turns count: figures overall and by tag, and the lists that reports show. Nothing is judged.
import type { Manifest } from '../../options/manifest.ts'
import type {
  Confirmation,
  Figures,
  RepeatedQuestion,
  Summary,
  SummaryDetails,
} from '../../domain/summary.ts'
import { areWeighted } from '../../domain/question.ts'
import type { Reviewing } from '../../domain/review.ts'
import type { AnsweredTurn, Turn } from '../../domain/turn.ts'
import { isFlaky, type Repeats, summariseRepeats } from '../figures/repeats.ts'
import { confirmationOf } from '../figures/confirm.ts'
import { createFigures } from '../figures/figures.ts'
import type { Consultation } from '../articles/consult.ts'
import type { Model } from '../figures/fold.ts'
import { threadKey } from '../figures/questions.ts'
import { createGapCollector } from '../gaps/collect.ts'
import { groupGaps, type GapOf } from '../gaps/group.ts'
import { acceptedIn, quotaFigures } from '../figures/account.ts'
import { ratio } from '../figures/turns.ts'
import { createReviewTally } from '../reviews/book.ts'
import { createStandings } from './standings.ts'

/** Only the heaviest gaps are grouped: more would take minutes. */
const MAX_CLUSTERED = 2000
const MAX_BACKGROUND = 5000

interface CountOptions {
  readonly reviewingOf?: ((turn: AnsweredTurn) => Reviewing) | undefined
  readonly consultation?: Consultation | undefined
  readonly lists?: boolean
}

export type CountedRun = ReturnType<typeof countRun>

export function countRun(
  questions: Iterable<Repeats>,
  { manifest, model }: { manifest: Manifest; model: Model },
  { reviewingOf, consultation, lists = true }: CountOptions = {},
) {
  const { options } = manifest
  const isWeighted = areWeighted(model.questions)
  const counted = createFigures({ ...options, isWeighted })
  const listed = createLists(options.groundedSources)
  const reviews = createReviewTally()
  const soFar: Turn[] | undefined = model.stop?.kind === 'decided' && model.set !== undefined ? [] : undefined
  let hasMustPass = false
  const threads = new Set<string>()
  for (const repeats of questions) {
    const { question } = repeats[0]
    for (const { repeat } of repeats) threads.add(`${threadKey(question)} ${repeat}`)
    counted.add(repeats)
    hasMustPass ||= question.mustPass
    // Without the answers: a run may have 100,000.
    soFar?.push(...repeats.map((turn) => ({ ...turn, result: undefined })))
    if (reviewingOf !== undefined) reviews.add(repeats, reviewingOf)
    consultation?.add(repeats)
    if (lists) listed.add(repeats)
  }
  const consulted = consultation?.finish()
  // Where the journal does not hold the whole set, the manifest knows how many there are.
  const planned = manifest.datasets.reduce((sum, { turns }) => sum + turns, 0) * options.repeat
  const { overall, tags, broken } = counted.finish(model.set === undefined ? planned : model.slots.length)
  const { gaps, unsteady, standings } = listed.finish(model.questions, consulted?.gapOf, isWeighted)
  // Attempts count even if their turn is lost.
  const figures = { ...overall, quota: quotaFigures(model.usage, options.quota) }
  return {
    figures: { ...figures, ...consulted?.figures, pacing: pacingOf(model, figures), tags },
    broken,
    hasMustPass,
    soFar,
    consulted,
    standings,
    reviews: reviewingOf === undefined ? null : reviews.counts,
    unsteady,
    details: {
      threads: threads.size,
      gaps,
      awaited: reviews.awaited,
      doubtful: consulted?.doubtful ?? { count: 0, items: [] },
      articles: consulted?.records ?? null,
    } satisfies SummaryDetails,
  }
}

function createLists(groundedSources: readonly string[]) {
  const gaps = createGapCollector(groundedSources, MAX_CLUSTERED)
  const standings = createStandings()
  const flaky: RepeatedQuestion[] = []
  const confirmations: Confirmation[] = []
  return {
    add: (repeats: Repeats): void => {
      gaps.add(repeats)
      standings.add(repeats)
      const folded = summariseRepeats(repeats, groundedSources)
      if (isFlaky(folded)) flaky.push(folded)
      const confirmation = confirmationOf(repeats[0], groundedSources)
      if (confirmation !== undefined) confirmations.push(confirmation)
    },
    /** A sample of the set's questions, spread evenly, shows which words are common. */
    finish: (questions: Model['questions'], gapOf: GapOf | undefined, isWeighted: boolean) => {
      const { heaviest, count } = gaps.finish()
      const step = Math.max(1, Math.ceil(questions.length / MAX_BACKGROUND))
      const background = questions.flatMap((question, index) =>
        question === undefined || index % step !== 0 ? [] : [question.message],
      )
      const clusters = groupGaps(heaviest, background, gapOf, isWeighted)
      const unsteady = { flaky, ...(confirmations.length > 0 && { confirmations }) }
      return { gaps: { count, items: clusters }, unsteady, standings: standings.all }
    },
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
