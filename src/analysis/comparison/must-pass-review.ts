// What became of the questions that must pass, and did.
import { forEachInSteps, type Steps } from '../../stats/steps.ts'
import type { MustPassReview } from './judge-comparison.ts'
import type { QuestionPair } from './pair.ts'
import { availabilityOfAll } from './question-kinds.ts'
import type { TurnSummary } from './turn-summary.ts'

/**
 * `failing`: ids in each run of `must_pass` questions that failed what they expect, whenever they were asked. Of a question that
 * the baseline did not answer nobody knows whether it would have passed: nothing is new about it.
 */
export function* mustPassReview(
  pairs: Iterable<QuestionPair<TurnSummary>>,
  failing: { readonly baseline: ReadonlySet<string>; readonly candidate: ReadonlySet<string> },
): Steps<MustPassReview> {
  const review = {
    newlyFailing: [] as string[],
    unanswered: [] as string[],
    notAsked: [] as string[],
  }
  yield* forEachInSteps(pairs, ({ baseline, candidate }) => {
    const [before, after] = [baseline[0], candidate[0]]
    if (before === undefined || after === undefined || !after.mustPass) return
    const hasPassed = !failing.baseline.has(before.id) && baseline.some(isAnswered)
    if (!hasPassed) return
    const now = availabilityOfAll(candidate)
    if (failing.candidate.has(after.id)) review.newlyFailing.push(after.id)
    else if (now === 'notAsked') review.notAsked.push(after.id)
    else if (now !== 'answer') review.unanswered.push(after.id)
  })
  return review
}

const isAnswered = ({ outcome, contextLost }: TurnSummary): boolean => outcome === 'answered' && !contextLost
