// What is open while a run is asked and its reports are written, the asking, and what is left once it is over.
import type { ReviewFile } from '../analysis/reviews/merge.ts'
import { describePart } from '../domain/shard.ts'
import { digits, plural } from '../domain/digits.ts'
import { visible } from '../report/visible.ts'
import { turnsLeft } from '../runner/thread-state.ts'
import type { Environment } from './environment.ts'
import { forecast } from './estimating/forecast.ts'
import { lockFolder } from './folder-lock.ts'
import type { Host } from './host.ts'
import { openLimiters, type Limiters } from './limiters.ts'
import type { RunSettings } from '../library/read-options.ts'
import { say } from './output.ts'
import { beginReviews } from './reviews/write.ts'
import { sitTogether, type EndedSitting } from './sit-together.ts'
import type { Sitting } from './sitting.ts'
import type { Target } from './targets.ts'
import { endUnreported } from './unreported.ts'

/** What is open until the last report is written, as it was opened. */
export interface Open {
  readonly locks: (() => void)[]
  limiters?: Limiters
  signals?: ReturnType<Host<unknown>['watchSignals']>
  /** Closes the sandbox. */
  close?: () => Promise<void>
}

/** All that is left of a run once it was asked. */
export interface AskedRun<T> {
  readonly ended: readonly EndedSitting[]
  readonly settings: RunSettings
  readonly reviews: readonly ReviewFile[] | undefined
  readonly conclude: Awaited<ReturnType<Host<T>['ending']>>
}

export async function closeAll({ signals, limiters, locks, close }: Open): Promise<void> {
  signals?.end()
  await limiters?.close()
  for (const unlock of locks) unlock()
  await close?.()
}

/** Asks behind the organizations' limiters until all is done or stopped. */
export async function ask<T>(
  host: Host<T>,
  targets: readonly Target[],
  settings: RunSettings,
  {
    environment,
    reviews,
  }: { readonly environment: Environment; readonly reviews: readonly ReviewFile[] | undefined },
  open: Open,
  plan: (limiters: Limiters['byOrganization'], lock: (path: string) => void) => Promise<Sitting[]>,
): Promise<AskedRun<T>> {
  open.limiters = await openLimiters(targets, environment)
  open.signals = host.watchSignals()
  const sittings = await plan(open.limiters.byOrganization, (path) => open.locks.push(lockFolder(path)))
  for (const { folder, isResumed } of sittings)
    if (!isResumed && reviews !== undefined) beginReviews(folder, reviews)
  for (const sitting of sittings) say([announce(sitting), ...(await forecast(sitting))].join('\n'))
  const loading = host.ending()
  loading.catch(() => undefined)
  const ended = await sitTogether(sittings, settings.debug ?? false, open.signals, host)
  const folders = ended.map(({ folder }) => folder)
  open.signals.asked((signal) => endUnreported(signal, folders))
  return { ended, settings, reviews, conclude: await loading }
}

function announce({ target, turns, threads, repeats, isResumed, manifest: { shard } }: Sitting): string {
  const whom = `${shard === undefined ? '' : `${describePart(shard)}, `}${describeTarget(target)}`
  let left = 0
  for (const thread of threads) left += turnsLeft(thread)
  return isResumed
    ? `Going on: ${digits(left)} of ${plural(turns.length * repeats, 'turn')} left to ask: ${whom}`
    : `Asking ${plural(left, 'turn')} in ${plural(threads.length, 'thread')}: ${whom}`
}

function describeTarget({ name, address, key, sandbox }: Target): string {
  if (sandbox) return `the sandbox at ${address.baseUrl}`
  return `${visible(name)}, ${address.baseUrl}, key ${key.fingerprint}`
}
