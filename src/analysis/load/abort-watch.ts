// `--abort-on`: ends a load test as soon as a threshold is broken, once enough is known to say so.
import type { LoadFigures } from '../../domain/load/load-report.ts'
import { evaluate } from '../gates/evaluate.ts'
import type { Relation, Threshold } from '../gates/expression.ts'

const EVERY_MS = 1000
/** Turns that ended, or threads due, before a share, a rate or a time is believed. */
const FEWEST = 20
/** A rate over less time than this is chance. */
const SHORTEST_MS = 5000

export interface AbortWatch {
  /**
   * Looks at the figures once a second at most, and not in the warm-up, which they leave out; `at`: milliseconds since
   * the epoch. What is broken, and how; undefined for nothing.
   */
  look(at: number): { readonly expression: string; readonly reason: string } | undefined
}

/** Figures of which more is better, and which do not begin at 0. */
const MORE_IS_BETTER = new Set(['coverage', 'achieved', 'offered'])

/**
 * The relations of a threshold that can hold while a test goes on and be broken by what comes: a bound from above, and one
 * from below for a share or rate of which more is better. `errors>10%` would be broken from the start.
 */
export function relationsThatAbort({ metric }: Threshold): readonly Relation[] {
  return metric.unit !== 'count' && MORE_IS_BETTER.has(metric.path[0] ?? '') ? ['>=', '>'] : ['<=', '<']
}

/** `figures`: the gatherer's, as they are at that moment: the same that gate the test at its end. */
export function createAbortWatch(
  thresholds: readonly Threshold[],
  { figures }: { readonly figures: (isWhole: boolean) => LoadFigures },
): AbortWatch {
  const needsIntervals = thresholds.some(
    ({ metric: { path } }) => path[0] === 'coverage' && path[1] !== 'rate',
  )
  let [first, last] = [Number.NaN, Number.NEGATIVE_INFINITY]
  return {
    look: (at) => {
      if (Number.isNaN(first)) first = at
      if (thresholds.length === 0 || at - last < EVERY_MS) return undefined
      last = at
      const now = figures(needsIntervals)
      for (const threshold of thresholds) {
        if (!isKnown(threshold, now, at - first)) continue
        const { passed, value, reason, expression } = evaluate(threshold, now)
        if (!passed && value !== null) return { expression, reason }
      }
      return undefined
    },
  }
}

function isKnown({ metric }: Threshold, figures: LoadFigures, elapsedMs: number): boolean {
  switch (metric.unit) {
    case 'count':
      return true
    case 'perSecond':
      return figures.offered.threads >= FEWEST && elapsedMs >= SHORTEST_MS
    case 'milliseconds': {
      const part: unknown = figures[metric.path[0] as keyof LoadFigures]
      return typeof part === 'object' && part !== null && 'count' in part && Number(part.count) >= FEWEST
    }
    case 'share':
      return metric.path[0] === 'dropped'
        ? figures.offered.threads >= FEWEST
        : figures.turns.total - figures.turns.notAsked >= FEWEST
  }
}
