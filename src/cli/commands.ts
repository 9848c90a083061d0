// What each command does: options in, the library's function, the account and the exit code out.
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import * as library from '../library/index.ts'
import { faultsError, UsageError } from '../options/faults.ts'
import { optionNames, readValues, type RunSettings, takes } from '../options/settings.ts'
import type { CommandName } from '../options/table.ts'
import { shellWord } from '../report/escape.ts'
import type { CommandAccount } from './accounts.ts'
import type { Command } from './command-table.ts'
import { type Chosen, configured, loadConfig, targetsIn, targetsOfConfig } from './config.ts'
import { sayFailure } from './failure.ts'
import { limitHeapGrowth } from './memory.ts'
import { openInBrowser } from './open.ts'
import { createListener } from './progress.ts'
import { EXIT, type Screen, worstExitCode } from './screen.ts'
import type { ProcessSignals } from './signals.ts'
import type { Typed } from './typed.ts'

export interface Surroundings {
  readonly screen: Screen
  readonly ports: library.Ports
  readonly signals?: ProcessSignals | undefined
}

type Handler = (typed: Typed, words: readonly string[], around: Surroundings) => Promise<number>

/** Returns the exit code. Throws UsageError. */
export async function runCommand(
  { name }: Command,
  typed: Typed,
  words: readonly string[],
  around: Surroundings,
): Promise<number> {
  limitHeapGrowth([...words, ...(typeof typed['resume'] === 'string' ? [typed['resume']] : [])])
  return HANDLERS[name](typed, words, around)
}

function parseTyped(command: CommandName, typed: Typed): RunSettings {
  const names = optionNames((option) => takes(command, option))
  const { settings, issues } = readValues(typed, names)
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

async function openConfig(
  command: 'run' | 'load' | 'estimate',
  [typed, words, { ports, screen }]: Parameters<Handler>,
) {
  const parsed = parseTyped(command, typed)
  const config = await loadConfig(parsed.config)
  const { json, open, debug = false, logFormat } = { ...config.parsed, ...parsed }
  if (logFormat === 'json') screen.useJson()
  // A resume keeps the recorded options and targets, unless they are typed again.
  const isResume = parsed.resume !== undefined
  const chosen = isResume
    ? resumed(typed, targetsIn(config, command))
    : targetsOfConfig(command, config, { written: typed, parsed }, ports)
  // Masks keys that the command itself does not read, too.
  for (const { apiKeyEnv = library.KEY_VARIABLE } of [chosen.options, ...chosen.targets])
    if (typeof apiKeyEnv === 'string') library.hideKey(apiKeyEnv, ports)
  if (isResume || words.length > 0) return { ...chosen, datasets: words, json, open, debug }
  limitHeapGrowth(config.datasets)
  return { ...chosen, datasets: config.datasets, json, open, debug }
}

function resumed(written: Typed, targets: Chosen['targets']): Chosen {
  const { config: _config, json: _json, open: _open, debug: _debug, logFormat: _format, ...rest } = written
  const { sandbox, ...options } = rest
  return { options, isSandbox: sandbox === true, targets }
}

/** Loaded late: the code of the reports would delay the first call. */
const loadAccounts = async () => import('./accounts.ts')
type Accounts = Awaited<ReturnType<typeof loadAccounts>>

async function send<Result>(
  command: 'run' | 'load',
  given: Parameters<Handler>,
  act: (options: library.RunOptions) => Promise<readonly PromiseSettledResult<Result>[]>,
  accountOf: (results: readonly Result[], accounts: Accounts) => CommandAccount,
): Promise<number> {
  const { options, datasets, isSandbox, targets, debug, ...wanted } = await openConfig(command, given)
  const [, , around] = given
  const { screen, signals } = around
  const listener = createListener(command, debug, around)
  const settled = await act({
    ...options,
    datasets,
    sandbox: isSandbox,
    targets,
    ...signals?.options,
    onEvent: listener.hear,
    callEvents: debug,
  }).finally(listener.end)
  const results = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const faults = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const accounts = await loadAccounts()
  const code =
    results.length === 0 ? [] : [await accounts.conclude(accountOf(results, accounts), wanted, screen)]
  return worstExitCode([...code, ...faults.map((fault) => sayFailure(fault, screen))])
}

const run: Handler = async (...given) =>
  send(
    'run',
    given,
    async (options) => library.runTargets(options, given[2].ports),
    (results, { accountOfRuns }) => accountOfRuns(results),
  )

const load: Handler = async (...given) =>
  send(
    'load',
    given,
    async (options) => [{ status: 'fulfilled', value: await library.load(options, given[2].ports) }],
    (results, { accountOfLoad }) => accountOfLoad(results),
  )

const estimate: Handler = async (...given) => {
  const { options, datasets, isSandbox, targets, ...wanted } = await openConfig('estimate', given)
  const [, , around] = given
  const { estimateDocument } = await import('../report/plan-documents.ts')
  const asked = { ...options, datasets, sandbox: isSandbox, targets, onEvent: notes(around) }
  const found = await library.estimateTargets(asked, around.ports)
  const estimates = found.map(({ notes: _notes, target, ...one }) => ({
    formatVersion: 1,
    harnessVersion: library.VERSION,
    target: targets.length === 0 ? null : target,
    ...one,
  }))
  const parts = estimates.map((one) => ({ document: estimateDocument(one, one.target), footer: [] }))
  const { conclude } = await loadAccounts()
  return conclude({ parts, json: estimates.length > 1 ? estimates : estimates[0] }, wanted, around.screen)
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
      words: readonly string[],
      ports: library.Ports,
      accounts: Accounts,
    ) => Promise<CommandAccount>,
  ): Handler =>
  async ({ json, open, ...options }, words, around) => {
    const { ports, screen } = around
    library.hideKey(library.KEY_VARIABLE, ports)
    const accounts = await loadAccounts()
    const account = await act({ ...options, onEvent: notes(around) }, words, ports, accounts)
    return accounts.conclude(account, { json, open }, screen)
  }

