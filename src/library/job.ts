// The request of a run or a load test: its options, parsed; its targets, signals and events.
import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { optionError, UsageError } from '../options/faults.ts'
import { chooseTargets } from '../options/place.ts'
import {
  checkPaths,
  type OwnOptions,
  readOptions,
  requireBaseline,
  type RunSettings,
} from '../options/settings.ts'
import type { Metrics } from '../report/metrics.ts'
import { createEventSink, type EventSink, type RunEvent } from '../runner/events.ts'
import { runsIn } from '../store/folder.ts'
import type { Ports } from './ports.ts'
import { readConfig, type SandboxOptions } from './sandbox.ts'

export interface SendingOptions extends StopSignals {
  /** Lists question sets: CSV files or workbooks. */
  readonly datasets?: readonly string[] | undefined
  /** Replaces the key that the environment variable of `apiKeyEnv` holds. */
  readonly apiKey?: string | undefined
  /** Sends to a sandbox in this process; a config sets its limits, latency and faults. */
  readonly sandbox?: boolean | SandboxOptions | undefined
  /** Lists the targets to send to, all or those that `target` names. A resume reads their addresses. */
  readonly targets?: readonly TargetOptions[] | undefined
  readonly onEvent?: ((event: RunEvent, target: string) => void) | undefined
  /** Sends events of attempts and turns, a tenth of the time of a call. Defaults to true. */
  readonly callEvents?: boolean | undefined
}

/** Names a target. Its options apply to it alone, and win over those of the run. */
export type TargetOptions = { readonly name: string } & OwnOptions

/** Stands in the config file, or is `default`, whose address may stand in the environment. */
export interface NamedTarget {
  readonly name: string
  readonly settings: RunSettings
}
type Targets = readonly [NamedTarget, ...NamedTarget[]]

/** Gives the targets that `target` names, or all; if there are none, the desk of `baseUrl`, as `default`. */
export function readTargets(
  command: 'run' | 'load' | 'estimate',
  settings: RunSettings,
  { targets = [], sandbox = false }: SendingOptions,
): Targets {
  // The config file has them by name, and JavaScript callers may pass anything.
  if (!Array.isArray(targets))
    throw optionError('targets', "must be a list, as in [{ name: 'staging', baseUrl: 'https://…' }]")
  const { target: _target, baseUrl: _baseUrl, kb: _kb, ...common } = settings
  const known = targets.map(({ name }) => name)
  const [first, ...others] = chooseTargets(settings, sandbox !== false, known)
    .flatMap((name) => targets.find((target) => target.name === name) ?? [])
    .map((target) => {
      requireAddress(target)
      const { name, ...options } = target
      return { name, settings: { ...common, ...readOptions(command, options) } }
    })
  return first === undefined ? [{ name: 'default', settings }] : [first, ...others]
}

/** Throws UsageError for a target without an address: its key must not go to the desk of the environment. */
export function requireAddress({ name, baseUrl }: TargetOptions): void {
  if (baseUrl === undefined)
    throw new UsageError(`target ${name} has no baseUrl; add it, as in baseUrl: https://desk.example.com`)
}

/** Throws UsageError for options that exclude each other; some may be those of a recorded run. */
export function rejectTogether(options: {
  readonly confirm?: number
  readonly repeat?: number
  readonly untilDecided?: boolean
  readonly shard?: unknown
}): void {
  const { confirm = 0, repeat = 1, untilDecided, shard } = options
  if (confirm > 0 && repeat > 1)
    throw optionError('confirm', 'cannot be used with --repeat: its questions are sent several times already')
  if (untilDecided === true && shard !== undefined)
    throw optionError('untilDecided', 'cannot be used with --shard; only merge judges the whole')
}

export type Job = ReturnType<typeof readJob>

