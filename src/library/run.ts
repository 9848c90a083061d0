// `run` for programs: the same run as the command's, told as events and a result instead of words and an exit code.
import { resolve } from 'node:path'
import type * as z from 'zod'
import { runFor } from '../cli/commands/run.ts'
import { NO_CONFIG } from '../cli/config.ts'
import type { Host } from '../cli/host.ts'
import type { RunSettings } from './read-options.ts'
import { say } from '../cli/output.ts'
import { orShipped } from '../cli/shipped.ts'
import { UsageError } from './usage-error.ts'
import type { Comparison } from '../domain/comparison/comparison.ts'
import type { RunState, Summary } from '../domain/summary.ts'
import type { sandboxConfigSchema } from '../sandbox/config.ts'
import { watchAbort, type StopSignal } from './abort.ts'
import { checkRun, refuseKey, refuseNoSet } from './arguments.ts'
import { endingFor } from './ending.ts'
import { environmentWith } from './environment.ts'
import { createTeller } from './teller.ts'
import type { RunEvent } from './events.ts'
import { callOwn } from './own-words.ts'
import { readOptions, type RunSettingsWritten } from './options.ts'
import { readSandboxConfig } from './sandbox.ts'

export interface RunOptions extends RunSettingsWritten {
  /** Question sets (CSV files). May be left out with `resume`. */
  readonly datasets?: readonly string[] | undefined
  /** The run folder [default: reports/<utc-time>-<dataset>] */
  readonly out?: RunSettingsWritten['out']
  /** The key itself. Without it, it is read from the environment variable that `apiKeyEnv` names. */
  readonly apiKey?: string | undefined
  /** Ask a sandbox of this process instead of `baseUrl`; its config says limits, latency and faults. */
  readonly sandbox?: boolean | SandboxOptions | undefined
  /** Stops the run: nothing more is sent, calls in flight have 30 s to come back. The run can be resumed. */
  readonly signal?: StopSignal | undefined
  /** Is told what happens, as it happens. What it throws is kept in `listenerError`, and the run goes on. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

/** As the sandbox's config file (`datasets/sandbox.yaml`). */
export type SandboxOptions = z.input<typeof sandboxConfigSchema>

/** How a run ended. What the endpoint did is in here, and never thrown. */
export interface RunResult {
  readonly state: RunState
  readonly verdict: 'passed' | 'failed' | 'incomplete' | 'part'
  /** What the program would have ended with: 0 passed, 1 a gate failed, 3 the key was refused, 4 or 130 can be resumed, 5 a fault of the harness. */
  readonly exitCode: number
  /** Why, in a sentence. */
  readonly reason: string
  /** Absolute; holds `journal.ndjson`, `results.csv`, `summary.json`, `report.html` and the rest. */
  readonly folder: string
  /** What `summary.json` holds. */
  readonly summary: Summary
  /** With `baseline`: what `comparison.json` holds. Null without one, and where the run is not complete. */
  readonly comparison: Comparison | null
  /** What people should know of the question sets, the limit, reviews. */
  readonly notes: readonly string[]
  /** The first error that `onEvent` threw; undefined where it threw none. */
  readonly listenerError: unknown
}

/** How the program begins what people should know; its other words are for a screen. */
const NOTE = 'Note: '

/**
 * Asks every question of the sets, records, summarises, judges. Rejects with UsageError where options or sets are wrong:
 * nothing was sent then. Prints nothing, handles no signals, and leaves the process's exit code alone.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  checkRun(options)
  const { datasets = [], apiKey, sandbox = false, signal, onEvent, ...written } = options
  const notes: string[] = []
  const teller = createTeller(onEvent)
  const listen = (text: string): void => {
    if (text.startsWith(NOTE)) notes.push(text.slice(NOTE.length))
    teller.tell({ kind: 'message', at: Date.now(), text })
  }
  return callOwn(listen, async () => {
    if (sandbox === false) refuseKey(apiKey)
    const settings: RunSettings = { ...readOptions(written), ...(sandbox === false ? {} : { sandbox: true }) }
    const host: Host<RunResult> = {
      config: async () => NO_CONFIG,
      environment: environmentWith(apiKey, settings.apiKeyEnv),
      sandbox: typeof sandbox === 'object' ? readSandboxConfig(sandbox) : undefined,
      watchSignals: () => watchAbort(signal),
      show: teller.show,
      see: teller.see,
      ending: endingFor(teller, notes),
    }
    refuseNoSet(datasets, settings)
    if (signal?.aborted === true) throw new UsageError('the signal was aborted before the run began')
    return runFor(
      host,
      datasets.map((path) => resolve(orShipped(path, say))),
      settings,
    )
  })
}
