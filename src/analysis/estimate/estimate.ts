// The whole estimate of a run: calls, words, time, the allowance, and what asking every night adds up to.
import type { Estimate } from '../../domain/estimate.ts'
import type { Quota } from '../../domain/quota.ts'
import { estimateParts } from './calls.ts'
import { groupAlike, type Chain } from './chain.ts'
import { estimateTime, type TimeRules } from './time.ts'
import { estimateQuota, estimateUse, spentOf } from './use.ts'
import type { CallRules } from './worst-case.ts'

export interface Planned {
  /** Every thread once, and not begun. */
  readonly chains: readonly Chain[]
  /** How often all of them are asked. */
  readonly repeat: number
  /** In the order of their numbers. */
  readonly files: readonly { readonly path: string }[]
}

export interface EstimateRules extends CallRules {
  /** `--max-calls`, less what earlier sittings sent; null for no end. */
  readonly callsLeft: number | null
  readonly time: TimeRules
  readonly quota: Quota | null
}

export function estimateRun({ chains, repeat, files }: Planned, rules: EstimateRules): Estimate {
  const { callsLeft, quota } = rules
  const parts = estimateParts(
    chains.map((chain) => groupAlike(chain, repeat)),
    rules,
    callsLeft,
  )
  const { total } = parts
  const spent = spentOf(total.calls)
  return {
    ...total,
    repeat,
    files: files.flatMap(({ path }, file) => {
      const part = parts.files.get(file)
      return part === undefined ? [] : [{ path, ...part, use: estimateUse(part.calls, quota) }]
    }),
    tags: parts.tags,
    time: estimateTime(chains, rules.time, repeat, callsLeft),
    quota: estimateQuota(spent, quota),
    use: estimateUse(spent, quota),
  }
}
