// Tells two rules apart that refuse calls side by side, such as 10 a second and 200 a minute.
import type { LimitCall } from '../../domain/limit.ts'
import { fitRules, unexplainedBy } from './fit.ts'
import { createSequence } from './sequence.ts'

/**
 * Fits one rule to all calls. Where it does not explain all refusals, a second rule is fitted to those that
 * are left, and the first again to what the second leaves. The two hold if they cost less together than the
 * one alone. The faster one allows more calls a second, for a shorter time.
 */
export function separateRules(calls: readonly LimitCall[]) {
  const single = fitCalls(calls)
  const replayed = single.sequence.calls
  const alone = { slowest: single, faster: undefined, isExplained: single.unexplained.size === 0 }
  if (![...single.unexplained].some(isRefused)) return alone

  const second = fitCalls(replayed.filter((call) => !isRefused(call) || single.unexplained.has(call)))
  const refusedBySecond = new Set(
    second.sequence.calls.filter((call) => isRefused(call) && !second.unexplained.has(call)),
  )
  const first = fitCalls(replayed.filter((call) => !refusedBySecond.has(call)))
  if (costOf(first) + costOf(second) >= costOf(single)) return alone

  // The first rule was fitted to the refusals that the second leaves, but both must accept what was accepted.
  const isExplained = first.unexplained.size === 0 && [...second.unexplained].every(isRefused)
  const [slowest, faster] = rateOf(first) <= rateOf(second) ? [first, second] : [second, first]
  return { slowest, faster, isExplained }
}

const isRefused = ({ verdict }: LimitCall): boolean => verdict === 'refused'

function fitCalls(calls: readonly LimitCall[]) {
  const sequence = createSequence(calls)
  const rules = fitRules(sequence)
  const [rule] = rules
  const unexplained = rule === undefined ? sequence.calls.filter(isRefused) : unexplainedBy(rule, sequence)
  return { sequence, rules, rule, unexplained: new Set(unexplained) }
}

type Fitted = ReturnType<typeof fitCalls>
const costOf = ({ rule }: Fitted): number => rule?.cost ?? Infinity
const rateOf = ({ rule }: Fitted): number => rule?.perSecond ?? Infinity
