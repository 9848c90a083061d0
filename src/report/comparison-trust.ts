// How far the figures of a comparison can be trusted: what they are over, what counts as noise, what the gate could see.
import type { GateRule } from '../domain/comparison/rules.ts'
import type { CandidateComparison, Comparison, FamilyReview } from '../domain/comparison/comparison.ts'
import { plural } from '../domain/text.ts'
import { percent } from './numbers.ts'

/** How many questions each figure is over: fewer than are in both runs, where answers are missing. */
export function describeBase({ grounding, verdicts, availability, latency }: CandidateComparison): string {
  const over = ({ questions, threads }: { questions: number; threads: number }): string =>
    `${plural(questions, 'question')} in ${plural(threads, 'thread')}`
  return [
    `Coverage is over ${over(grounding)}`,
    ...(verdicts.questions === 0 ? [] : [`passed over ${over(verdicts)}`]),
    `answered over ${over(availability)}`,
    `latency and waiting over ${plural(latency.turns, 'turn')} answered in both runs`,
  ].join(', ')
}

/** Undefined where no difference is given that could be noise. */
export function describeLevel({ candidates, options: { alpha } }: Comparison): string | undefined {
  if (candidates.every(({ overlap }) => overlap.isLow)) return undefined
  return (
    `More than noise: chance alone makes such a difference in less than ${percent(alpha)} of cases. ` +
    `The gates share these ${percent(alpha)} among them, so each of them is stricter.`
  )
}

/** What the gate could have seen: a passed gate says little where that is not much. Nothing of what it did not judge, or failed. */
export function describeSensitivity({ grounding, verdicts, gates }: CandidateComparison): string[] {
  const isGated = (rule: GateRule): boolean => gates.some((gate) => gate.rule === rule && gate.passed)
  return [
    ...(isGated('grounding') ? sentenceOf(grounding, 'of coverage') : []),
    ...(isGated('verdicts') ? sentenceOf(verdicts, 'of passed questions') : []),
  ]
}

function sentenceOf({ sensitivity, threads }: FamilyReview, what: string): string[] {
  if (sensitivity === null)
    return threads === 1 ? [`The gate could not have seen any drop ${what}: one thread is too few`] : []
  const { drop, pairs } = sensitivity
  return [
    drop === null
      ? `The gate could not have seen any drop ${what}: the questions are worth only ${Math.round(pairs)} independent ones`
      : `The gate would have seen a drop ${what} of ${(drop * 100).toFixed(1)} points or more (in 4 of 5 cases)`,
  ]
}
