// What the workbench sends: runs that it starts, stops and resumes, questions that it asks again, and
// conversations; and the calls that all of them cost.
import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import type { ListedRun } from '../domain/listed-run.ts'
import type {
  AgainRequest,
  Asked,
  AskRequest,
  Calls,
  ResumeRequest,
  StartRequest,
  TargetInfo,
} from './api.ts'
import { confined, pageNameOf, setPath } from './paths.ts'

export interface WorkOptions {
  readonly folder: string
  /** Of the config file, for every run. */
  readonly options: Readonly<Record<string, unknown>>
  /** Of the config file. */
  readonly targets: readonly library.TargetOptions[]
  /** For targets without articles of their own. */
  readonly articles: string | undefined
  /** The folder that the sandbox answers from; undefined: the shipped articles. */
  readonly kb: string | undefined
  /** Undefined: 200 calls off this machine, and any number on it. */
  readonly maxCalls: number | undefined
  readonly ports: library.Ports
  /** Told when calls were made, or a run has begun or ended. */
  readonly changed: () => void
  /** Told of runs that failed after their start. */
  readonly failed: (error: unknown) => void
}

/** A run of this process. */
interface OwnRun {
  readonly stop: AbortController
  /** The budget that it may use up, if its calls count. */
  readonly reserved: number
  readonly isCounted: boolean
  attempts: number
  readonly done: Promise<unknown>
}

/** A conversation of this process, by the id that a page knows. */
interface OwnConversation {
  readonly open: library.Conversation
  readonly target: string
}

const DEFAULT_MAX_CALLS = 200
/** Of one question, retries included. */
const MAX_ATTEMPTS = 10
/** Options of the config file that say where and how fast; the others choose questions, or judge. */
const SENDING =
  'baseUrl apiKeyEnv organization allowHttp header clientCert clientKey rate share concurrency limiter ' +
  'timeout giveUpAfter rotatingIds groundedSources articles'
/** Begins the names of sets that are a part of a run, asked again. */
export const AGAIN = 'again-'
const SANDBOX = 'sandbox'
/** As a run names the desk of the environment. */
const ENVIRONMENT = 'default'

export class Work {
  readonly #given: WorkOptions
  readonly #runs = new Map<string, OwnRun>()
  readonly #conversations = new Map<string, OwnConversation>()
  /** Calls that count, of runs and questions that have ended. */
  #ended = 0
  /** One question at a time: its calls are reserved until it has ended. */
  #asking: Promise<unknown> = Promise.resolve()
  #reservedToAsk = 0
  #isClosed = false

  constructor(given: WorkOptions) {
    this.#given = given
  }

