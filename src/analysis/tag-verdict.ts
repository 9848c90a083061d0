// Which tags fall short of a coverage asked of them, beyond chance, where many are looked at.
import type { Coverage } from '../domain/summary.ts'
import { binomialLowerTail } from '../stats/binomial.ts'
import { holm } from '../stats/holm.ts'

export interface TagVerdict {
  readonly tag: string
  /**
   * `below`: short of the required rate, beyond chance. `unclear`: short of it, but chance may do that.
   * `kept`: at or above it. `unknown`: no answers.
   */
  readonly verdict: 'below' | 'unclear' | 'kept' | 'unknown'
  /** How often chance alone would leave so few grounded if the rate were kept; by itself, and adjusted. */
  readonly p: number | null
  readonly adjusted: number | null
}

/**
 * One-sided exact binomial test a tag on its effective number of questions (turns of a thread are correlated),
 * adjusted over all tags with answers after Holm 1979: with `level` 0.05, at most one run in twenty names any tag
 * that keeps the rate. `required` is a share above 0, at most 1. In the order given.
 */
export function judgeTags(
  tags: readonly { readonly tag: string; readonly coverage: Coverage }[],
  required: number,
  level = 0.05,
): TagVerdict[] {
  const chances = tags.map(({ coverage }) => chanceOfSoFew(coverage, required))
  const adjustedOfKnown = holm(chances.filter((p) => p !== null)).values()
  return tags.map(({ tag, coverage }, place): TagVerdict => {
    const p = chances[place] ?? null
    if (p === null || coverage.rate === null) return { tag, verdict: 'unknown', p: null, adjusted: null }
    const adjusted = adjustedOfKnown.next().value ?? 1
    const isShort = coverage.rate < required
    return { tag, verdict: !isShort ? 'kept' : adjusted <= level ? 'below' : 'unclear', p, adjusted }
  })
}

function chanceOfSoFew({ rate, effective }: Coverage, required: number): number | null {
  if (rate === null || effective === null) return null
  // A single answer that is not grounded breaks a rate of 100 %.
  if (required >= 1) return rate < 1 ? 0 : 1
  return binomialLowerTail(rate * effective, effective, required)
}
