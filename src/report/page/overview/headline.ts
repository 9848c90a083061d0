// The user's question answered in one sentence: how much came from the knowledge base, what was lost, what waits for a person.
import type { CandidateComparison, Comparison } from '../../../domain/comparison/comparison.ts'
import { digits } from '../../../domain/text.ts'
import type { QuestionCounts, Summary } from '../../../domain/summary.ts'
import { changeLists } from '../../comparison-lists.ts'
import { awaitedCount } from '../../reviews.ts'
import { listAddress, outcomeAddress } from './links.ts'
import { formatDate, percentRange, wholePercent } from './format.ts'
import { WORDS } from './words.ts'

/** A part of the sentence, and where in the page that of which it speaks is shown. */
export interface Clause {
  readonly text: string
  readonly to?: string
}

/** Whatever a part leads to holds as many questions as it says. `comparison`: of this run with its baseline. */
export function runHeadline(
  summary: Summary,
  counts: QuestionCounts,
  comparison: Comparison | undefined,
): readonly Clause[] {
  const { failed, forgiven, errors, skipped, notAsked, repeats } = counts
  const { headline } = WORDS
  const isRepeated = repeats > 1
  const awaited = awaitedCount(summary)
  return [
    coverageClause(summary, counts),
    ...(comparison === undefined ? [] : changeClauses(comparison, comparison.candidates[0])),
    ...some(failed, { text: headline.failed(failed, forgiven, isRepeated), to: listAddress('failed') }),
    ...some(errors, { text: headline.errors(errors, isRepeated), to: listAddress('error') }),
    ...some(skipped, { text: headline.skipped(skipped), to: outcomeAddress('skipped') }),
    ...some(notAsked, { text: headline.notAsked(notAsked), to: outcomeAddress('none') }),
    ...some(awaited, { text: headline.review(awaited), to: listAddress('review') }),
  ]
}

function coverageClause({ coverage, turns, errors }: Summary, { questions: all }: QuestionCounts): Clause {
  const { headline } = WORDS
  const { rate, grounded, answered, questions, low, high, cluster, few } = coverage
  if (rate === null) {
    if (turns.answered > 0) return { text: headline.withoutContext(turns.answered) }
    return { text: errors.asked === 0 ? headline.nothingAsked : headline.nothingAnswered(all) }
  }
  // Turns of a thread agree more than others do: over threads the interval is the honest one.
  const range = percentRange(cluster?.low ?? low, cluster?.high ?? high)
  const share = headline.interval(wholePercent(rate), range)
  return {
    text: `${headline.coverage(grounded, answered, questions)} ${share}${few ? `, ${headline.few}` : ''}`,
  }
}

/** What became of the questions since the baseline. */
export function changeClauses(
  { runs }: Comparison,
  candidate: CandidateComparison | undefined,
): readonly Clause[] {
  if (candidate === undefined) return []
  const since = sinceBaseline(runs, candidate.run)
  if (candidate.overlap.isLow) return [{ text: WORDS.headline.tooFewShared(since) }]
  const changed = changeLists(candidate).filter(({ tone }) => tone !== 'same')
  if (changed.length === 0) return [{ text: `nothing changed since ${since}` }]
  return changed.map(({ name, label, count }, place) => ({
    text: `${place === 0 ? `since ${since} ` : ''}${digits(count)} ${label}`,
    // The list of conversations has those that had no context before, too.
    to: name === 'contextLost' ? '#overview-changes-contextLost' : listAddress(name),
  }))
}

/** When the baseline was asked, in words; its name where that is not known. */
export function sinceBaseline(runs: Comparison['runs'], candidate: number): string {
  const [baseline, now] = [runs[0], runs[candidate]]
  if (typeof baseline?.startedAt !== 'string') return baseline?.label ?? 'the baseline'
  return formatDate(baseline.startedAt, now?.startedAt ?? '')
}

const some = (number: number, clause: Clause): readonly Clause[] => (number === 0 ? [] : [clause])