const report = recorded(async (options, [path = ''], ports, { accountOfRuns, accountOfLoad }) => {
  const result = await library.report({ ...options, run: path }, ports)
  return result.kind === 'run' ? accountOfRuns([result]) : accountOfLoad([result])
})

const merge = recorded(async (options, runs, ports, { accountOfRuns }) =>
  accountOfRuns([await library.merge({ ...options, runs }, ports)]),
)

const compare = recorded(async (options, [baseline = '', candidate = ''], ports, { accountOfComparison }) =>
  accountOfComparison(await library.compare({ ...options, baseline, candidate }, ports)),
)

const history = recorded(async ({ onEvent: _onEvent, ...options }, [folder = '']) => {
  const { historyDocument } = await import('../report/history.ts')
  const { history: made, table } = await library.history({ ...options, folder })
  const document = historyDocument(made, basename(resolve(folder)))
  return { parts: [{ document, footer: [table], rest: 'with --json', isWhole: true }], json: made }
})

const validate: Handler = async ({ json, ...options }, datasets, around) => {
  const { screen, ports } = around
  library.hideKey(library.KEY_VARIABLE, ports)
  const { surveyDocument } = await import('../report/plan-documents.ts')
  const result = await library.validate({ ...options, datasets, onEvent: notes(around) })
  const { warnings } = result.kind === 'valid' ? result.survey : result
  for (const warning of warnings) screen.note(warning)
  if (result.kind === 'valid') {
    const { conclude } = await loadAccounts()
    const parts = [{ document: surveyDocument(result.survey), footer: [] }]
    return conclude({ parts, json: result }, { json }, screen)
  }
  if (json === true) await screen.printJson(result)
  throw faultsError(result.faults)
}

const draft: Handler = async ({ json, ...options }, exports, around) => {
  const { draftDocument } = await import('../report/draft-document.ts')
  const made = await library.draft({ ...options, exports })
  const { conclude } = await loadAccounts()
  const next = `Check: npx assist-harness validate ${shellWord(made.out)}`
  return conclude(
    { parts: [{ document: draftDocument(made), footer: [made.out, next], rest: 'with --json' }], json: made },
    { json },
    around.screen,
  )
}

/**
 * An Assist endpoint on this machine, until Ctrl-C. stdout can be sourced by a shell; the rest is for people.
 */
const sandbox: Handler = async (typed, _words, { screen }) => {
  const { config: path } = parseTyped('sandbox', typed)
  const { config: _config, ...options } = typed
  const say = (text: string): void => screen.say(text)
  const configName = path === undefined ? undefined : library.resolveShipped(path, say)
  const config =
    configName === undefined
      ? {}
      : { config: (await import('./read-yaml.ts')).readYaml(configName) ?? {}, configName }
  const { url, apiKey, adminKey, close } = await library.startSandbox({
    ...options,
    ...config,
    say,
  })
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

const view: Handler = async (typed, [folder = 'reports'], { screen, ports }) => {
  const parsed = parseTyped('view', typed)
  const config = await loadConfig(parsed.config)
  const { startWorkbench } = await import('../workbench/server.ts')
  const [options, targets] = [configured(config), targetsIn(config, 'run')]
  const isFolder = statSync(parsed.articles ?? '', { throwIfNoEntry: false })?.isDirectory() === true
  for (const { apiKeyEnv = library.KEY_VARIABLE } of [options, ...targets])
    if (typeof apiKeyEnv === 'string') library.hideKey(apiKeyEnv, ports)
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
  history,
  view,
  sandbox,
}
