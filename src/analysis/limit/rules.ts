// Tells two rules apart that refuse calls side by side, such as 10 a second and 200 a minute.
import type { LimitCall } from '../../domain/limit.ts'
import { type Fit, fitLimits, unexplainedBy } from './fit.ts'
import { createSequence, type Sequence } from './sequence.ts'

/** A rule, fitted to all calls except those that only another rule refused. */
export interface FittedRule {
  readonly sequence: Sequence
  /** The lowest cost comes first. */
  readonly fits: readonly Fit[]
}

export interface FittedRules {
  readonly slowest: FittedRule
  /** Allows more calls a second, for a shorter time; undefined if one rule explains the calls as well. */
  readonly faster: FittedRule | undefined
  /** Share of the replayed calls whose verdict the rules explain. */
  readonly explained: number
}

/**
 * Fits one rule to all calls. Where it does not explain all refusals, a second rule is fitted to those that
 * are left, and the first again to what the second leaves. The two hold if they cost less together than the
 * one alone.
 */
export function separateRules(calls: readonly LimitCall[]): FittedRules {
  const single = fitRule(calls)
  const replayed = single.sequence.calls
  const judged = Math.max(1, replayed.filter(({ verdict }) => verdict !== 'unknown').length)
  const unexplained = unexplainedOf(single)
  const alone = { slowest: single, faster: undefined, explained: 1 - unexplained.size / judged }
  if (![...unexplained].some(isRefused)) return alone

  const second = fitRule(replayed.filter((call) => !isRefused(call) || unexplained.has(call)))
  const unexplainedBySecond = unexplainedOf(second)
  const refusedBySecond = new Set(
    second.sequence.calls.filter((call) => isRefused(call) && !unexplainedBySecond.has(call)),
  )
  const first = fitRule(replayed.filter((call) => !refusedBySecond.has(call)))
  if (costOf(first) + costOf(second) >= costOf(single)) return alone

  // The first rule was fitted to the refusals that the second leaves, but both must accept what was accepted.
  const wrong = unexplainedOf(first)
  for (const call of unexplainedBySecond) if (!isRefused(call)) wrong.add(call)
  const [slowest, faster] = rateOf(first) <= rateOf(second) ? [first, second] : [second, first]
  return { slowest, faster, explained: 1 - wrong.size / judged }
}

const isRefused = ({ verdict }: LimitCall): boolean => verdict === 'refused'

function fitRule(calls: readonly LimitCall[]): FittedRule {
  const sequence = createSequence(calls)
  return { sequence, fits: fitLimits(sequence) }
}

const unexplainedOf = ({ sequence, fits: [best] }: FittedRule): Set<LimitCall> =>
  new Set(best === undefined ? sequence.calls.filter(isRefused) : unexplainedBy(best, sequence))

const costOf = ({ fits: [best] }: FittedRule): number => best?.cost ?? Infinity
const rateOf = ({ fits: [best] }: FittedRule): number => best?.perSecond?.value ?? Infinity
