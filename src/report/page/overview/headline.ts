// The user's question answered in one sentence: how much came from the knowledge base, what was lost, what waits for a person.
import type { CandidateComparison, Comparison } from '../../../domain/comparison/comparison.ts'
import type { Summary } from '../../../domain/summary.ts'
import { awaitedCount } from '../../reviews.ts'
import type { ListName } from './links.ts'
import { formatDate, percentRange, wholePercent } from './format.ts'
import { WORDS } from './words.ts'

/** A part of the sentence, and the list of conversations that it speaks of. */
export interface Clause {
  readonly text: string
  readonly list?: ListName
}

/** `failed`: questions that were not answered as expected. `comparison`: of this run with its baseline. */
export function runHeadline(
  summary: Summary,
  failed: number,
  comparison: Comparison | undefined,
): readonly Clause[] {
  const { errors, turns } = summary
  const silent = errors.errors + turns.skipped
  const awaited = awaitedCount(summary)
  return [
    coverageClause(summary),
    ...(comparison === undefined ? [] : changeClauses(comparison, comparison.candidates[0])),
    ...some(failed, { text: WORDS.headline.failed(failed), list: 'failed' }),
    ...some(turns.answered === 0 ? 0 : silent, { text: WORDS.headline.errors(silent), list: 'error' }),
    ...some(awaited, { text: WORDS.headline.review(awaited), list: 'review' }),
  ]
}

function coverageClause({ coverage, turns, errors }: Summary): Clause {
  const { headline } = WORDS
  const { rate, grounded, answered, low, high, cluster, few } = coverage
  if (rate === null) {
    if (turns.answered > 0) return { text: headline.withoutContext(turns.answered) }
    return { text: errors.asked === 0 ? headline.nothingAsked : headline.nothingAnswered(errors.asked) }
  }
  // Turns of a thread agree more than others do: over threads the interval is the honest one.
  const range = percentRange(cluster?.low ?? low, cluster?.high ?? high)
  const share = headline.interval(wholePercent(rate), range)
  return { text: `${headline.coverage(grounded, answered)} ${share}${few ? `, ${headline.few}` : ''}` }
}

/** What became of the questions since the baseline. */
export function changeClauses(
  { runs }: Comparison,
  candidate: CandidateComparison | undefined,
): readonly Clause[] {
  if (candidate === undefined) return []
  const { headline } = WORDS
  const since = sinceBaseline(runs, candidate.run)
  if (candidate.overlap.isLow) return [{ text: headline.tooFewShared(since) }]
  const [lost, gained] = [count(candidate.grounding.lost), count(candidate.grounding.gained)]
  const failing = count(candidate.verdicts.passToFail)
  return [
    lost === 0 ? { text: headline.noneLost(since) } : { text: headline.lost(lost, since), list: 'lost' },
    ...some(gained, { text: headline.gained(gained), list: 'gained' }),
    ...some(failing, { text: headline.newlyFailing(failing), list: 'newlyFailing' }),
  ]
}

/** When the baseline was asked, in words; its name where that is not known. */
export function sinceBaseline(runs: Comparison['runs'], candidate: number): string {
  const [baseline, now] = [runs[0], runs[candidate]]
  if (typeof baseline?.startedAt !== 'string') return baseline?.label ?? 'the baseline'
  return formatDate(baseline.startedAt, now?.startedAt ?? '')
}

const count = (ids: readonly string[]): number => new Set(ids).size

const some = (number: number, clause: Clause): readonly Clause[] => (number === 0 ? [] : [clause])
