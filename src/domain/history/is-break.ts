// Where the figures of a series are not to be joined.
import type { HistoryRun } from './history.ts'

/** Whether a run is of other questions or settings than the run before. */
export const isBreak = ({ changes }: Pick<HistoryRun, 'changes'>): boolean =>
  changes.questions || changes.settings.length > 0
