// What the workbench sends: runs that it starts, stops and resumes, questions that it asks again, and
// conversations.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import * as library from '../library/index.ts'
import { UsageError } from '../library/index.ts'
import { AGAIN, type ListedRun } from '../domain/listed-run.ts'
import { Budget } from './budget.ts'
import { Conversations } from './conversations.ts'
import { confined, expectationsPath, freePath, pageNameOf, setPath } from './paths.ts'
import {
  isRemote,
  listTargets,
  type Options,
  optionsFor,
  SANDBOX,
  sendingOptions,
  type TargetOptions,
} from './targets.ts'

export interface WorkOptions extends TargetOptions {
  readonly folder: string
  /** Called with the error of a run that failed after its start. */
  readonly failed: (error: unknown) => void
}

interface Start {
  readonly set: string
  readonly columns: readonly string[]
  readonly target: string
  readonly maxCalls: number | null
  readonly baseline: string | null
}

interface Again {
  readonly run: string
  readonly ids: readonly string[]
  readonly target: string
}

const DEFAULT_MAX_CALLS = 200

export class Work {
  readonly budget: Budget
  readonly conversations: Conversations
  readonly #setup: WorkOptions
  readonly #changed: () => void
  readonly #runs = new Map<string, { readonly stop: AbortController; readonly done: Promise<unknown> }>()

