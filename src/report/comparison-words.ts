// What a comparison says in sentences. Labels and values in them are still as they came: the renderer makes them safe.
import type { CandidateComparison, Comparison, ComparisonOptions } from '../domain/comparison/comparison.ts'
import type { CallRange } from '../domain/quota.ts'
import { isUnchanged, type ChangeList } from './comparison-lists.ts'
import { range } from './differences.ts'
import { digits, plural } from '../domain/text.ts'
import { percent } from './numbers.ts'

/** `300 questions in both, 4 added, 1 removed, 2 edited`: what was compared, and what was not. */
export function describeOverlap({ overlap }: CandidateComparison): string {
  const { shared, renamed, edited, baseline, candidate } = overlap
  const [added, removed] = [candidate - shared - edited, baseline - shared - edited]
  return [
    `${plural(shared, 'question')} in both`,
    ...(renamed > 0 ? [`${digits(renamed)} of them under another id`] : []),
    ...(added > 0 ? [`${digits(added)} added`] : []),
    ...(removed > 0 ? [`${digits(removed)} removed`] : []),
    ...(edited > 0 ? [`${digits(edited)} edited`] : []),
  ].join(', ')
}

/** Why there is no headline; undefined where there is one. */
export function describeLowOverlap(
  { overlap: { shared, share, isLow } }: CandidateComparison,
  { minOverlap }: ComparisonOptions,
): string | undefined {
  if (!isLow) return undefined
  const few =
    shared === 0
      ? 'No question is in both runs'
      : `Only ${percent(share)} of the questions are in both runs, fewer than the ${percent(minOverlap)} that a comparison of the whole needs`
  return (
    `${few}: figures of different questions cannot be compared, so no difference is given and every gate fails. ` +
    'Compare runs of the same set, or lower --min-overlap.'
  )
}

function describeAnswers({
  same,
  rephrased,
  factsChanged,
  otherAnswer,
}: CandidateComparison['answers']): string {
  if (same + rephrased + factsChanged + otherAnswer === 0) return 'no pair of answers to compare'
  return [
    `${digits(same)} the same`,
    ...(rephrased > 0 ? [`${digits(rephrased)} reworded with no fact known to have changed`] : []),
    ...(factsChanged > 0 ? [`${digits(factsChanged)} with other facts`] : []),
    ...(otherAnswer > 0 ? [`${digits(otherAnswer)} quite different`] : []),
  ].join(', ')
}

/** What changed in short, or that nothing did; then what stands in no list. */
export function describeChanges(candidate: CandidateComparison, lists: readonly ChangeList[]): string[] {
  const tally = (of: readonly ChangeList[]): string =>
    of.map(({ count, tally: words }) => `${digits(count)} ${words}`).join(', ')
  const [changed, same] = [
    lists.filter(({ tone }) => tone !== 'same'),
    lists.filter(({ tone }) => tone === 'same'),
  ]
  return [
    ...(isUnchanged(lists) ? describeNoChange(candidate) : [`Changed: ${tally(changed)}.`]),
    ...(same.length === 0 ? [] : [`As before: ${tally(same)}.`]),
    ...(isUnchanged(lists)
      ? []
      : [
          `All pairs of answers, one a question, whatever else became of it: ${describeAnswers(candidate.answers)}.`,
        ]),
    ...describeMissing(candidate),
    ...describeLeftOut(candidate.changesLeftOut),
  ]
}

function describeNoChange(candidate: CandidateComparison): string[] {
  // Where no difference is given, nothing must be said of the whole.
  if (candidate.overlap.isLow) return []
  const { answers, overlap, availability, changesLeftOut } = candidate
  const { errorInBoth, notAsked } = availability
  const compared = overlap.shared - new Set([...errorInBoth, ...notAsked]).size
  if (compared <= 0 || changesLeftOut > 0) return ['No change is known of.']
  const which = compared === overlap.shared ? 'have' : 'have answers to'
  return [
    `Nothing changed in the ${plural(compared, 'question')} that both runs ${which}: none was lost or gained by the knowledge base, ` +
      `no verdict changed, and no answer is known to say anything else (${describeAnswers(answers)}).`,
  ]
}

/** No answer can be compared with another. */
function describeMissing({
  availability: { errorInBoth, notAsked, answeredToo },
}: CandidateComparison): string[] {
  const answered = new Set(answeredToo)
  const isSometimes = errorInBoth.some((id) => answered.has(id))
  return [
    ...(errorInBoth.length > 0
      ? [
          `${plural(errorInBoth.length, 'question')} had no answer ${isSometimes ? 'at least once in each run' : 'in either run'}.`,
        ]
      : []),
    ...(notAsked.length > 0
      ? [
          `${plural(notAsked.length, 'question')} ${notAsked.length === 1 ? 'was' : 'were'} not asked in one of the runs, ` +
            `so whether ${notAsked.length === 1 ? 'it' : 'they'} changed is not known.`,
        ]
      : []),
  ]
}

export function describeMonthly({ quota }: CandidateComparison): string | undefined {
  if (quota === null || quota.monthly === null) return undefined
  const { monthly, allowance } = quota
  const { min, max } = monthly
  const asked = 'Asked every night'
  const share = describeMonthlyShare(allowance?.monthlyShare ?? null)
  if (min === 0 && max === 0) return `${asked}, this takes as many calls a month as before`
  if (min >= 0) return `${asked}, this is ${range(min, max, 'call')} a month more${share}`
  if (max <= 0) return `${asked}, this is ${range(-max, -min, 'call')} a month fewer${share}`
  return `${asked}, this is between ${digits(-min)} calls a month fewer and ${digits(max)} more${share}`
}

function describeMonthlyShare(share: CallRange | null): string {
  if (share === null) return ''
  const { min, max } = share
  if (min < 0 && max > 0) return ` (−${percent(-min)} to +${percent(max)} of the quota)`
  const [low, high] = [Math.abs(min), Math.abs(max)].sort((a, b) => a - b).map(percent)
  return low === high ? ` (${high} of the quota)` : ` (${low} to ${high} of the quota)`
}

/** Changed questions beyond those that the comparison lists. */
const describeLeftOut = (count: number): string[] =>
  count === 0
    ? []
    : [`${plural(count, 'more changed question')} may be missing from the lists: see comparison.csv.`]

export function describeRuns({ runs }: Comparison): string {
  const [baseline, ...candidates] = runs.map(({ label }) => label)
  const [first = 'nothing', ...more] = candidates
  const others =
    more.length > 4
      ? `${first}, ${more.slice(0, 2).join(', ')}, ${more.length - 3} more and ${more.at(-1)}`
      : [first, ...more].join(', ')
  return `Compared: ${baseline ?? 'nothing'} (baseline) with ${others}`
}
