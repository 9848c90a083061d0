// What each command does: options in, the library's function, the account and the exit code out.
import type { RunEvent } from '../library/events.ts'
import { continued, type RunJob } from '../library/job.ts'
import type { CommandName } from '../options/table.ts'
import { optionNames, readValues, requireBaseline, takes, type RunSettings } from '../options/settings.ts'
import { hideKey, KEY_VARIABLE } from '../library/secrets.ts'
import { VERSION } from '../library/shipped.ts'
import type { CarriedOut } from '../library/session.ts'
import { UsageError } from '../options/faults.ts'
import { shellWord } from '../report/escape.ts'
import type { Account } from './accounts.ts'
import type { Command } from './command-table.ts'
import { chooseTargets, loadConfig } from './config.ts'
import { sayFailure } from './failure.ts'
import { EXIT, note, print, printJson, say, worstExitCode } from './output.ts'
import type { Typed } from './typed.ts'
import { createListener } from './progress.ts'
import { stopSignals } from './signals.ts'

/** Returns the exit code. Throws UsageError for what cannot be done as typed. */
type Handler = (typed: Typed, places: readonly string[]) => Promise<number>

/** Returns the exit code. Throws UsageError. */
export const runCommand = async (
  { name }: Command,
  typed: Typed,
  places: readonly string[],
): Promise<number> => HANDLERS[name](typed, places)

/** Parses all options of a command as typed. Throws UsageError with every invalid one. */
function readTyped(command: CommandName, typed: Typed): RunSettings {
  const { settings, issues } = readValues(
    typed,
    optionNames((option) => takes(command, option)),
  )
  if (issues.length > 0) throw new UsageError(issues)
  return settings
}

/** What `run`, `load` and `estimate` have in common: options and targets of the config file. */
async function openConfig(command: 'run' | 'load' | 'estimate', typed: Typed) {
  const parsed = readTyped(command, typed)
  const config = await loadConfig(parsed.config)
  const said = continued(parsed, parsed.out ?? config.settings.out)
  // A resume sends to the recorded targets.
  const chosen =
    said.resume === undefined
      ? chooseTargets(config, said)
      : { settings: said, isSandbox: false, targets: [] }
  // Masks keys that the command itself does not read, too.
  for (const { apiKeyEnv = KEY_VARIABLE } of [chosen.settings, ...chosen.targets.map((one) => one.settings)])
    hideKey(apiKeyEnv)
  const { json, open, debug = false } = { ...config.settings, ...said }
  return { said, config, chosen, json, open, debug }
}

/** Loaded late: the code of the reports would delay the first call. */
const loadAccounts = async () => import('./accounts.ts')
type Accounts = Awaited<ReturnType<typeof loadAccounts>>

/** What `run` and `load` have in common: they send. */
async function send<Result>(
  command: 'run' | 'load',
  typed: Typed,
  datasets: readonly string[],
  act: (job: RunJob) => Promise<CarriedOut<Result>>,
  accountOf: (results: readonly Result[], accounts: Accounts) => Account,
): Promise<number> {
  const { said, config, chosen, debug, ...wanted } = await openConfig(command, typed)
  const { settings, isSandbox, targets } = chosen
  // Those of the config file may wait for the first baseline.
  if (said.resume === undefined) requireBaseline(said, settings.baseline)
  const listener = createListener(command, debug)
  const { results, faults } = await act({
    datasets,
    settings,
    targets,
    sandbox: isSandbox,
    ...stopSignals,
    onEvent: listener.hear,
    wantsCalls: debug,
    baseUrls: new Map(
      [...config.targets].flatMap(([name, { baseUrl }]) => (baseUrl === undefined ? [] : [[name, baseUrl]])),
    ),
  }).finally(listener.end)
  const accounts = await loadAccounts()
  const code = results.length === 0 ? [] : [await accounts.conclude(accountOf(results, accounts), wanted)]
  return worstExitCode([...code, ...faults.map(sayFailure)])
}

const run: Handler = async (typed, datasets) => {
  const { runTargets } = await import('../library/run.ts')
  return send('run', typed, datasets, runTargets, (results, { accountOfRuns }) => accountOfRuns(results))
}

const load: Handler = async (typed, datasets) => {
  const { loadTarget } = await import('../library/load.ts')
  return send('load', typed, datasets, loadTarget, (results, { accountOfLoad }) => accountOfLoad(results))
}

