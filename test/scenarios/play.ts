// Plays a scenario: a question set, a sandbox, and commands of the built program in order, as a user types them.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type * as z from 'zod'
import { compareTexts } from '../../src/domain/text.ts'
import type { Summary } from '../../src/domain/summary.ts'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'
import {
  failingCases,
  readResults,
  readSummary,
  startProgram,
  splitWords,
  type ProgramResult,
} from '../support/program.ts'
import { runResident } from '../support/resident.ts'
import { readSandbox, usageOf } from '../support/sandbox-usage.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'

const ARTICLES = fileURLToPath(new URL('articles', import.meta.url))
const ADMIN_KEY = 'scenario-admin-key'
const KEY = 'scenario-key-0123456789'

export type SandboxConfig = z.input<typeof sandboxConfigSchema>

/** Values by path, such as `calls.base`. An object or list under a path is compared as a whole. */
export type ByPath = Readonly<Record<string, unknown>>

/** What is expected of a step besides its exit code. Only the given fields are compared. */
interface Expected {
  /** The first line of stderr that is not a note. The folder is shown as `.`, the sandbox's address as `{url}`. */
  readonly error?: string
  /** Patterns that stdout or stderr must match. */
  readonly says?: RegExp | readonly RegExp[]
  /** The figures of the run folder `out` or `folder`: see `figuresOf`. */
  readonly figures?: string
  readonly folder?: string
  /** Values in `summary.json` of that folder. */
  readonly summary?: ByPath
  /** Values in other JSON files of the scenario's folder. */
  readonly holds?: Readonly<Record<string, ByPath>>
  /** Values in the JSON on stdout. */
  readonly json?: ByPath
  /** From `results.csv` of that folder: names of columns, then each row's cells, joined with a bar. */
  readonly results?: readonly string[]
  /** Names of the failing cases of `junit.xml`; questions by id. */
  readonly red?: readonly string[]
  /** Patterns that files of the scenario's folder must match. */
  readonly shows?: Readonly<Record<string, RegExp>>
  /** Text that no file of that folder may hold. */
  readonly nowhere?: string
  /** What is in the scenario's folder besides the scenario's own files. */
  readonly written?: readonly string[]
}

export interface Step extends Expected {
  /**
   * Typed after `assist-harness` in the scenario's folder; single quotes keep white space. `{url}` is the sandbox's address,
   * `{resume}` the resume command that the previous step printed.
   */
  readonly run: string
  /** The exit code; null if killed. */
  readonly code: number | null
  /** Signals, sent in order when the sandbox has received that many calls of the scenario. */
  readonly stop?: { readonly after: number; readonly by: readonly NodeJS.Signals[] }
  readonly env?: Readonly<Record<string, string>>
}

/** `more`: what is expected besides the exit code; a string is the figures. */
export const step = (
  run: string,
  code: number | null,
  more: Omit<Step, 'run' | 'code'> | string = {},
): Step => ({ run, code, ...(typeof more === 'string' ? { figures: more } : more) })

type Files = Readonly<Record<string, string | Uint8Array>>

export interface Scenario {
  /** The title of the test. */
  readonly name: string
  /** Content of `set.csv`. */
  readonly set?: string | Uint8Array
  readonly files?: Files
  readonly sandbox?: SandboxConfig
  /** Runs the sandbox as a process of the built program, too. */
  readonly isSandboxProgram?: true
  readonly env?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  /** The sandbox's ledger at the end: `calls 4, counted 4, answered 4`. */
  readonly ledger?: string
  /** The questions of each conversation, in the order in which the sandbox received them. */
  readonly conversations?: readonly (readonly string[])[]
  readonly endUserRefs?: unknown
  /** The run folders whose accounts add up to the ledger; default `out`. */
  readonly account?: readonly string[]
}

/** Plays a scenario and compares whole objects. The ledger must lie within the account of the runs. */
export async function play(scenario: Scenario, scratch: string): Promise<void> {
  const folder = mkdtempSync(join(scratch, 'scenario-'))
  const sandbox = await openSandbox(scenario, folder)
  const set = scenario.set === undefined ? {} : { 'set.csv': scenario.set }
  const config = { 'assist-harness.yaml': 'rate: unlimited\nconcurrency: 1\n' }
  putAll(folder, { ...config, ...set, ...scenario.files }, sandbox.url)
  try {
    const given = new Set(readdirSync(folder))
    let before: ProgramResult | undefined
    for (const played of scenario.steps) {
      const ended = await playStep(played, scenario, folder, sandbox, before)
      const { run, stop: _stop, env: _env, folder: _folder, ...expected } = played
      const seen = outcomeOf(played, ended, folder, sandbox.url, given)
      expect(seen, `${run}\n${ended.stderr}`).toEqual(expected)
      before = ended
    }
    await checkLedger(scenario, folder, sandbox)
  } finally {
    await sandbox.close()
  }
}

