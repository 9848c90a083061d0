// `--abort-on`: what is looked at as records are written, and ends a load test.
import { createAbortWatch } from '../../analysis/load/abort-watch.ts'
import type { LoadGatherer } from '../../analysis/load/gather.ts'
import type { JournalRecord } from '../../domain/journal.ts'
import type { LoadOptions } from '../../domain/load/load-options.ts'
import type { Stop } from '../../domain/stop.ts'
import { loadThresholds } from './load-thresholds.ts'

/** Sees every record once the gatherer has it; returns why the test must end, once it must. */
export type RecordWatch = (record: JournalRecord) => Extract<Stop, { kind: 'aborted' }> | undefined

/** Nothing is watched for without thresholds. */
export const NO_WATCH: RecordWatch = () => undefined

export function watchRecords({ abortOn }: LoadOptions, gatherer: LoadGatherer): RecordWatch {
  const watch = createAbortWatch(loadThresholds(abortOn, '--abort-on'), gatherer)
  return (record) => {
    if (record.kind === 'question') return undefined
    const broken = watch.look(record.at)
    return broken === undefined ? undefined : { kind: 'aborted', ...broken }
  }
}
