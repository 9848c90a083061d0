// Infers the organization's rate limit from the calls of a search, and what they do not show yet.
import {
  isFoundLimit,
  limitOf,
  type LimitCall,
  type LimitFinding,
  type LimitRule,
} from '../../domain/limit.ts'
import { ROUND_WINDOWS_MS } from './fit.ts'
import { doubtOf, isMet, keptMs, neededMs, timesMet } from './known.ts'
import { separateRules } from './rules.ts'

export type Inferred = ReturnType<typeof inferLimit>

/** The tolerance alone would explain refusals of calls at the limit's own rate. */
const MIN_FIRM = 0.5

/** Takes 0.1 to 3 seconds for `MAX_CALLS` calls. `announced` are the rules that headers name. */
export function inferLimit(calls: readonly LimitCall[], announced: readonly LimitRule[]) {
  const { slowest, faster, isExplained } = separateRules(calls)
  const { rule, sequence } = slowest
  const { at } = sequence.accepted
  const spanMs = (at.at(-1) ?? 0) - (at[0] ?? 0)
  const evidence = {
    calls: calls.filter(({ verdict }) => verdict !== 'unknown').length,
    refused: calls.filter(({ verdict }) => verdict === 'refused').length,
    timesMet: timesMet(sequence),
    acceptedPerSecond: spanMs > 0 ? ((at.length - 1) * 1000) / spanMs : null,
  }
  const needed = neededMs(rule, announced)
  const isClear = rule !== undefined && isExplained && isMet(sequence) && rule.firm >= MIN_FIRM
  const doubt = isClear ? doubtOf(rule, slowest.rules, sequence, needed) : ({ kind: 'limit' } as const)
  const ruledOutMs = isClear ? Math.min(keptMs(rule, sequence), doubt ? needed - 1 : Infinity) : 0
  let finding: LimitFinding
  if (evidence.refused === 0) finding = { kind: 'none-met', ...evidence }
  else if (!isClear)
    finding = { kind: 'unknown', code: isMet(sequence) ? 'unclear' : 'hardly-met', ...evidence }
  else if (doubt?.kind === 'above') finding = { kind: 'unknown', code: 'untried', ...evidence }
  else finding = { ...limitOf(rule), ...evidence }
  return {
    finding,
    /** Allows more calls a second than `finding`, for a shorter time. */
    faster: isFoundLimit(finding) && faster?.rule ? { ...limitOf(faster.rule), ...evidence } : null,
    secondRule: {
      ruledOutToMs: ROUND_WINDOWS_MS.findLast((ms) => ms >= 1000 && ms <= ruledOutMs) ?? null,
      neededMs: needed,
      announced: [...announced],
    },
    /** The limit is known if it is undefined. */
    doubt,
    /** Explains the calls best, however uncertain; undefined if no limit was met. */
    rule,
    /** Calls must keep to this rule, so that only `rule` refuses them. */
    keepTo: faster?.rule,
  }
}