function putAll(folder: string, files: Files, url: string): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof text === 'string' ? text.replaceAll('{url}', url) : text)
  }
}

type Sandbox = Pick<RunningSandbox, 'url' | 'adminKey' | 'close'>

/** Runs in this process unless the scenario wants the program, to save the start of a process. */
async function openSandbox({ sandbox, isSandboxProgram }: Scenario, folder: string): Promise<Sandbox> {
  const organizations = { acme: { keys: [{ key: KEY }] } }
  const config = { adminKey: ADMIN_KEY, organizations, ...sandbox }
  if (!isSandboxProgram)
    return startSandbox({ knowledgeBase: ARTICLES, config: sandboxConfigSchema.parse(config) })
  writeFileSync(join(folder, 'sandbox.yaml'), JSON.stringify(config))
  const program = await startSandboxProgram(['--config', 'sandbox.yaml', '--kb', ARTICLES], folder)
  return { url: program.url, adminKey: ADMIN_KEY, close: async () => program.stop() }
}

async function playStep(
  played: Step,
  scenario: Scenario,
  cwd: string,
  { url, adminKey }: Sandbox,
  before: ProgramResult | undefined,
): Promise<ProgramResult> {
  const resume =
    /^ *Resume: +npx assist-harness (.*)$/m.exec(`${before?.stdout}${before?.stderr}`)?.[1] ??
    '(no resume command)'
  const typed = played.run.replaceAll('{resume}', resume).replaceAll('{url}', url)
  const words = splitWords(typed)
  const env = { ASSIST_BASE_URL: url, ASSIST_API_KEY: KEY, ...scenario.env, ...played.env }
  // A reused process may know a key of another scenario, and mask it.
  const isStarted = scenario.isSandboxProgram ?? (played.stop !== undefined || played.nowhere !== undefined)
  if (!isStarted) return runResident(words, { cwd, env })
  const running = startProgram(words, { cwd, env })
  if (played.stop) {
    while ((await usageOf({ url, adminKey })).calls < played.stop.after) await sleep(10)
    for (const [place, signal] of played.stop.by.entries()) {
      if (place > 0) await running.waitForStderr(/: sending stopped/)
      running.signal(signal)
    }
  }
  return running.ended
}

type Seen = Record<string, unknown>

/** The fields that the step expects. A pattern replaces the text that it matches. */
function outcomeOf(
  wanted: Step,
  ended: ProgramResult,
  cwd: string,
  url: string,
  given: ReadonlySet<string>,
): Seen {
  const { error, says, figures, summary, holds, json, results, red, shows, nowhere, written } = wanted
  const folder = join(cwd, wanted.folder ?? 'out')
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  const unsaid = [says ?? []].flat().filter((pattern) => !pattern.test(ended.stdout + ended.stderr))
  const filesWith = (text: string): string[] =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text))
  return {
    code: ended.code,
    ...(error !== undefined && { error: errorOf(ended.stderr, cwd, url) }),
    ...(says && { says: unsaid.length === 0 ? says : { unsaid } }),
    ...(figures !== undefined && { figures: figuresOf(readSummary(folder), ended.code) }),
    ...(summary && { summary: pick(readSummary(folder), summary) }),
    ...(holds && { holds: mapValues(holds, (paths, name) => pick(JSON.parse(read(name)), paths)) }),
    ...(json && { json: pick(JSON.parse(ended.stdout), json) }),
    ...(results && { results: tableOf(folder, results[0]) }),
    ...(red && { red: failingCases(readFileSync(join(folder, 'junit.xml'), 'utf8')) }),
    ...(shows && { shows: mapValues(shows, (pattern, name) => (pattern.test(read(name)) ? pattern : 'no')) }),
    ...(nowhere !== undefined && {
      nowhere: filesWith(nowhere).length === 0 ? nowhere : { in: filesWith(nowhere) },
    }),
    ...(written && { written: readdirSync(cwd).filter((name) => !given.has(name)) }),
  }
}

const mapValues = <T>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => unknown,
): Seen => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))

/** The first line that is not a note. */
function errorOf(stderr: string, cwd: string, url: string): string {
  const lines = stderr.split('\n').filter((line) => line !== '' && !/^(Note|Warning): /.test(line))
  return (lines[0] ?? '').replaceAll(`${cwd}/`, '').replaceAll(cwd, '.').replaceAll(url, '{url}')
}

