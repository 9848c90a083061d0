// `estimate`: what a run is going to cost, before its first call and without a key.
import { renderEstimate } from '../../report/estimate.ts'
import { visible } from '../../report/visible.ts'
import { planEstimates, type TargetEstimate } from '../estimating/plan.ts'
import { EXIT } from '../exit-codes.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { paint, printForPrograms, say } from '../output.ts'
import { VERSION } from '../version.ts'

/** What `--json` prints; an array of them with several targets. */
interface PrintedEstimate extends TargetEstimate {
  readonly formatVersion: 1
  readonly harnessVersion: string
}

/** Returns the exit code. Throws UsageError where a run of the same words would. */
export async function estimate(datasets: readonly string[], typed: RunSettings): Promise<number> {
  const { estimates, isJson, warnings } = await planEstimates(datasets, typed)
  for (const warning of warnings) say(`Note: ${visible(warning)}`)
  for (const one of estimates) {
    if (estimates.length > 1) say(`\n${paint('bold', `── ${one.target ?? ''} ──`)}`)
    say(renderEstimate(one))
  }
  const printed = estimates.map((one): PrintedEstimate => ({
    formatVersion: 1,
    harnessVersion: VERSION,
    ...one,
  }))
  if (isJson) await printForPrograms(JSON.stringify(printed.length > 1 ? printed : printed[0], null, 2))
  return EXIT.ok
}