/** Reads a request and opens nothing. Throws UsageError with every option that is wrong. */
export function readJob(command: 'run' | 'load', options: SendingOptions, ports: Ports) {
  const { datasets = [], apiKey, sandbox = false, targets: configured = [], ...others } = options
  const { signal, abandon, onEvent = () => undefined, callEvents = true, ...written } = others
  if (signal?.aborted === true) throw new UsageError('the signal was aborted before the run started')
  checkPaths('datasets', datasets)
  const settings = continued(readOptions(command, written))
  if (settings.resume === undefined) requireBaseline(settings)
  // A resume sends where the run sent.
  const isResume = settings.resume !== undefined && settings.continue !== true
  const targets: Targets = isResume
    ? [{ name: 'default', settings }]
    : readTargets(command, settings, options)
  for (const target of targets) rejectTogether(target.settings)
  const closers: (() => Promise<void> | void)[] = []
  const eventsOf = (target: string): EventSink =>
    createEventSink((event) => onEvent(event, target), ports.clock)
  const { note, notes } = eventsOf(targets[0].name)
  const signals = watchSignals({ signal, abandon })
  return {
    datasets,
    settings,
    targets,
    configured,
    sandbox: typeof sandbox === 'boolean' ? sandbox : readConfig(sandbox, 'sandbox'),
    apiKey,
    callEvents: callEvents && options.onEvent !== undefined,
    ports,
    signals,
    metrics: undefined as Metrics | undefined,
    eventsOf,
    note,
    notes,
    onClose: (close: (typeof closers)[number]) => void closers.push(close),
    /** Closes what was opened, the last first; rejects with the first error once all is closed. */
    close: async (): Promise<void> => {
      signals.end()
      const closed: PromiseSettledResult<void>[] = []
      for (const close of closers.toReversed())
        closed.push(...(await Promise.allSettled([(async () => close())()])))
      for (const result of closed) if (result.status === 'rejected') throw result.reason
    },
  }
}

/** Makes `--continue` a resume if the folder of `--out` holds a run, else a start. */
function continued(settings: RunSettings): RunSettings {
  const { out, retryErrors, ...rest } = settings
  if (settings.resume !== undefined && out !== undefined)
    throw optionError('out', 'cannot be used with --resume: its reports go in the folder of the run')
  if (settings.continue !== true) return settings
  if (settings.resume !== undefined)
    throw optionError('continue', 'cannot be used with --resume; give one of them')
  if (out === undefined) throw optionError('continue', 'needs --out DIR, the folder of the run')
  if (!existsSync(out) || runsIn(out).length === 0) return { ...rest, out }
  return { ...rest, resume: out, ...(retryErrors === undefined ? {} : { retryErrors }) }
}

/** Limits the wait for calls in flight; a supervisor that sends SIGTERM usually kills after ten seconds. */
const GRACE_MS = { patient: 30_000, short: 8000 }

export interface StopSignals {
  /** Stops sending; calls in flight have 30 s to return (8 s where the reason is SIGTERM or SIGHUP). */
  readonly signal?: AbortSignal | undefined
  /** Gives up calls in flight as well; they are recorded as ambiguous. */
  readonly abandon?: AbortSignal | undefined
}

/** Makes the signals of all sessions of a job. `end` removes the listeners from the caller's signals. */
export function watchSignals({ signal, abandon }: StopSignals) {
  const [stop, giveUp, ended] = [new AbortController(), new AbortController(), new AbortController()]
  // Every target's client adds a listener.
  setMaxListeners(0, giveUp.signal)
  const once = { once: true, signal: ended.signal }
  let timer: NodeJS.Timeout | undefined
  const onStop = (): void => {
    const reason: unknown = signal?.reason
    stop.abort(typeof reason === 'string' && reason.startsWith('SIG') ? reason : 'caller')
    const isShort = reason === 'SIGTERM' || reason === 'SIGHUP'
    timer = setTimeout(() => giveUp.abort(), isShort ? GRACE_MS.short : GRACE_MS.patient).unref()
  }
  signal?.addEventListener('abort', onStop, once)
  abandon?.addEventListener('abort', () => giveUp.abort(), once)
  return {
    stop: stop.signal,
    abandon: giveUp.signal,
    end: (): void => {
      clearTimeout(timer)
      ended.abort()
    },
  }
}

export function onAbort(signal: AbortSignal | undefined, act: (reason: unknown) => void): void {
  if (signal?.aborted === true) act(signal.reason)
  else signal?.addEventListener('abort', () => act(signal.reason), { once: true })
}
