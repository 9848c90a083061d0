// What each command does: options in, the library's function, the account and the exit code out.
import { describeError, statusOf } from '../domain/attempt.ts'
import { plural } from '../domain/text.ts'
import type { RunEvent } from '../library/events.ts'
import type { RunJob } from '../library/job.ts'
import {
  type CommandName,
  readOptions,
  optionsByKey,
  readValues,
  requireBaseline,
  type RunSettings,
} from '../library/options.ts'
import { hideKey, KEY_VARIABLE } from '../library/secrets.ts'
import { VERSION } from '../library/shipped.ts'
import { UsageError } from '../library/usage-error.ts'
import { shellWord, terminalText as visible } from '../report/escape.ts'
import type { Account, Wanted } from './accounts.ts'
import { chooseTargets, loadConfig, type Chosen, type Config } from './config.ts'
import { EXIT, print, printJson, say } from './output.ts'
import { createDisplay } from './progress.ts'
import { enterPhase, stopSignals } from './signals.ts'

/** Options as typed, by their names in camelCase; not parsed yet. */
export type Typed = Readonly<Record<string, unknown>>

/** Returns the exit code. Throws UsageError for what cannot be done as typed. */
export type Handler = (typed: Typed, places: readonly string[]) => Promise<number>

/** Options of the command line itself, which no function of the library takes. */
const OWN = optionsByKey((_, name) => ['json', 'open', 'debug', 'config', 'target', 'sandbox'].includes(name))

function split(typed: Typed): { readonly own: RunSettings; readonly rest: Typed } {
  const isOwn = ([key]: readonly [string, unknown]): boolean => OWN.has(key)
  const entries = Object.entries(typed)
  const { settings: own, issues } = readValues(Object.fromEntries(entries.filter(isOwn)), OWN)
  if (issues.length > 0) throw new UsageError(issues)
  return { own, rest: Object.fromEntries(entries.filter((entry) => !isOwn(entry))) }
}

const note = (text: string): void => say(`Note: ${visible(text)}`)
const onEvent = (event: RunEvent): void => {
  if (event.kind === 'note') note(event.text)
}

/** What `run` and `load` have in common: both send, and take options and targets of the config file. */
async function send<Result>(
  command: 'run' | 'load',
  typed: Typed,
  datasets: readonly string[],
  act: (job: RunJob) => Promise<Result>,
): Promise<{ readonly result: Result; readonly wanted: Wanted }> {
  const { own, rest } = split(typed)
  const said = { ...own, ...readOptions(command, rest) }
  const config = await loadConfig(own.config)
  const { json, open, debug } = { ...config.settings, ...own }
  const listener = createListener(command, debug ?? false)
  // A resume sends to the recorded targets.
  const chosen =
    said.resume === undefined
      ? chooseTargets(config, said)
      : { settings: said, isSandbox: false, targets: [] }
  hideKeys(chosen)
  const { settings, isSandbox: sandbox, targets } = chosen
  // Those of the config file may wait for the first baseline.
  if (said.resume === undefined) requireBaseline(said, settings.baseline)
  const result = await act({
    datasets,
    settings,
    targets,
    sandbox,
    ...stopSignals,
    onEvent: listener.hear,
    wantsCalls: debug ?? false,
    baseUrls: baseUrlsOf(config),
  }).finally(listener.end)
  return { result, wanted: { json, open } }
}

const run: Handler = async (typed, datasets) => {
  const { runTargets } = await import('../library/run.ts')
  const { result, wanted } = await send('run', typed, datasets, runTargets)
  const { accountOfRuns, conclude } = await import('./accounts.ts')
  return conclude(accountOfRuns(result), wanted)
}

const baseUrlsOf = ({ targets }: Config): ReadonlyMap<string, string> =>
  new Map([...targets].flatMap(([name, { baseUrl }]) => (baseUrl === undefined ? [] : [[name, baseUrl]])))

/** Masks keys that the command itself does not read, too. */
function hideKeys({ settings, targets }: Chosen): void {
  for (const { apiKeyEnv = KEY_VARIABLE } of [settings, ...targets.map((target) => target.settings)])
    hideKey(apiKeyEnv)
}

/** Shows the progress of a run, a load test or a search for the limit. */
function createListener(command: 'run' | 'load', isDebug: boolean) {
  const display = createDisplay()
  const hear = (event: RunEvent, target = ''): void => {
    display.hear(event, target)
    if (event.kind === 'note') note(event.text)
    else if (event.kind === 'started') {
      enterPhase('sending')
      const { isSandbox, baseUrl, keyFingerprint, isResumed, turns, threads, shard } = event
      const whom = isSandbox
        ? `the sandbox at ${baseUrl}`
        : `${event.target === 'default' ? '' : `${visible(event.target)} at `}${baseUrl}, key ${keyFingerprint}`
      const part = shard === null ? '' : `, shard ${shard}`
      const what = `${plural(turns, 'question')} in ${plural(threads, 'conversation')}${part}`
      if (command === 'load') say(`Load test of ${whom}, with ${what}`)
      else say(`${isResumed ? 'Resuming' : 'Sending'} ${what} to ${whom}`)
    } else if (event.kind === 'reporting') {
      display.end()
      enterPhase('reporting', event.folder)
    } else if (event.kind === 'attempt' && isDebug) {
      const { attempt, question, repeat, conversation, result, waitMs, serviceMs } = event
      const words = result.kind === 'reply' ? result.reply.contextSource : (describeError(result) ?? '')
      const what = [result.kind, statusOf(result) ?? '', visible(words.slice(0, 200))].join(' ')
      say(
        `${target} attempt ${attempt}: ${visible(question)} repeat ${repeat} conversation ${conversation}: ${what}; waited ${waitMs.toFixed(0)} ms, took ${serviceMs.toFixed(0)} ms`,
      )
    }
  }
  return { hear, end: display.end }
}

