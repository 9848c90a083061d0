// `--start-at`: holds a load test back until a time that all its shards have in common.
import { duration } from '../domain/format.ts'
import { optionError, UsageError } from '../options/faults.ts'
import type { RunSettings } from '../options/settings.ts'
import type { Job } from './job.ts'
import { onAbort } from './signals.ts'

/** Throws UsageError for a time that is past: a shard that starts late would offer its load alone. */
export function rejectPast({ startAt }: RunSettings, { ports }: Pick<Job, 'ports'>): void {
  const now = ports.clock.wall()
  if (startAt === undefined || now <= startAt) return
  throw optionError(
    'startAt',
    `${new Date(startAt).toISOString()} was ${duration(now - startAt)} ago: give all shards a time to come`,
  )
}

const PROGRESS_MS = 200

/**
 * Resolves at the time; at once without one. It opens no folder before, so that a process that ends meanwhile
 * leaves nothing, and another can take its place. Rejects with UsageError if the signal stops the wait.
 */
export async function untilStart(
  { startAt }: RunSettings,
  { ports, signals, note, eventsOf }: Pick<Job, 'ports' | 'signals' | 'note' | 'eventsOf'>,
  target: string,
): Promise<void> {
  if (startAt === undefined) return
  // Opening takes time, too.
  rejectPast({ startAt }, { ports })
  const { wall } = ports.clock
  const { emit } = eventsOf(target)
  note(`nothing is sent until ${new Date(startAt).toISOString()}, in ${duration(startAt - wall())}`)
  await new Promise<void>((resolve, reject) => {
    let cancel = (): void => undefined
    onAbort(signals.stop, () => {
      cancel()
      reject(new UsageError('stopped before --start-at; nothing was sent'))
    })
    // In short steps by the wall clock, which may be set meanwhile.
    const step = (): void => {
      const at = wall()
      if (at >= startAt) resolve()
      else {
        emit({ kind: 'progress', at, progress: { of: 'wait', startAt } })
        cancel = ports.timerClock.after(Math.min(PROGRESS_MS, startAt - at), step)
      }
    }
    if (!signals.stop.aborted) step()
  })
}
