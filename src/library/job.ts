// The request of a run or a load test: sets, options, targets, signals to stop.
import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import type { SandboxConfig } from '../sandbox/config.ts'
import type { RunEvent } from './events.ts'
import { checkPaths, readOptions, requireBaseline, type RunSettings } from '../options/settings.ts'
import { readSandbox, type SandboxOptions } from './sandbox.ts'
import type { NamedTarget } from './targets.ts'
import { optionError } from '../options/faults.ts'
import { runsIn } from '../store/folder.ts'

/** What `run` and `load` take in addition to their options. */
export interface SendingOptions extends StopSignals {
  /** Question sets (CSV files). */
  readonly datasets?: readonly string[] | undefined
  /** The key. Without it, the environment variable of `apiKeyEnv` is read. */
  readonly apiKey?: string | undefined
  /** Starts a sandbox in this process and sends there instead of to `baseUrl`; a config sets its limits, latency and faults. */
  readonly sandbox?: boolean | SandboxOptions | undefined
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

/** The request of a program or the command line, with its options parsed. */
export interface RunJob extends StopSignals {
  readonly datasets: readonly string[]
  /** Options for all targets: the choice of questions, how they are judged, the folder. */
  readonly settings: RunSettings
  /** One run for each; a load test has one. */
  readonly targets: readonly NamedTarget[]
  /** Instead of targets. */
  readonly sandbox: boolean | SandboxConfig
  readonly apiKey?: string | undefined
  readonly onEvent: (event: RunEvent, target: string) => void
  /** Whether `attempt` and `turn` events are made, which is a tenth of the cost of a call. */
  readonly wantsCalls: boolean
  /** For a resume: base URLs of the config file's targets, by name. */
  readonly baseUrls?: ReadonlyMap<string, string>
}

/**
 * With `--continue`, the options of a resume if the folder of `--out` holds a run, else those of a start. `out`: of the config file. Throws
 * UsageError without a folder.
 */
export function continued({ continue: isContinued, ...typed }: RunSettings, out = typed.out): RunSettings {
  if (isContinued !== true) return typed
  if (typed.resume !== undefined)
    throw optionError('continue', 'cannot be used with --resume; give one of them')
  if (out === undefined) throw optionError('continue', 'needs --out DIR, the folder of the run')
  const { out: _out, retryErrors, ...rest } = typed
  if (!existsSync(out) || runsIn(out).length === 0) return { ...rest, out }
  return { ...rest, resume: out, ...(retryErrors === undefined ? {} : { retryErrors }) }
}

/** Throws UsageError. */
export function readJob(command: 'run' | 'load', options: SendingOptions): RunJob {
  const { datasets = [], apiKey, sandbox = false, signal, abandon, onEvent, ...written } = options
  checkPaths('datasets', datasets)
  const settings = continued(readOptions(command, written))
  if (sandbox !== false && settings.baseUrl !== undefined)
    throw optionError('sandbox', 'cannot be used with --base-url; give one of them')
  if (settings.resume === undefined) requireBaseline(settings)
  if (sandbox === false && settings.kb !== undefined) throw optionError('kb', 'needs --sandbox')
  return {
    datasets,
    settings,
    targets: [{ name: 'default', settings }],
    apiKey,
    signal,
    abandon,
    sandbox: readSandbox(sandbox),
    onEvent: onEvent ?? (() => undefined),
    wantsCalls: onEvent !== undefined,
  }
}

/** How long calls in flight may take to return; a supervisor that sends SIGTERM usually kills after ten seconds. */
const GRACE_MS = { patient: 30_000, short: 8000 }

export interface StopSignals {
  /** Stops sending; calls in flight have 30 s to return (8 s where the reason is SIGTERM or SIGHUP). */
  readonly signal?: AbortSignal | undefined
  /** Gives up calls in flight as well; they are recorded as ambiguous. */
  readonly abandon?: AbortSignal | undefined
}

export type Signals = Pick<ReturnType<typeof watchSignals>, 'stop' | 'abandon'>

/** The signals of all sessions of a job: to stop sending, and to give up calls in flight. `end` removes the listeners from the caller's signals. */
export function watchSignals({ signal, abandon }: StopSignals) {
  const [stop, giveUp] = [new AbortController(), new AbortController()]
  // Every target's client adds a listener.
  setMaxListeners(0, giveUp.signal)
  let timer: NodeJS.Timeout | undefined
  const onStop = (): void => {
    if (stop.signal.aborted) return
    const reason: unknown = signal?.reason
    stop.abort(typeof reason === 'string' && reason.startsWith('SIG') ? reason : 'caller')
    const isShort = reason === 'SIGTERM' || reason === 'SIGHUP'
    timer = setTimeout(() => giveUp.abort(), isShort ? GRACE_MS.short : GRACE_MS.patient).unref()
  }
  const onAbandon = (): void => giveUp.abort()
  signal?.addEventListener('abort', onStop)
  abandon?.addEventListener('abort', onAbandon)
  if (signal?.aborted === true) onStop()
  return {
    stop: stop.signal,
    abandon: giveUp.signal,
    end: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onStop)
      abandon?.removeEventListener('abort', onAbandon)
    },
  }
}
