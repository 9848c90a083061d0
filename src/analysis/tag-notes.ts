// A word on the tags that fall short of the coverage that a threshold asks for.
import type { Coverage, Summary } from '../domain/summary.ts'
import { binomialLowerTail } from '../stats/distributions.ts'
import { holm } from '../stats/paired-tests.ts'
import type { Threshold } from './gates/expression.ts'

const MOST_NAMED = 10

/** Of many tags some fall short by chance: only those are named that do so beyond it (Holm over all tags). */
export function noteTags(thresholds: readonly Threshold[], tags: Summary['tags']): string[] {
  const asked = thresholds.find(
    ({ metric, tag, relation, limit }) =>
      metric.path.join('.') === 'coverage.rate' && tag === undefined && relation.startsWith('>') && limit > 0,
  )
  if (asked === undefined || asked.limit > 1) return []
  const verdicts = judgeTags(
    Object.entries(tags).map(([tag, { coverage }]) => ({ tag, coverage })),
    asked.limit,
  )
  const below = verdicts.filter(({ verdict }) => verdict === 'below').map(({ tag }) => tag)
  if (below.length === 0) return []
  const named = below.slice(0, MOST_NAMED).join(', ')
  const more = below.length > MOST_NAMED ? ` and ${below.length - MOST_NAMED} more` : ''
  return [
    `below a coverage of ${Number((asked.limit * 100).toFixed(2))} % beyond chance (Holm over ${verdicts.length} tags): ${named}${more}`,
  ]
}

interface TagVerdict {
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