const estimate: Handler = async (typed, datasets) => {
  const { chosen, ...wanted } = await openConfig('estimate', typed)
  const { estimateSets } = await import('../library/estimate.ts')
  const { openSets } = await import('../library/question-sets.ts')
  const { estimateDocument } = await import('../report/plan-documents.ts')
  const opened = await openSets(datasets, { ...chosen.settings, hashEndUserRefs: false }, note)
  const estimates = chosen.targets.map(({ name, settings }) => ({
    formatVersion: 1,
    harnessVersion: VERSION,
    target: name === 'default' || name === 'sandbox' ? null : name,
    ...estimateSets(opened, settings),
  }))
  const parts = estimates.map((one) => ({ document: estimateDocument(one, one.target), footer: [] }))
  const { conclude } = await loadAccounts()
  return conclude({ parts, json: estimates.length > 1 ? estimates : estimates[0] }, wanted)
}

/** Of the commands that read recorded runs; the library parses their options. */
const recorded =
  (act: (options: Typed, places: readonly string[], accounts: Accounts) => Promise<Account>): Handler =>
  async ({ json, open, ...options }, places) => {
    hideKey(KEY_VARIABLE)
    const accounts = await loadAccounts()
    return accounts.conclude(await act(options, places, accounts), { json, open })
  }

const onEvent = (event: RunEvent): void => {
  if (event.kind === 'note') note(event.text)
}

const report = recorded(async (options, [path = ''], { accountOfRuns, accountOfLoad }) => {
  const { report: act } = await import('../library/report.ts')
  const result = await act({ ...options, run: path, onEvent })
  return result.kind === 'run' ? accountOfRuns([result]) : accountOfLoad([result])
})

const merge = recorded(async (options, runs, { accountOfRuns }) => {
  const { merge: act } = await import('../library/merge.ts')
  return accountOfRuns([await act({ ...options, runs, onEvent })])
})

const compare = recorded(async (options, [baseline = '', ...candidates], { accountOfComparison }) => {
  const { compare: act } = await import('../library/compare.ts')
  return accountOfComparison(await act({ ...options, baseline, candidates, onEvent }))
})

const history = recorded(async (options, [folder = '']) => {
  const { history: act } = await import('../library/history.ts')
  const { history: made, page, table, document } = await act({ ...options, folder })
  return { parts: [{ document, footer: [page, table] }], json: made, pages: [page] }
})

const validate: Handler = async ({ json, ...options }, datasets) => {
  hideKey(KEY_VARIABLE)
  const { validate: act } = await import('../library/estimate.ts')
  const { faultsError } = await import('../library/question-sets.ts')
  const { surveyDocument } = await import('../report/plan-documents.ts')
  const result = await act({ ...options, datasets })
  const { warnings } = result.kind === 'valid' ? result.survey : result
  warnings.forEach(note)
  if (result.kind === 'valid') {
    const { conclude } = await loadAccounts()
    const parts = [{ document: surveyDocument(result.survey), footer: [] }]
    return conclude({ parts, json: result }, { json })
  }
  if (json === true) await printJson(result)
  throw faultsError(result.faults)
}

/** An Assist endpoint on this machine, until Ctrl-C. stdout can be sourced by a shell; the rest is for people. */
const sandbox: Handler = async (typed) => {
  const { startSandbox, readConfig } = await import('../library/sandbox.ts')
  const { resolveShipped, SHIPPED_QUESTIONS } = await import('../library/shipped.ts')
  const { config, ...options } = readTyped('sandbox', typed)
  let value: unknown
  if (config !== undefined) {
    const { readYaml } = await import('./read-yaml.ts')
    const path = resolveShipped(config, say)
    value = readYaml(path) ?? {}
    // Checked here, so that faults name the file.
    readConfig(value, path)
  }
  const { url, apiKey, adminKey, close } = await startSandbox({ ...options, config: value as never, say })
  // Listens before the first line is printed: its reader may send the signal at once.
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await print(
    [
      `export ASSIST_BASE_URL=${url}`,
      `export ASSIST_API_KEY=${shellWord(apiKey)}`,
      `export ASSIST_ADMIN_KEY=${shellWord(adminKey)}`,
    ].join('\n'),
  )
  say(`
The sandbox answers at ${url}. With these variables set:

curl -s "$ASSIST_BASE_URL/api/v1/assist" -H "Authorization: Bearer $ASSIST_API_KEY" -H 'Content-Type: application/json' -d '{"message":"How do I reset my password?"}'
npx assist-harness run ${shellWord(SHIPPED_QUESTIONS)}
curl -s "$ASSIST_BASE_URL/sandbox/usage" -H "Authorization: Bearer $ASSIST_ADMIN_KEY"

Ctrl-C stops.`)
  say(`\n${await signal}: stopping the sandbox`)
  await close()
  return EXIT.ok
}

const HANDLERS: Readonly<Record<CommandName, Handler>> = {
  run,
  estimate,
  load,
  validate,
  report,
  merge,
  compare,
  history,
  sandbox,
}
