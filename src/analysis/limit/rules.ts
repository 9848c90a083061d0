// Tells two rules apart that refuse calls side by side, such as 10 a second and 200 a minute.
import type { LimitCall } from '../../domain/limit.ts'
import { type Fit, fitLimits, unexplainedBy } from './fit.ts'
import { createSequence, type Sequence } from './sequence.ts'

/** A rule, fitted to all calls except those that only another rule refused. */
export interface Rule {
  readonly calls: Sequence
  /** Lowest cost first. */
  readonly fits: readonly Fit[]
}

export interface Rules {
  /** The one that allows the fewest calls a second. */
  readonly slowest: Rule
  /** Allows more calls a second, for a shorter time; undefined if one rule explains the calls as well. */
  readonly faster: Rule | undefined
  /** Share of the replayed calls whose verdict the rules explain. */
  readonly explained: number
}

export function separateRules(calls: readonly LimitCall[]): Rules {
  const single = ruleOf(calls)
  const wrong = wrongOf(single)
  const replayed = single.calls.calls.filter(({ verdict }) => verdict !== 'unknown').length
  const explainedBut = (unexplained: number): number => 1 - unexplained / Math.max(1, replayed)
  const alone = { slowest: single, faster: undefined, explained: explainedBut(wrong.length) }
  if (!wrong.some(isRefused)) return alone
  // The second rule is what the first leaves unexplained; then the first is fitted to what the second leaves.
  const second = ruleOf(single.calls.calls.filter((call) => !isRefused(call) || wrong.includes(call)))
  const left = new Set(wrongOf(second))
  const isSecond = new Set(second.calls.calls.filter((call) => isRefused(call) && !left.has(call)))
  const first = ruleOf(single.calls.calls.filter((call) => !isSecond.has(call)))
  if (costOf(first) + costOf(second) >= costOf(single)) return alone
  const unexplained = new Set([...wrongOf(first), ...[...left].filter((call) => !isRefused(call))]).size
  const [slowest, faster] = rateOf(first) <= rateOf(second) ? [first, second] : [second, first]
  return { slowest, faster, explained: explainedBut(unexplained) }
}

const isRefused = ({ verdict }: LimitCall): boolean => verdict === 'refused'

function ruleOf(some: readonly LimitCall[]): Rule {
  const calls = createSequence(some)
  return { calls, fits: fitLimits(calls) }
}

const wrongOf = ({ calls, fits: [best] }: Rule): LimitCall[] =>
  best === undefined ? calls.calls.filter(isRefused) : unexplainedBy(best, calls)

const costOf = ({ fits: [best] }: Rule): number => best?.cost ?? Infinity
const rateOf = ({ fits: [best] }: Rule): number => best?.perSecond?.value ?? Infinity
