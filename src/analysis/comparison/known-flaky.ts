// Questions whose repeats in the baseline differ: what is to be expected of them is a share, not a yes or no.
import type { QuestionPair } from './pair.ts'
import { countedRepeats, groundingValue, verdictValue } from './question-values.ts'
import type { TurnSummary } from './turn-summary.ts'

/** The share of a question's repeats that were grounded, or passed; undefined where the question is not flaky. */
export interface KnownFlaky {
  readonly grounding: (id: string) => number | undefined
  readonly verdict: (id: string) => number | undefined
}

/** The candidate gives the questions their ids. */
export function knownFlaky(paired: Iterable<QuestionPair<TurnSummary>>): KnownFlaky {
  const [grounding, verdict] = [new Map<string, number>(), new Map<string, number>()]
  for (const { baseline, candidate } of paired) {
    const id = candidate[0]?.id ?? ''
    for (const [shares, valueOf] of [
      [grounding, groundingValue],
      [verdict, verdictValue],
    ] as const) {
      const { yes, asked } = countedRepeats(baseline, valueOf)
      if (yes > 0 && yes < asked) shares.set(id, yes / asked)
    }
  }
  return { grounding: (id) => grounding.get(id), verdict: (id) => verdict.get(id) }
}
