// Plays a scenario: a question set, a sandbox, and commands of the built program in order, as a user types
// them.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parse as parseCsv } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, test } from 'vitest'
import type { Summary } from '../../src/domain/summary.ts'
import { compareTexts } from '../../src/domain/text.ts'
import { sandboxConfigSchema } from '../../src/sandbox/config.ts'
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts'
import { recordedFolder } from '../recorded/cases.ts'
import {
  failingCases,
  readSummary,
  splitWords,
  startProgram,
  type ProgramResult,
} from '../support/program.ts'
import { runResident } from '../support/resident.ts'
import { startSandboxProgram } from '../support/sandbox-program.ts'
import { callsOf, fetchSandbox, usageOf } from '../support/sandbox-usage.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { asPattern, readScenarios, type Scenario, scenarioFiles, type Step } from './scenario.ts'

const ARTICLES = fileURLToPath(new URL('articles', import.meta.url))
const ADMIN_KEY = 'scenario-admin-key'
const KEY = 'scenario-key-0123456789'

type Sandbox = Pick<RunningSandbox, 'url' | 'adminKey' | 'close'>
type Seen = Readonly<Record<string, unknown>>

/** A test for each scenario that is meant, under the name of its file. */
export function testScenarios(isMeant: (scenario: Scenario) => boolean): void {
  const scratch = temporaryFolder()
  for (const file of scenarioFiles) {
    const meant = readScenarios(file).filter(isMeant)
    if (meant.length === 0) continue
    describe(file, () => {
      for (const scenario of meant)
        test.concurrent(scenario.name, { retry: scenario.retry }, async () => play(scenario, scratch))
    })
  }
}

/** Plays a scenario and compares whole objects. The ledger must lie within the account of the runs. */
async function play(scenario: Scenario, scratch: string): Promise<void> {
  const folder = mkdtempSync(join(scratch, 'scenario-'))
  const sandbox = await openSandbox(scenario, folder)
  const put = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const text = typeof content === 'string' ? content.replaceAll('{url}', sandbox.url) : content
    writeFileSync(join(folder, name), text, { mode: content.toString().startsWith('#!') ? 0o755 : 0o644 })
  }
  put('assist-harness.yaml', 'rate: unlimited\nconcurrency: 1\n')
  if (scenario.set !== undefined) put('set.csv', scenario.set)
  for (const [name, content] of Object.entries(scenario.files)) put(name, content)
  try {
    const given = new Set(readdirSync(folder))
    let before: ProgramResult | undefined
    for (const step of scenario.steps) {
      await changeFiles(step.first ?? {}, folder, sandbox, put)
      const kept = (step.keeps ?? []).map((name) => readFileSync(join(folder, name), 'utf8'))
      before = await playStep(step, scenario, folder, sandbox, before)
      const [seen, wanted] = [observe(step, before, { folder, url: sandbox.url }, given, kept), wish(step)]
      expect(seen, `${step.run}\n${before.screen}`).toEqual(wanted)
    }
    await checkLedger(scenario, folder, sandbox)
  } finally {
    await sandbox.close()
  }
}

/** Runs in this process unless the scenario wants the program, to save the start of a process. */
async function openSandbox({ sandbox, program }: Scenario, folder: string): Promise<Sandbox> {
  const organizations = { acme: { keys: [{ key: KEY }] } }
  const config = { adminKey: ADMIN_KEY, organizations, ...sandbox }
  if (!program) return startSandbox({ knowledgeBase: ARTICLES, config: sandboxConfigSchema.parse(config) })
  writeFileSync(join(folder, 'sandbox.yaml'), JSON.stringify(config))
  const running = await startSandboxProgram(['--config', 'sandbox.yaml', '--kb', ARTICLES], folder)
  return { url: running.url, adminKey: ADMIN_KEY, close: async () => running.stop() }
}