  /** `changed` is called when calls were made, or a run has begun or ended. */
  constructor(setup: WorkOptions, changed: () => void) {
    this.#setup = setup
    this.#changed = changed
    this.budget = new Budget(setup.maxCalls ?? DEFAULT_MAX_CALLS, this.#isCounted, changed)
    const open = async (target: string): Promise<library.Conversation> =>
      library.openConversation({ ...sendingOptions(setup), ...optionsFor(target, setup) }, setup.ports)
    this.conversations = new Conversations(open, this.budget)
  }

  targets = () => listTargets(this.#setup)
  isOwn = (path: string): boolean => this.#runs.has(path)

  async start({ set, columns, target, maxCalls, baseline }: Start): Promise<string> {
    const { folder, options } = this.#setup
    const path = setPath(folder, set)
    const chosen = {
      ...options,
      datasets: [path],
      column: columns.length > 0 ? columns : await library.columnsOfSet(path, this.columns),
      ...(baseline === null ? {} : { baseline: confined(folder, baseline) }),
    }
    return this.#send(chosen, target, maxCalls, basename(path, extname(path)))
  }

  /** The sets that expectations on a run's questions are written to, and what their headers are named. */
  async expectationsOf(run: string) {
    const { folder } = this.#setup
    const { paths, column } = await library.setsOfRun(run)
    return {
      paths: paths.map((set) => join(folder, expectationsPath(folder, set))),
      column: [...new Set([...column, ...this.columns])],
    }
  }

  /** Asks some questions of a run again, and compares them with it; nothing is judged. */
  async again({ run, ids, target }: Again): Promise<string> {
    const { folder, ports } = this.#setup
    const baseline = confined(folder, run)
    const name = `${AGAIN}${basename(baseline).slice(0, 40)}`
    mkdirSync(join(folder, 'sets'), { recursive: true })
    const file = freePath(join(folder, 'sets', `${name}-${timeName()}`), '.csv')
    // Taken at once: another request may come within the same second.
    writeFileSync(file, '')
    try {
      const { calls, knowledgeBase } = await library.questionsAgain(
        baseline,
        ids,
        file,
        await this.expectationsOf(baseline),
        ports,
      )
      const compared = { datasets: [file], baseline, failOn: ['none'] }
      const max = this.#isCounted(target) ? calls * 2 : null
      // The sandbox answers from the articles that it answered the run from.
      const kb = target === SANDBOX && knowledgeBase !== undefined ? { kb: knowledgeBase } : {}
      if (kb.kb !== undefined && !existsSync(kb.kb))
        throw new UsageError(`The articles of this run are gone. Restore ${kb.kb}, or choose another target.`)
      return await this.#send({ ...sendingOptions(this.#setup), ...compared }, target, max, name, kb)
    } catch (error) {
      // Nothing was sent.
      rmSync(file, { force: true })
      throw error
    }
  }

  /** `maxCalls` holds for the whole run, of which earlier sessions have made `calls`. */
  async resume(maxCalls: number | null, { path: run, target, calls }: ListedRun): Promise<string> {
    const path = confined(this.#setup.folder, run)
    const options = { resume: path, targets: this.#setup.targets, ...(maxCalls === null ? {} : { maxCalls }) }
    return this.#watch(options, maxCalls === null ? null : Math.max(0, maxCalls - (calls ?? 0)), target, run)
  }

  /** Does what Ctrl-C does: calls in flight are recorded, and the run can be resumed. */
  stop(run: string): void {
    const sending = this.#runs.get(run)
    if (sending === undefined) throw new UsageError(`${run} is not sent by this workbench`)
    sending.stop.abort('SIGINT')
  }

  async close(): Promise<void> {
    for (const { stop } of this.#runs.values()) stop.abort('SIGINT')
    const runs = [...this.#runs.values()].map(async ({ done }) => done)
    await Promise.allSettled([...runs, this.conversations.close()])
  }

  /** The config file may name columns of all sets. */
  get columns(): readonly string[] {
    return [this.#setup.options['column'] ?? []].flat().map(String)
  }

  estimating(): Options {
    const { quota, rate } = this.#setup.options
    return { quota, rate }
  }

  /**
   * A run that is compared with another goes beside it, where its decisions and reviews are; any other goes
   * where `run` puts its own.
   */
  freeFolder(name: string, baseline?: unknown): string {
    const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60)
    const { folder, ports } = this.#setup
    // A run that has just begun has no folder yet.
    const isTaken = (path: string): boolean =>
      existsSync(path) || this.#runs.has(pageNameOf(folder, path) ?? '')
    const usual = isProject(folder, ports.cwd) ? join(folder, 'reports') : folder
    const parent = typeof baseline === 'string' ? dirname(resolve(baseline)) : usual
    const isInFolder = pageNameOf(folder, parent) !== null
    return freePath(join(isInFolder ? parent : usual, `${timeName()}Z-${plain}`), '', isTaken)
  }

  async #send(
    options: Options,
    target: string,
    maxCalls: number | null,
    name: string,
    others: Options = {},
  ): Promise<string> {
    const out = this.freeFolder(name, options['baseline'])
    const budget = maxCalls === null ? {} : { maxCalls }
    const whole = { ...options, ...budget, ...optionsFor(target, this.#setup), ...others, out }
    return this.#watch(whole, maxCalls, target, pageNameOf(this.#setup.folder, out) ?? '')
  }

  /** Resolves once the run sends; rejects with UsageError if nothing was sent. */
  async #watch(options: Options, maxCalls: number | null, target: string, path: string): Promise<string> {
    if (this.#runs.has(path)) throw new UsageError(`${path} is being sent`)
    const reserved = this.budget.reserve(target, maxCalls)
    const stop = new AbortController()
    const { failed, ports } = this.#setup
    await new Promise<void>((begun, rejected) => {
      const onEvent = (event: library.RunEvent): void => {
        if (event.kind === 'started') begun()
        if (event.kind === 'progress' && event.progress.of === 'run') reserved.made = event.progress.attempts
      }
      const done = library.run({ ...options, signal: stop.signal, callEvents: false, onEvent }, ports)
      this.#runs.set(path, { stop, done })
      void done
        .catch((error: unknown) => {
          rejected(error)
          if (!(error instanceof UsageError)) failed(error)
        })
        .finally(() => {
          this.#runs.delete(path)
          this.budget.end(reserved)
          begun()
        })
    })
    this.#changed()
    return path
  }

  #isCounted = (target: string): boolean =>
    this.#setup.maxCalls !== undefined || isRemote(target, this.#setup)
}

/** `view .` serves the folder that commands are typed in, unless it holds runs itself. */
const isProject = (folder: string, cwd: string): boolean =>
  folder === cwd && !readdirSync(folder).some((name) => existsSync(join(folder, name, 'run.json')))

const timeName = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-')