const readPath = (value: unknown, path: string): unknown =>
  path === '' ? value : path.split('.').reduce<unknown>((part, key) => (part as Seen | null)?.[key], value)

const pick = (value: unknown, wanted: ByPath): ByPath =>
  Object.fromEntries(Object.keys(wanted).map((path) => [path, readPath(value, path)]))

const tableOf = (folder: string, header = ''): string[] => [
  header,
  ...readResults(folder).map((row) =>
    header
      .split('|')
      .map((column) => row[column])
      .join('|'),
  ),
]

/** `answered 3, refused 1`, without zeros and nulls. */
const formatCounts = (counts: object): string =>
  Object.entries(counts)
    .filter(([, value]) => value !== 0 && value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/**
 * `passed; answered 4; grounded 3 of 4; certain 4`: the figures that `product.md` names. Starts with the verdict, or with the state of
 * an incomplete run; leaves out expectations if no question has any.
 */
function figuresOf(summary: Summary, code: number | null): string {
  // The verdict, the file and the process agree.
  expect(summary.exitCode).toBe(code)
  const { coverage, quota, errors, turns, verdict, state } = summary
  const { total, contextLost, ...outcomes } = turns
  const { rate: _, ...expectations } = summary.expectations
  const { attempts, certain, possible, notCounted, min, max } = quota
  expect([min, max]).toEqual([certain, certain + possible])
  expect(attempts).toBe(certain + possible + notCounted)
  expect(total).toBe(Object.values(outcomes).reduce((sum, count) => sum + count, 0))
  expect(state === 'complete').toBe(verdict !== 'incomplete')
  const byStatus = formatCounts(errors.byHttpStatus)
  const expected = formatCounts(expectations)
  return [
    state === 'complete' ? verdict : state,
    formatCounts({ ...outcomes, contextLost }),
    `grounded ${coverage.grounded} of ${coverage.answered}`,
    ...(byStatus === '' ? [] : [`errors ${byStatus}`]),
    ...(expected === `none ${total}` ? [] : [`expectations ${expected}`]),
    formatCounts({ certain, possible, notCounted }),
  ].join('; ')
}

async function checkLedger(scenario: Scenario, folder: string, sandbox: Sandbox): Promise<void> {
  const { account = ['out'], ledger: wanted, conversations, endUserRefs } = scenario
  const { calls, counted, outcomes } = await usageOf(sandbox)
  if (wanted !== undefined) expect(formatCounts({ calls, counted, ...outcomes })).toEqual(wanted)
  const quotas = account.map((name) => quotaOf(join(folder, name)))
  const total = (name: 'attempts' | 'min' | 'max'): number =>
    quotas.reduce((sum, quota) => sum + quota[name], 0)
  const ledger = { calls, counted }
  const isWithin = calls <= total('attempts') && counted >= total('min') && counted <= total('max')
  expect({ ledger, isWithin }, JSON.stringify(quotas)).toEqual({ ledger, isWithin: true })
  // Without faults the ledger equals the account.
  if (scenario.sandbox?.faults === undefined && total('min') === total('max'))
    expect({ calls, counted }).toEqual({ calls: total('attempts'), counted: total('min') })
  if (!conversations && !endUserRefs) return
  const received = await conversationsOf(sandbox)
  if (conversations)
    expect(inOrder(received.map(({ turns }) => turns.map(({ message }) => message)))).toEqual(
      inOrder(conversations),
    )
  if (endUserRefs) expect(received.map(({ endUserRef }) => endUserRef)).toEqual(endUserRefs)
}

/** The account of a run, a load test or a search for the limit. */
function quotaOf(folder: string): Summary['quota'] {
  const file = ['summary.json', 'load.json', 'limit.json'].find((name) => existsSync(join(folder, name)))
  return (JSON.parse(readFileSync(join(folder, file ?? 'summary.json'), 'utf8')) as Pick<Summary, 'quota'>)
    .quota
}

/** Sorted, because concurrent conversations arrive in any order. */
const inOrder = (conversations: readonly (readonly string[])[]): string[] =>
  conversations.map((questions) => questions.join(' / ')).sort(compareTexts)

interface SandboxConversation {
  readonly id: string
  readonly endUserRef: string | null
  readonly turns: readonly { readonly message: string }[]
}

async function conversationsOf(sandbox: Sandbox): Promise<SandboxConversation[]> {
  const { conversations } = (await readSandbox(sandbox, 'conversations')) as {
    conversations: { id: string }[]
  }
  return Promise.all(
    conversations.map(
      async ({ id }) => (await readSandbox(sandbox, `conversations/${id}`)) as SandboxConversation,
    ),
  )
}