async function changeFiles(
  { fetch = [], copy = {}, remove = [], put: files = {}, replace = {} }: NonNullable<Step['first']>,
  folder: string,
  sandbox: Sandbox,
  put: (name: string, content: string | Uint8Array) => void,
): Promise<void> {
  const at = (name: string): string =>
    name.startsWith('recorded/') ? join(recordedFolder, name.slice(9)) : join(folder, name)
  for (const name of fetch) {
    const calls = await callsOf(sandbox)
    put(
      name,
      name.endsWith('.csv')
        ? stringify(calls, { header: true, cast: { boolean: String } })
        : JSON.stringify({ calls }),
    )
  }
  for (const [from, to] of Object.entries(copy)) cpSync(at(from), at(to), { recursive: true })
  for (const name of remove) rmSync(at(name), { recursive: true })
  for (const [name, content] of Object.entries(files)) put(name, content)
  for (const [name, [pattern, text]] of Object.entries(replace)) {
    const before = readFileSync(at(name), 'utf8')
    const after = before.replace(asPattern(pattern) ?? pattern, text)
    expect(after, `${pattern} in ${name}`).not.toBe(before)
    writeFileSync(at(name), after)
  }
}

async function playStep(
  step: Step,
  scenario: Scenario,
  folder: string,
  { url, adminKey }: Sandbox,
  before: ProgramResult | undefined,
): Promise<ProgramResult> {
  const resume =
    /^ *Resume: +npx assist-harness (.*)$/m.exec(`${before?.stdout}${before?.stderr}`)?.[1] ??
    '(no resume command)'
  const words = splitWords(step.run.replaceAll('{resume}', resume).replaceAll('{url}', url))
  const given = { ASSIST_BASE_URL: url, ASSIST_API_KEY: KEY, ...scenario.env, ...step.env }
  const env = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.replaceAll('{folder}', folder)]),
  )
  const cwd = join(folder, step.in ?? '')
  if (!scenario.program && step.stop === undefined) return runResident(words, { cwd, env })
  const running = startProgram(words, { cwd, env })
  const { after, by } = step.stop ?? { after: 0, by: [] }
  while ((await usageOf({ url, adminKey })).calls < after) await sleep(10)
  for (const [index, signal] of by.entries()) {
    if (index > 0) await running.waitForStderr(/: sending stopped/)
    running.signal(signal)
  }
  return running.ended
}

/** The expectations of a step; patterns that match are shown as they are written. */
function wish({ run: _run, first: _first, in: _in, stop: _stop, env: _env, ...wanted }: Step): Seen {
  const { folder: _folder, table: _table, code, ...more } = wanted
  return { code: code === 'killed' ? null : code, ...more }
}

/** What the step's expectations ask for, as it is. `given`: the scenario's own files; `kept`: `keeps` before the step. */
function observe(
  step: Step,
  ended: ProgramResult,
  { folder, url }: Pick<Sandbox, 'url'> & { readonly folder: string },
  given: ReadonlySet<string>,
  kept: readonly string[],
): Seen {
  const run = join(folder, step.folder ?? 'out')
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const screen = ended.stdout + ended.stderr
  const see: { readonly [Field in keyof Step]?: () => unknown } = {
    error: () => errorOf(ended.stderr, folder, url),
    says: () => step.says?.map((text) => shown(screen, text)),
    never: () => step.never?.map((text) => hidden(screen, text)),
    figures: () => figuresOf(readSummary(run), ended.code),
    summary: () => pick(readSummary(run), step.summary),
    holds: () => mapValues(step.holds, (paths, name) => pick(JSON.parse(read(name)), paths)),
    json: () => pick(JSON.parse(ended.stdout), step.json),
    results: () =>
      tableOf(step.table === undefined ? join(run, 'results.csv') : join(folder, step.table), step.results),
    red: () => failingCases(readFileSync(join(run, 'junit.xml'), 'utf8')),
    shows: () => mapValues(step.shows, (all, name) => all.map((text) => shown(read(name), text))),
    hides: () => mapValues(step.hides, (all, name) => all.map((text) => hidden(read(name), text))),
    nowhere: () => {
      const found = readdirSync(run).filter((name) =>
        readFileSync(join(run, name)).includes(step.nowhere ?? ''),
      )
      return found.length === 0 ? step.nowhere : found
    },
    written: () => readdirSync(folder).filter((name) => !given.has(name)),
    gone: () => step.gone?.map((name) => (existsSync(join(folder, name)) ? `there: ${name}` : name)),
    keeps: () => step.keeps?.map((name, index) => (read(name) === kept[index] ? name : `changed: ${name}`)),
  }
  const asked = Object.entries(see).filter(([field]) => step[field as keyof Step] !== undefined)
  return { code: ended.code, ...Object.fromEntries(asked.map(([field, look]) => [field, look()])) }
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** A pattern must match; any other text must stand there, whatever its white space. */
const holds = (text: string, wanted: string): boolean =>
  asPattern(wanted)?.test(text) ?? flat(text).includes(flat(wanted))

/** The wanted text if it is shown, or hidden; otherwise what is wrong. */
const shown = (text: string, wanted: string): string =>
  holds(text, wanted) ? wanted : `not shown: ${wanted}`
const hidden = (text: string, unwanted: string): string =>
  holds(text, unwanted) ? `shown: ${unwanted}` : unwanted

const mapValues = <T>(
  values: Readonly<Record<string, T>> = {},
  change: (value: T, name: string) => unknown,
): Seen => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))