  calls(): Calls {
    const { maxCalls = DEFAULT_MAX_CALLS } = this.#given
    const running = [...this.#runs.values()].reduce((sum, run) => sum + (run.isCounted ? run.attempts : 0), 0)
    return { made: this.#ended + running, max: maxCalls }
  }

  /** The sandbox, those of the config file, and the desk of the environment. */
  targets(): TargetInfo[] {
    const { targets, ports } = this.#given
    const named = targets.map(({ name, ...own }) => {
      const { baseUrl, apiKeyEnv } = { ...this.#given.options, ...own } as Record<string, unknown>
      return { name, baseUrl: textOf(baseUrl), variable: textOf(apiKeyEnv) ?? library.KEY_VARIABLE }
    })
    const url = textOf(this.#given.options['baseUrl']) ?? ports.env['ASSIST_BASE_URL']?.trim() ?? ''
    const byEnvironment =
      url === '' || targets.length > 0
        ? []
        : [{ name: ENVIRONMENT, baseUrl: url, variable: library.KEY_VARIABLE }]
    const desks = [...named, ...byEnvironment].map(({ name, baseUrl, variable }) => {
      const hasKey = (ports.env[variable] ?? '') !== ''
      const problem = hasKey ? null : `Set the environment variable ${variable}, and start view again.`
      return { name, isSandbox: false, baseUrl, problem }
    })
    return [{ name: SANDBOX, isSandbox: true, baseUrl: null, problem: null }, ...desks]
  }

  isOwn = (path: string): boolean => this.#runs.has(path)

  async start({ set, columns, target, maxCalls, baseline }: StartRequest): Promise<string> {
    const { folder } = this.#given
    const path = setPath(folder, set)
    const options = {
      ...this.#given.options,
      datasets: [path],
      ...(columns.length === 0 ? {} : { column: columns }),
      ...(baseline === null ? {} : { baseline: confined(folder, baseline) }),
    }
    return this.#send(options, target, maxCalls, basename(path, extname(path)))
  }

  /** Asks some questions of a run again, and compares them with it; nothing is judged. */
  async again({ run, ids, target }: AgainRequest): Promise<string> {
    const { folder } = this.#given
    const name = `${AGAIN}${basename(confined(folder, run)).slice(0, 40)}`
    const file = join(folder, 'sets', `${name}-${timeName()}.csv`)
    mkdirSync(dirname(file), { recursive: true })
    const { calls, knowledgeBase } = await library.questionsAgain(confined(folder, run), ids, file)
    const compared = { baseline: confined(folder, run), failOn: ['none'], minOverlap: '0.0001' }
    const max = this.#isCounted(target) ? calls * 2 : null
    const isOurs = knowledgeBase !== undefined && pageNameOf(folder, resolve(knowledgeBase)) !== null
    const kb = target === SANDBOX && isOurs ? { kb: knowledgeBase } : {}
    return this.#send({ ...this.#sending(), datasets: [file], ...compared }, target, max, name, kb)
  }

  /** `maxCalls` is that of the whole run, of which earlier sessions have made `calls`. */
  async resume({ run, maxCalls }: ResumeRequest, { target, calls }: ListedRun): Promise<string> {
    const path = confined(this.#given.folder, run)
    const options = { resume: path, targets: this.#given.targets, ...(maxCalls === null ? {} : { maxCalls }) }
    return this.#watch(options, maxCalls === null ? null : Math.max(0, maxCalls - (calls ?? 0)), target, run)
  }

  /** As Ctrl-C: calls in flight are recorded, and the run can be resumed. */
  stop(run: string): void {
    const own = this.#runs.get(run)
    if (own === undefined) throw new UsageError(`${run} is not sent by this workbench`)
    own.stop.abort('SIGINT')
  }

  async ask(request: AskRequest): Promise<Asked> {
    const asked = this.#asking.then(async () => this.#ask(request))
    this.#asking = asked.catch(() => undefined)
    return asked
  }

  async #ask({ target, conversation, message }: AskRequest): Promise<Asked> {
    const known = conversation === null ? undefined : this.#conversations.get(conversation)
    // A fresh one would answer without the questions before it, or as another target.
    if (conversation !== null && known?.target !== target)
      throw new UsageError('This conversation has ended. Start a new one.')
    const isCounted = this.#isCounted(target)
    const maxAttempts = isCounted ? Math.min(MAX_ATTEMPTS, this.#left()) : MAX_ATTEMPTS
    if (maxAttempts < 1) throw this.#usedUp(1)
    const { open } = known ?? { open: await this.#openConversation(target) }
    const id = conversation ?? crypto.randomUUID()
    this.#conversations.set(id, { open, target })
    const before = open.calls()
    if (isCounted) this.#reservedToAsk = maxAttempts
    try {
      if (this.#isClosed) throw new UsageError('The workbench ends.')
      return { conversation: id, turn: await open.ask(message, maxAttempts) }
    } catch (error) {
      if (known === undefined) await this.#forget(id)
      throw error
    } finally {
      this.#reservedToAsk = 0
      if (isCounted) this.#ended += open.calls() - before
      this.#given.changed()
    }
  }

  /** One that no page has heard of. */
  async #forget(id: string): Promise<void> {
    const known = this.#conversations.get(id)
    this.#conversations.delete(id)
    await known?.open.close()
  }

  #openConversation = async (target: string): Promise<library.Conversation> =>
    library.openConversation({ ...this.#sending(), ...this.#optionsFor(target) }, this.#given.ports)

  #sending = (): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(this.#given.options).filter(([name]) => SENDING.split(' ').includes(name)),
    )

  /** Options of the config file that an estimate takes. */
  estimating(): Readonly<Record<string, unknown>> {
    const { quota, rate } = this.#given.options
    return { quota, rate }
  }

  /** For a new run or comparison: named by the time and what it is of. */
  freeFolder(name: string): string {
    const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60)
    const path = join(this.#given.folder, `${timeName()}Z-${plain}`)
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? path : `${path}-${number}`
      if (!existsSync(candidate)) return candidate
    }
  }

  /** Runs end as by Ctrl-C. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { stop } of this.#runs.values()) stop.abort('SIGINT')
    await Promise.allSettled([...this.#runs.values()].map(async ({ done }) => done))
    for (const { open } of this.#conversations.values()) await open.close()
    // One that is being opened sends nothing any more.
    await this.#asking
  }

  async #send(
    options: Readonly<Record<string, unknown>>,
    target: string,
    maxCalls: number | null,
    name: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { folder } = this.#given
    const out = this.freeFolder(name)
    const budget = maxCalls === null ? {} : { maxCalls }
    const whole = { ...options, ...budget, ...this.#optionsFor(target), ...more, out }
    return this.#watch(whole, maxCalls, target, pageNameOf(folder, out) ?? '')
  }

  /**
   * Resolves once the run sends; rejects with UsageError if nothing was sent. `maxCalls`: those that it may
   * make; null for no limit.
   */
  async #watch(
    options: Readonly<Record<string, unknown>>,
    maxCalls: number | null,
    target: string,
    path: string,
  ): Promise<string> {
    const isCounted = this.#isCounted(target)
    if (isCounted && maxCalls === null) throw new UsageError('Give the run a budget: its calls cost.')
    if (isCounted && (maxCalls ?? 0) > this.#left()) throw this.#usedUp(maxCalls ?? 0)
    if (this.#runs.has(path)) throw new UsageError(`${path} is being sent`)
    const stop = new AbortController()
    const { changed, failed, ports } = this.#given
    let begin: () => void = () => undefined
    const begun = new Promise<void>((started) => {
      begin = started
    })
    const done = library.run(
      {
        ...options,
        signal: stop.signal,
        callEvents: false,
        onEvent: (event) => {
          if (event.kind === 'started') begin()
          if (event.kind === 'progress' && event.progress.of === 'run') own.attempts = event.progress.attempts
        },
      },
      ports,
    )
    const own: OwnRun = { stop, isCounted, reserved: maxCalls ?? 0, attempts: 0, done }
    this.#runs.set(path, own)
    void done
      .catch((error: unknown) => {
        if (!(error instanceof UsageError)) failed(error)
      })
      .finally(() => {
        this.#runs.delete(path)
        if (isCounted) this.#ended += own.attempts
        changed()
      })
    await Promise.race([begun, done])
    changed()
    return path
  }

  #isCounted(target: string): boolean {
    if (this.#given.maxCalls !== undefined) return true
    const info = this.targets().find(({ name }) => name === target)
    return info?.isSandbox !== true && !isLocal(info?.baseUrl ?? '')
  }

  #left(): number {
    const reserved = [...this.#runs.values()].reduce(
      (sum, run) => sum + (run.isCounted ? run.reserved : 0),
      0,
    )
    return (this.calls().max ?? Infinity) - this.#ended - reserved - this.#reservedToAsk
  }

  #usedUp = (wanted: number): UsageError =>
    new UsageError(
      `This session has ${Math.max(0, this.#left())} calls left, and ${wanted} are wanted. ` +
        'Start view again with a larger --max-calls.',
    )

  /** Throws UsageError for a target that is not there. */
  #optionsFor(target: string): Record<string, unknown> {
    const { targets, articles, kb } = this.#given
    const consulted = articles === undefined ? {} : { articles }
    // An address of the config file is that of a desk.
    if (target === SANDBOX) return { sandbox: true, baseUrl: undefined, ...(kb === undefined ? {} : { kb }) }
    if (target === ENVIRONMENT) return { ...consulted }
    const named = targets.find(({ name }) => name === target)
    if (named === undefined) throw new UsageError(`there is no target ${target}`)
    return { ...consulted, targets: [named] }
  }
}

const isLocal = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && library.isLoopback(new URL(baseUrl).hostname)

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const timeName = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-')
