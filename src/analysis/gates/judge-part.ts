// The gates of a part of a run: what fails the whole wherever it stands; figures of the whole are left to `merge`.
import type { GateOutcome, MustPassResult } from '../../domain/gate.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { describePart, type PartResult, type Shard } from '../../domain/shard.ts'
import type { Summary } from '../../domain/summary.ts'
import type { Verdict } from '../verdict.ts'
import type { Gated } from './evaluate.ts'
import type { Threshold } from './expression.ts'
import { judgeTurns } from './judge-gates.ts'

/** The gates that can fail the run already; with a baseline failed expectations are judged by the comparison. */
export function judgePart(
  thresholds: readonly Threshold[],
  { baseline }: Pick<Manifest['options'], 'baseline'>,
  figures: Pick<Gated, 'errors' | 'expectations'>,
  mustPass: readonly MustPassResult[],
): GateOutcome[] {
  const gates = judgeTurns(thresholds, figures, mustPass)
  return gates.filter(({ name }) => baseline === null || name !== 'expectations')
}

/** What is not judged of the part, in the words of the command line. */
export function partResult(
  { index, of }: Pick<Shard, 'index' | 'of'>,
  { threshold, baseline }: Pick<Manifest['options'], 'threshold' | 'baseline'>,
): PartResult {
  return {
    index,
    of,
    judgedByMerge: [
      ...threshold.map((expression) => `--threshold ${expression}`),
      ...(baseline === null ? [] : [`--baseline ${baseline.split('/').at(-1)}`]),
    ],
  }
}

/**
 * A part never passes: it fails the run, or leaves the verdict to `merge`. Ends with 0, so that the other parts are asked.
 * `questions`: of this part.
 */
export function verdictOfPart(
  { verdict, exitCode, reason }: Verdict,
  { judgedByMerge, ...part }: PartResult,
  questions: number,
): Pick<Summary, 'verdict' | 'exitCode' | 'reason'> {
  const name = describePart(part)
  const left = `${judgedByMerge.join(', ')} ${judgedByMerge.length === 1 ? 'is' : 'are'} not judged on a part, but by merge`
  if (verdict !== 'passed')
    return { verdict, exitCode, reason: `${name}: ${reason}${judgedByMerge.length === 0 ? '' : `; ${left}`}` }
  const found = questions === 0 ? `${name} has no question` : `${name}: nothing in it fails the run`
  return {
    verdict: 'part',
    exitCode,
    reason: `${found}; ${judgedByMerge.length === 0 ? 'the whole is judged by merge' : left}`,
  }
}