const load: Handler = async (typed, datasets) => {
  const { loadTarget } = await import('../library/load.ts')
  const { result, wanted } = await send('load', typed, datasets, loadTarget)
  const { accountOfLoad, conclude } = await import('./accounts.ts')
  return conclude(accountOfLoad(result), wanted)
}

/** Of `report`, `merge` and `compare`, which read recorded runs and send nothing. */
const recorded =
  (act: (options: Typed, places: readonly string[]) => Promise<Account>): Handler =>
  async (typed, places) => {
    hideKey(KEY_VARIABLE)
    const { own, rest } = split(typed)
    const account = await act({ ...rest, onEvent }, places)
    const { conclude } = await import('./accounts.ts')
    return conclude(account, own)
  }

const report = recorded(async (options, [path = '']) => {
  const { report: act } = await import('../library/report.ts')
  const { accountOfLoad, accountOfRuns } = await import('./accounts.ts')
  const result = await act({ ...options, run: path })
  return result.kind === 'run' ? accountOfRuns([result]) : accountOfLoad(result)
})

const merge = recorded(async (options, runs) => {
  const { merge: act } = await import('../library/merge.ts')
  const { accountOfRuns } = await import('./accounts.ts')
  return accountOfRuns([await act({ ...options, runs })])
})

const compare = recorded(async (options, [baseline = '', ...candidates]) => {
  const { compare: act } = await import('../library/compare.ts')
  const { accountOfComparison } = await import('./accounts.ts')
  return accountOfComparison(await act({ ...options, baseline, candidates }))
})

const history: Handler = async (typed, [folder = '']) => {
  hideKey(KEY_VARIABLE)
  const { own, rest } = split(typed)
  const { history: act } = await import('../library/history.ts')
  const { conclude } = await import('./accounts.ts')
  const { history: made, page, table, document } = await act({ ...rest, folder })
  const account = { parts: [{ document, footer: [page, table] }], json: made, pages: [page] }
  return conclude(account, own)
}

const estimate: Handler = async (typed, datasets) => {
  const { own, rest } = split(typed)
  const said = { ...own, ...readOptions('estimate', rest) }
  const config = await loadConfig(own.config)
  const { estimateSets } = await import('../library/estimate.ts')
  const { openSets } = await import('../library/question-sets.ts')
  const { estimateDocument } = await import('../report/plan-documents.ts')
  const { conclude } = await import('./accounts.ts')
  const chosen = chooseTargets(config, said)
  hideKeys(chosen)
  const opened = await openSets(datasets, { ...chosen.settings, hashEndUserRefs: false }, note)
  const estimates = chosen.targets.map(({ name, settings }) => ({
    formatVersion: 1,
    harnessVersion: VERSION,
    target: name === 'default' || name === 'sandbox' ? null : name,
    ...estimateSets(opened, settings),
  }))
  const parts = estimates.map((one) => ({ document: estimateDocument(one, one.target), footer: [] }))
  const json = said.json ?? config.settings.json
  return conclude({ parts, json: estimates.length > 1 ? estimates : estimates[0] }, { json })
}

const validate: Handler = async (typed, datasets) => {
  hideKey(KEY_VARIABLE)
  const { own, rest } = split(typed)
  const { validate: act } = await import('../library/estimate.ts')
  const { faultsError } = await import('../library/question-sets.ts')
  const { surveyDocument } = await import('../report/plan-documents.ts')
  const { conclude } = await import('./accounts.ts')
  const result = await act({ ...rest, datasets })
  const { warnings } = result.kind === 'valid' ? result.survey : result
  for (const warning of warnings) note(warning)
  if (result.kind === 'valid')
    return conclude({ parts: [{ document: surveyDocument(result.survey), footer: [] }], json: result }, own)
  if (own.json === true) await printJson(result)
  throw faultsError(result.faults)
}

/** An Assist endpoint on this machine, until Ctrl-C. stdout can be sourced by a shell; the rest is for people. */
const sandbox: Handler = async (typed) => {
  const { own, rest } = split(typed)
  const { startSandbox, readConfig } = await import('../library/sandbox.ts')
  const { resolveShipped, SHIPPED_QUESTIONS } = await import('../library/shipped.ts')
  const path = own.config === undefined ? undefined : resolveShipped(own.config, say)
  const value = path === undefined ? undefined : ((await import('./read-yaml.ts')).readYaml(path) ?? {})
  // Checked here, so that faults name the file.
  if (path !== undefined) readConfig(value, path)
  const { url, apiKey, adminKey, close } = await startSandbox({ ...rest, config: value as never, say })
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

export const HANDLERS: Readonly<Record<CommandName, Handler>> = {
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
