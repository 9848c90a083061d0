// Reads question sets for a run; a faulty one is refused whole, with every fault found.
import { formatFault } from '../dataset/fault.ts'
import { readQuestionSets, type QuestionSet } from '../dataset/read.ts'
import { visible } from '../report/visible.ts'
import { plural } from '../report/numbers.ts'
import type { Fault } from '../dataset/fault.ts'
import { UsageError } from './usage-error.ts'

/** Faults printed; more than a screen of them help nobody. */
const MOST_FAULTS = 100

export async function loadQuestionSets(paths: readonly string[]): Promise<QuestionSet> {
  const read = await readQuestionSets(paths)
  if (read.kind === 'faulty') throw new UsageError(describeFaults(read.faults, read.truncated ?? 0))
  return read.set
}

/** Every fault as `file:line: what is wrong, and the mend`, then their number. */
export function describeFaults(faults: readonly Fault[], truncated: number): string {
  const count = faults.length + truncated
  const hidden = count - Math.min(faults.length, MOST_FAULTS)
  return [
    ...faults.slice(0, MOST_FAULTS).map((fault) => visible(formatFault(fault))),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    `${plural(count, 'fault')}; nothing was sent`,
  ].join('\n')
}