/** The first line that is not a note. */
function errorOf(stderr: string, folder: string, url: string): string {
  const lines = stderr.split('\n').filter((line) => line !== '' && !/^(Note|Warning): /.test(line))
  return (lines[0] ?? '').replaceAll(`${folder}/`, '').replaceAll(folder, '.').replaceAll(url, '{url}')
}

/** The values at the wanted paths; one that matches what is wanted is shown as it is written. */
const pick = (value: unknown, wanted: Seen = {}): Seen =>
  mapValues(wanted, (asked, path) => {
    const found = path.split('.').reduce<unknown>((part, key) => (part as Seen | null)?.[key], value)
    if (typeof asked === 'string' && typeof found === 'string' && asPattern(asked)?.test(found) === true)
      return asked
    const max = (asked as { readonly max?: number } | null)?.max
    return typeof max === 'number' && typeof found === 'number' && found <= max ? asked : found
  })

function tableOf(path: string, [header = '']: readonly string[] = []): string[] {
  const rows = parseCsv<Record<string, string>>(readFileSync(path), { columns: true, bom: true })
  const columns = header.split('|')
  return [header, ...rows.map((row) => columns.map((column) => row[column]).join('|'))]
}

/** `answered 3, refused 1`, without zeros and nulls. */
const formatCounts = (counts: object): string =>
  Object.entries(counts)
    .filter(([, value]) => value !== 0 && value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/**
 * `passed; answered 4; grounded 3 of 4; certain 4`: the figures that `product.md` names. Starts with the
 * verdict, or with the state of an incomplete run; leaves out expectations if no question has any.
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
  expect(state === 'complete' || state === 'decided').toBe(verdict !== 'incomplete')
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
  const { account, ledger: wanted, conversations, endUserRefs } = scenario
  const { calls, counted, outcomes } = await usageOf(sandbox)
  if (wanted !== undefined) expect(formatCounts({ calls, counted, ...outcomes })).toEqual(wanted)
  const quotas = account.map((name) => quotaOf(join(folder, name)))
  const total = (name: 'attempts' | 'min' | 'max'): number =>
    quotas.reduce((sum, quota) => sum + quota[name], 0)
  const isWithin = calls <= total('attempts') && counted >= total('min') && counted <= total('max')
  expect({ calls, counted, isWithin }, JSON.stringify(quotas)).toEqual({ calls, counted, isWithin: true })
  // Without faults the ledger equals the account.
  if (scenario.sandbox?.['faults'] === undefined && total('min') === total('max'))
    expect({ calls, counted }).toEqual({ calls: total('attempts'), counted: total('min') })
  if (conversations === undefined && endUserRefs === undefined) return
  const received = await conversationsOf(sandbox)
  // Concurrent conversations arrive in any order.
  const questions = received.map(({ turns }) => turns.map(({ message }) => message).join(' / '))
  if (conversations) expect(questions.sort(compareTexts)).toEqual(conversations.toSorted(compareTexts))
  if (endUserRefs) expect(received.map(({ endUserRef }) => endUserRef)).toEqual(endUserRefs)
}

/** The account of a run, a load test or a search for the limit. */
function quotaOf(folder: string): Summary['quota'] {
  const file = ['summary.json', 'load.json', 'limit.json'].find((name) => existsSync(join(folder, name)))
  return (JSON.parse(readFileSync(join(folder, file ?? 'summary.json'), 'utf8')) as Summary).quota
}

async function conversationsOf(sandbox: Sandbox) {
  const read = async (id: string) =>
    JSON.parse(await fetchSandbox(sandbox, `conversations/${id}`)) as {
      readonly endUserRef: string | null
      readonly turns: readonly { readonly message: string }[]
    }
  const ids = new Set((await callsOf(sandbox)).flatMap(({ conversationId }) => conversationId ?? []))
  return Promise.all([...ids].map(read))
}
