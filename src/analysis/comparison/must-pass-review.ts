// What became of the questions that must pass, and did.
import type { MustPassReview } from './judge-comparison.ts'
import type { QuestionPair } from './pair.ts'
import { availabilityOfAll } from './question-kinds.ts'
import type { TurnSummary } from './turn-summary.ts'

/**
 * `failing`: ids in each run of `must_pass` questions that failed what they expect, whenever they were asked. Of a question that
 * the baseline did not answer nobody knows whether it would have passed: nothing is new about it.
 */
export function mustPassReview(
  pairs: Iterable<QuestionPair<TurnSummary>>,
  failing: { readonly baseline: ReadonlySet<string>; readonly candidate: ReadonlySet<string> },
): MustPassReview {
  const review = {
    newlyFailing: [] as string[],
    unanswered: [] as string[],
    notAsked: [] as string[],
  }
  for (const { baseline, candidate } of pairs) {
    const [before, after] = [baseline[0], candidate[0]]
    if (before === undefined || after === undefined || !after.mustPass) continue
    const hasPassed = !failing.baseline.has(before.id) && baseline.some(isAnswered)
    if (!hasPassed) continue
    const now = availabilityOfAll(candidate)
    if (failing.candidate.has(after.id)) review.newlyFailing.push(after.id)
    else if (now === 'notAsked') review.notAsked.push(after.id)
    else if (now !== 'answer') review.unanswered.push(after.id)
  }
  return review
}

const isAnswered = ({ outcome, contextLost }: TurnSummary): boolean => outcome === 'answered' && !contextLost
