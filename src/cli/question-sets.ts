// Reads question sets for a run; a faulty one is refused whole, with every fault found.
import { existsSync, realpathSync } from 'node:fs'
import { readQuestionSets, type QuestionSet } from '../dataset/read.ts'
import { visible } from '../report/visible.ts'
import { digits, plural } from '../domain/digits.ts'
import { formatFault, type Fault } from '../dataset/remarks.ts'
import type { RunSettings } from '../library/read-options.ts'
import { keepHeapLean } from './lean-heap.ts'
import { UsageError } from '../library/usage-error.ts'

/** Faults printed; more than a screen of them help nobody. */
const MOST_FAULTS = 100

export async function loadQuestionSets(
  paths: readonly string[],
  settings: RunSettings,
): Promise<QuestionSet> {
  keepHeapLean(paths)
  const read = await readQuestionSets(paths, { format: settings.format })
  if (read.kind === 'faulty') throw new UsageError(describeFaults(read.faults, read.truncated))
  return read.set
}

/** No set at all, or one named twice. Asking a file twice is what --repeat is for; by accident it costs twice. */
export function refuseTwice(paths: readonly string[]): void {
  if (paths.length === 0) throw new UsageError('a question set is missing: name one or more CSV files')
  const whole = paths.map((path) => (existsSync(path) ? realpathSync(path) : path))
  const twice = paths.find((_, place) => whole.indexOf(whole[place] ?? '') < place)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each file once`)
}

/** Every fault as `file:line: what is wrong, and the mend`, then their number, and that nothing was done. */
export function describeFaults(
  faults: readonly Fault[],
  truncated: number,
  undone: 'sent' | 'written' = 'sent',
): string {
  const count = faults.length + truncated
  const hidden = count - Math.min(faults.length, MOST_FAULTS)
  return [
    ...faults.slice(0, MOST_FAULTS).map((fault) => visible(formatFault(fault))),
    ...(hidden > 0 ? [`and ${digits(hidden)} more`] : []),
    `${plural(count, 'fault')}; nothing was ${undone}`,
  ].join('\n')
}
