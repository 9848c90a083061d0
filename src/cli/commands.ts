// What each command does: options in, the library's function, the account and the exit code out.
import { existsSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import * as library from '../library/index.ts'
import { type CommandName, takes } from '../options/commands.ts'
import { faultsError, UsageError } from '../options/faults.ts'
import { optionNames, readValues, type RunSettings } from '../options/settings.ts'
import { shellWord } from '../report/escape.ts'
import { makeFolder } from '../store/files.ts'
import type { CommandAccount, Result } from './accounts.ts'
import type { Command } from './command-table.ts'
import { limitHeapGrowth, type ProcessSignals } from './process.ts'
import { createListener } from './progress.ts'
import { EXIT, sayFailure, type Screen, worstExitCode } from './screen.ts'
import {
  configured,
  loadConfig,
  readYaml,
  takenBy,
  targetsIn,
  targetsOfConfig,
  type Typed,
} from './written.ts'

export interface Surroundings {
  readonly screen: Screen
  readonly ports: library.Ports
  readonly signals?: ProcessSignals | undefined
}

interface Call extends Surroundings {
  readonly typed: Typed
  readonly paths: readonly string[]
}
type Handler = (call: Call) => Promise<number>

/** Returns the exit code. Throws UsageError. */
export async function runCommand({ name }: Command, call: Call): Promise<number> {
  const { resume } = call.typed
  limitHeapGrowth([...call.paths, ...(typeof resume === 'string' ? [resume] : [])])
  return HANDLERS[name](call)
}

function parseTyped(command: CommandName, typed: Typed): RunSettings {
  const names = optionNames((_, name) => takes(command, name))
  const { settings, issues } = readValues(typed, names)
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

async function openConfig(command: 'run' | 'load' | 'estimate', call: Call) {
  const { typed, paths, ports, screen } = call
  const parsed = parseTyped(command, typed)
  const config = await loadConfig(parsed.config)
  const { json, open, debug = false, logFormat } = { ...config.parsed, ...parsed }
  if (logFormat === 'json') screen.isJson = true
  // A resume keeps the recorded options and targets, unless they are typed again.
  const isResume = parsed.resume !== undefined
  const chosen = isResume
    ? {
        options: takenBy(command, typed),
        isSandbox: typed['sandbox'] === true,
        targets: targetsIn(config, command),
      }
    : targetsOfConfig(command, config, { written: typed, parsed }, ports)
  // Masks keys that the command itself does not read, too.
  for (const { apiKeyEnv = library.KEY_VARIABLE } of [chosen.options, ...chosen.targets])
    if (typeof apiKeyEnv === 'string') ports.secrets.keepLong(ports.env[apiKeyEnv])
  if (isResume || paths.length > 0) return { ...chosen, datasets: paths, json, open, debug }
  limitHeapGrowth(config.datasets)
  return { ...chosen, datasets: config.datasets, json, open, debug }
}

/** Delays the code of the reports, which would delay the first call. */
const loadAccounts = async () => import('./accounts.ts')
type Accounts = Awaited<ReturnType<typeof loadAccounts>>

async function send(
  command: 'run' | 'load',
  call: Call,
  act: (options: library.RunOptions) => Promise<readonly PromiseSettledResult<Result>[]>,
): Promise<number> {
  const { options, datasets, isSandbox, targets, debug, ...wanted } = await openConfig(command, call)
  const { screen, signals } = call
  const listener = createListener(command, debug, call)
  const settled = await act({
    ...options,
    datasets,
    sandbox: isSandbox,
    targets,
    ...signals?.options,
    onEvent: listener.hear,
    callEvents: debug,
  }).finally(listener.end)
  const results = settled.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
  const faults = settled.flatMap((run) => (run.status === 'rejected' ? [run.reason as unknown] : []))
  const { accountOf, conclude } = await loadAccounts()
  const code = results.length === 0 ? [] : [await conclude(accountOf(results), wanted, screen)]
  return worstExitCode([...code, ...faults.map((fault) => sayFailure(fault, screen))])
}

const run: Handler = async (call) =>
  send('run', call, async (options) => library.runTargets(options, call.ports))

const load: Handler = async (call) =>
  send('load', call, async (options) => [
    { status: 'fulfilled', value: await library.load(options, call.ports) },
  ])

const estimate: Handler = async (call) => {
  const { options, datasets, isSandbox, targets, ...wanted } = await openConfig('estimate', call)
  const { estimateDocument } = await import('../report/plan-documents.ts')
  const sending = { ...options, datasets, sandbox: isSandbox, targets, onEvent: notes(call) }
  const results = await library.estimateTargets(sending, call.ports)
  const estimates = results.map(({ notes: _notes, target, ...figures }) => ({
    formatVersion: 1,
    harnessVersion: library.VERSION,
    target: targets.length === 0 ? null : target,
    ...figures,
  }))
  const parts = estimates.map((each) => ({ document: estimateDocument(each, each.target), footer: [] }))
  const { conclude } = await loadAccounts()
  return conclude({ parts, json: estimates.length > 1 ? estimates : estimates[0] }, wanted, call.screen)
}

const notes =
  ({ screen }: Surroundings) =>
  (event: library.RunEvent): void => {
    if (event.kind === 'note') screen.note(event.text)
  }

const recorded =
  (
    act: (
      options: Typed & { readonly onEvent: (event: library.RunEvent) => void },
      paths: readonly string[],
      ports: library.Ports,
      accounts: Accounts,
    ) => Promise<CommandAccount>,
  ): Handler =>
  async (call) => {
    const { typed, paths, ports, screen } = call
    const { json, open, ...options } = typed
    ports.secrets.keepLong(ports.env[library.KEY_VARIABLE])
    const accounts = await loadAccounts()
    const account = await act({ ...options, onEvent: notes(call) }, paths, ports, accounts)
    return accounts.conclude(account, { json, open }, screen)
  }

const report = recorded(async (options, [path = ''], ports, { accountOf }) =>
  accountOf([await library.report({ ...options, run: path }, ports)]),
)

const merge = recorded(async (options, runs, ports, { accountOf }) =>
  accountOf([await library.merge({ ...options, runs }, ports)]),
)

const compare = recorded(async (options, [baseline = '', candidate = ''], ports, { accountOf }) =>
  accountOf([await library.compare({ ...options, baseline, candidate }, ports)]),
)

const rehearse = recorded(async (options, [path = ''], ports) => {
  const { rehearsal, document, folder, affected } = await library.rehearse({ ...options, run: path }, ports)
  const again =
    affected === null
      ? []
      : [affected, `Ask again: npx assist-harness run ${shellWord(affected)} --baseline ${shellWord(path)}`]
  const page = join(folder, 'rehearsal.html')
  return { parts: [{ document, footer: [page, ...again] }], json: rehearsal, pages: [page] }
})

const history = recorded(async ({ onEvent: _onEvent, ...options }, [folder = ''], ports) => {
  const { historyDocument } = await import('../report/history.ts')
  const { history: made, table } = await library.history({ ...options, folder }, ports)
  const document = historyDocument(made, basename(resolve(folder)))
  return { parts: [{ document, footer: [table], rest: 'with --json', rows: Infinity }], json: made }
})

const validate: Handler = async (call) => {
  const { paths, typed, screen, ports } = call
  const config = await loadConfig(parseTyped('validate', typed).config)
  const { json, config: _config, ...options } = { ...takenBy('validate', config.written), ...typed }
  const datasets = paths.length > 0 ? paths : config.datasets
  ports.secrets.keepLong(ports.env[library.KEY_VARIABLE])
  const { surveyDocument } = await import('../report/plan-documents.ts')
  const result = await library.validate({ ...options, datasets, onEvent: notes(call) }, ports)
  const { warnings } = result.kind === 'valid' ? result.survey : result
  for (const warning of warnings) screen.note(warning)
  if (result.kind === 'valid') {
    const { conclude } = await loadAccounts()
    const parts = [{ document: surveyDocument(result.survey), footer: [], rows: 10 }]
    return conclude({ parts, json: result }, { json }, screen)
  }
  if (json === true) await screen.printJson(result)
  throw faultsError(result.faults)
}

const draft: Handler = async ({ typed, paths: exports, screen }) => {
  const { json, ...options } = typed
  const { draftDocument } = await import('../report/draft-document.ts')
  const made = await library.draft({ ...options, exports })
  const { conclude } = await loadAccounts()
  const footer = [made.out, `Check: npx assist-harness validate ${shellWord(made.out)}`]
  const parts = [{ document: draftDocument(made), footer, rest: 'with --json' }]
  return conclude({ parts, json: made }, { json }, screen)
}

/** Prints to stdout what a shell can source; the rest is for people. */
const sandbox: Handler = async ({ typed, screen }) => {
  const { config: path } = parseTyped('sandbox', typed)
  const { config: _config, ...options } = typed
  const say = (text: string): void => screen.say(text)
  const configName = path === undefined ? undefined : library.resolveShipped(path, say)
  const config = configName === undefined ? {} : { config: (await readYaml(configName)) ?? {}, configName }
  const { url, apiKey, adminKey, close } = await library.startSandbox({ ...options, ...config, say })
  // Listens before the first line is printed: its reader may send the signal at once.
  const signal = nextSignal()
  await screen.print(
    [
      `export ASSIST_BASE_URL=${url}`,
      `export ASSIST_API_KEY=${shellWord(apiKey)}`,
      `export ASSIST_ADMIN_KEY=${shellWord(adminKey)}`,
    ].join('\n'),
  )
  say(`
The sandbox answers at ${url}. With these variables set:

curl -s "$ASSIST_BASE_URL/api/v1/assist" \\
  -H "Authorization: Bearer $ASSIST_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"message":"How do I reset my password?"}'
npx assist-harness run ${shellWord(library.SHIPPED_QUESTIONS)}
curl -s "$ASSIST_BASE_URL/sandbox/usage" -H "Authorization: Bearer $ASSIST_ADMIN_KEY"

Ctrl-C stops.`)
  say(`\n${await signal}: stopping the sandbox`)
  await close()
  return EXIT.ok
}

const view: Handler = async ({ typed, paths: [folder = 'reports'], screen, ports }) => {
  const parsed = parseTyped('view', typed)
  const config = await loadConfig(parsed.config)
  if (!existsSync(folder)) {
    if (parsed.readOnly === true)
      throw new UsageError(`${folder} does not exist; check the path and the current folder`)
    makeFolder(folder, undefined, '')
    screen.note(`${folder} did not exist: it was made, and holds no run yet`)
  }
  const { startWorkbench } = await import('../workbench/server.ts')
  const [options, targets] = [configured(config), targetsIn(config, 'run')]
  const isFolder = statSync(parsed.articles ?? '', { throwIfNoEntry: false })?.isDirectory() === true
  for (const { apiKeyEnv = library.KEY_VARIABLE } of [options, ...targets])
    if (typeof apiKeyEnv === 'string') ports.secrets.keepLong(ports.env[apiKeyEnv])
  const workbench = await startWorkbench({
    folder,
    options,
    targets,
    articles: parsed.articles,
    // A draft of an article is tried by asking the sandbox.
    kb: config.parsed.kb ?? (isFolder ? parsed.articles : undefined),
    maxCalls: parsed.maxCalls,
    port: typed['port'] === undefined ? undefined : parsed.port,
    isReadOnly: parsed.readOnly === true,
    ports,
    failed: (error) => void sayFailure(error, screen),
  })
  const signal = nextSignal()
  await screen.print(workbench.url)
  const { openInBrowser } = await loadAccounts()
  if (parsed.noOpen !== true) await openInBrowser(workbench.url, 'the address', screen)
  if (workbench.isOther) {
    screen.note(`another process serves ${folder}: this is its address`)
    return EXIT.ok
  }
  screen.say(`The workbench serves ${resolve(folder)}. Ctrl-C stops it.`)
  screen.say(`\n${await signal}: stopping the workbench`)
  await workbench.close()
  return EXIT.ok
}

const nextSignal = async (): Promise<NodeJS.Signals> =>
  new Promise((settle) => {
    process.once('SIGINT', settle)
    process.once('SIGTERM', settle)
  })

const HANDLERS: Readonly<Record<CommandName, Handler>> = {
  run,
  estimate,
  load,
  validate,
  draft,
  report,
  merge,
  compare,
  rehearse,
  history,
  view,
  sandbox,
}
