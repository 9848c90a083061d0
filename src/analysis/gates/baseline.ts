// How the comparison with a baseline judges the run: its rules are gates, and what failed there already fails none.
import type { ComparisonRow, GateResult } from '../../domain/comparison.ts'
import { message } from '../../domain/messages.ts'
import type { Stop } from '../../domain/stop.ts'
import type { Summary } from '../../domain/summary.ts'
import type { PassPolicy } from '../../domain/turn.ts'
import { meetsPolicy } from '../repeats.ts'
import { joinReasons, judge } from '../verdict.ts'
import { expectationsGate, reasonsOf } from './judge.ts'

/** Expectations that already failed in the baseline fail no gate. `compared`: undefined if the baseline cannot be read. */
export function withBaselineGates(
  summary: Summary,
  stop: Stop | undefined,
  result: NonNullable<Summary['comparison']>,
  compared?: Outcomes & { readonly rules: readonly GateResult[] },
): Summary {
  const own = summary.gates.map((gate) =>
    compared !== undefined && gate.name === 'expectations' && !gate.passed
      ? expectationsGate(compared.failing.anew)
      : gate,
  )
  const failed = message('baseline-failed', { baseline: result.baseline, reason: result.reason })
  const hasFailed = result.verdict === 'failed'
  const { verdict, exitCode, reasons } = judge(stop, summary, [
    ...reasonsOf(own),
    ...(hasFailed ? [failed] : []),
  ])
  const rules = compared?.rules ?? []
  const gates = [
    ...own,
    ...rules.map(({ rule, passed, reason }) => ({ name: `baseline ${rule}`, passed, reason })),
    ...(hasFailed && rules.every(({ passed }) => passed)
      ? [{ name: 'baseline', passed: false, reason: failed }]
      : []),
  ]
  // Not among the reasons of a run that fails for others.
  const hasKnown = compared !== undefined && compared.failing.known > 0 && exitCode === 0
  const known = hasKnown
    ? [message('known-failures', { ...compared.failing, baseline: result.baseline })]
    : []
  const all = [...reasons, ...known]
  return { ...summary, verdict, exitCode, reason: joinReasons(all), reasons: all, gates, comparison: result }
}

/** How each question of the run did in the baseline, by its id; and how many fail now, by whether they failed there. */
interface Outcomes {
  readonly before: ReadonlyMap<string, 'failed' | 'passed'>
  readonly failing: { readonly known: number; readonly anew: number }
}

export function outcomesOf(rows: readonly ComparisonRow[], policy: PassPolicy): Outcomes {
  const fails = (side: ComparisonRow['candidate']): boolean =>
    side !== null && side.passRate !== null && !meetsPolicy(policy, side.passRate, 1 - side.passRate)
  const before = rows.flatMap(({ id, baseline, candidate }) =>
    candidate === null || baseline?.outcome !== 'answered'
      ? []
      : [[id, fails(baseline) ? 'failed' : 'passed'] as const],
  )
  const failing = rows.filter(({ candidate }) => fails(candidate))
  const known = failing.filter(({ baseline, mustPass }) => fails(baseline) && !mustPass).length
  return { before: new Map(before), failing: { known, anew: failing.length - known } }
}
