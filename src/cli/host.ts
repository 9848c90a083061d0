// Who starts a run: the command line, or another program. What differs between them stands here, and nowhere else.
import type { ReviewFile } from '../analysis/reviews/merge.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { SandboxConfig } from '../sandbox/config.ts'
import { loadConfig, type Config } from './config.ts'
import type { Environment } from './environment.ts'
import type { RunSettings } from '../library/read-options.ts'
import { showProgress, type ShowProgress } from './progress-display.ts'
import { watchSignals, type SignalWatch } from './signals.ts'
import type { EndedSitting } from './sit-together.ts'
import type { Sitting } from './sitting.ts'

/** Who watches while it is asked. */
export interface Audience {
  readonly show: ShowProgress
  /** Sees each record once it is written. */
  readonly see?: (sitting: Sitting, record: JournalRecord) => void
}

/** `T`: what the end of a run is to the host. */
export interface Host<T> extends Audience {
  readonly config: (path: string | undefined) => Promise<Config>
  readonly environment: () => Environment
  /** Of `--sandbox`; absent: as it is by itself. */
  readonly sandbox?: SandboxConfig | undefined
  readonly watchSignals: () => SignalWatch
  /** Loads what ends a run; called before the first call. */
  readonly ending: () => Promise<
    (
      ended: readonly EndedSitting[],
      settings: RunSettings,
      reviews: readonly ReviewFile[] | undefined,
    ) => Promise<T>
  >
}

/** The end of a run is an exit code. */
export const COMMAND_LINE: Host<number> = {
  config: loadConfig,
  environment: () => process.env,
  watchSignals,
  show: showProgress,
  // Most of the program: whoever mistyped an option need not wait for it, and a program that is built anew while it asks
  // must have it already.
  ending: async () => (await import('./conclude.ts')).conclude,
}
