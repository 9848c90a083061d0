// The request of a run or a load test: its options, parsed; its targets, signals and events.
import { existsSync } from 'node:fs'
import { didYouMean, optionError, UsageError } from '../options/faults.ts'
import {
  checkPaths,
  type OwnOptions,
  readOptions,
  requireBaseline,
  type RunSettings,
} from '../options/settings.ts'
import type { Metrics } from '../report/metrics.ts'
import { createEventSink, type EventSink, type RunEvent } from '../runner/events.ts'
import type { SandboxConfig } from '../sandbox/config.ts'
import { runsIn } from '../store/folder.ts'
import type { Ports } from './ports.ts'
import { readSandbox, type SandboxOptions } from './sandbox.ts'
import { type Signals, type StopSignals, watchSignals } from './signals.ts'

/** Throws UsageError: repeats are confirmations already. */
export function rejectConfirmedRepeats({
  confirm = 0,
  repeat = 1,
}: Pick<RunSettings, 'confirm' | 'repeat'>): void {
  if (confirm > 0 && repeat > 1)
    throw optionError('confirm', 'cannot be used with --repeat: its questions are sent several times already')
}

/** What `run` and `load` take in addition to their options. */
export interface SendingOptions extends StopSignals {
  /** Question sets (CSV files). */
  readonly datasets?: readonly string[] | undefined
  /** The key. Without it, the environment variable of `apiKeyEnv` is read. */
  readonly apiKey?: string | undefined
  /**
   * Starts a sandbox in this process and sends there instead of to `baseUrl`; a config sets its limits,
   * latency and faults.
   */
  readonly sandbox?: boolean | SandboxOptions | undefined
  /**
   * Sends to each of these, or to those that `target` names, instead of to `baseUrl`. A resume reads their
   * addresses.
   */
  readonly targets?: readonly TargetOptions[] | undefined
  readonly onEvent?: ((event: RunEvent, target: string) => void) | undefined
  /** False: no events of attempts and turns, which take a tenth of the time of a call. Default: true. */
  readonly callEvents?: boolean | undefined
}

/** A named target. Its options apply to it alone, and win over those of the run. */
export type TargetOptions = { readonly name: string } & OwnOptions

/**
 * Those that `target` names; all without it. Throws UsageError for a name that none of them has: the calls
 * would go to the desk of the environment.
 */
export function chooseTargets(
  targets: readonly TargetOptions[],
  { target: names }: Pick<RunSettings, 'target'>,
): readonly TargetOptions[] {
  const known = targets.map(({ name }) => name)
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw optionError('target', `${unknown} is none of the targets${didYouMean(unknown, known)}`)
  return targets.filter(({ name }) => names?.includes(name) ?? true)
}

/**
 * A target of the config file by its name, with its `baseUrl`; or `default`, whose address may stand in the
 * environment.
 */
export interface NamedTarget {
  readonly name: string
  /** All options that apply to it. */
  readonly settings: RunSettings
}

/** One command that sends, from its options to the end of its reports. */
export interface Job {
  readonly datasets: readonly string[]
  /** Options for all targets: the choice of questions, how they are judged, the folder. */
  readonly settings: RunSettings
  /** One run for each; a load test has one. */
  readonly targets: readonly NamedTarget[]
  /** Instead of targets. */
  readonly sandbox: boolean | SandboxConfig
  readonly apiKey: string | undefined
  readonly callEvents: boolean
  readonly ports: Ports
  readonly signals: Signals
  /** Undefined without `--metrics`. */
  readonly metrics?: Metrics
  /** Events of one target; their errors become notes of it. */
  readonly eventsOf: (target: string) => EventSink
  /** Says something about all targets. */
  readonly note: (text: string) => void
  /** What `note` said. */
  readonly notes: readonly string[]
  /** Registers what is to be closed with the job. */
  readonly onClose: (close: Close) => void
  /** Closes what was opened, the last first; rejects with the first error once all is closed. */
  readonly close: () => Promise<void>
}

type Close = () => Promise<void> | void

/** Throws UsageError with every option that is wrong. Nothing is opened. */
export function readJob(command: 'run' | 'load', options: SendingOptions, ports: Ports): Job {
  const { datasets = [], apiKey, sandbox = false, targets: named = [], ...more } = options
  const { signal, abandon, onEvent = () => undefined, callEvents = true, ...written } = more
  if (signal?.aborted === true) throw new UsageError('the signal was aborted before the run started')
  checkPaths('datasets', datasets)
  const settings = readOptions(command, continued(written))
  if (sandbox !== false && settings.baseUrl !== undefined)
    throw optionError('sandbox', 'cannot be used with --base-url; give one of them')
  if (settings.untilDecided === true && settings.shard !== undefined)
    throw optionError('untilDecided', 'cannot be used with --shard; only merge judges the whole')
  if (settings.resume === undefined) {
    requireBaseline(settings)
    if (sandbox === false && settings.kb !== undefined) throw optionError('kb', 'needs --sandbox')
  }
  // A resume and a sandbox send elsewhere.
  const isChosen = settings.resume === undefined && sandbox === false
  const chosen = isChosen ? chooseTargets(named, settings) : named
  const targets = chosen.map(({ name, ...own }) => ({
    name,
    settings: { ...settings, ...readOptions(command, own) },
  }))
  const [first = { name: 'default', settings }, ...others] = targets
  for (const one of [first, ...others]) rejectConfirmedRepeats(one.settings)
  const closers: Close[] = []
  const eventsOf = (target: string): EventSink => createEventSink((event) => onEvent(event, target))
  const { note, notes } = eventsOf(first.name)
  const signals = watchSignals({ signal, abandon })
  return {
    datasets,
    settings,
    targets: [first, ...others],
    sandbox: readSandbox(sandbox),
    apiKey,
    callEvents: callEvents && options.onEvent !== undefined,
    ports,
    signals,
    eventsOf,
    note,
    notes,
    onClose: (close) => void closers.push(close),
    close: async () => {
      signals.end()
      const closed: PromiseSettledResult<void>[] = []
      for (const close of closers.toReversed())
        closed.push(...(await Promise.allSettled([(async () => close())()])))
      for (const one of closed) if (one.status === 'rejected') throw one.reason
    },
  }
}

/** The result of the only target of a job, or the error in its place. */
export function onlyResult<Result>([only]: readonly PromiseSettledResult<Result>[]): Result {
  if (only?.status === 'fulfilled') return only.value
  throw only?.reason
}

/** The options that decide between a start and a resume, as written or parsed. */
interface MayContinue {
  readonly continue?: unknown
  readonly resume?: unknown
  readonly out?: unknown
  readonly retryErrors?: unknown
}

/**
 * With `--continue`, the options of a resume if the folder of `--out` holds a run, else those of a start.
 * `out`: of the config file. Throws UsageError without a folder.
 */
export function continued<Options extends MayContinue>(
  { continue: isContinued, ...options }: Options,
  out: unknown = options.out,
): Omit<Options, 'continue'> {
  if (isContinued !== true) return options
  if (options.resume !== undefined)
    throw optionError('continue', 'cannot be used with --resume; give one of them')
  if (typeof out !== 'string') throw optionError('continue', 'needs --out DIR, the folder of the run')
  const { out: _out, retryErrors, ...rest } = options
  if (!existsSync(out) || runsIn(out).length === 0) return { ...rest, out } as unknown as Options
  const retried = retryErrors === undefined ? {} : { retryErrors }
  return { ...rest, resume: out, ...retried } as unknown as Options
}
