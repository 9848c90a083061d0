// `load`: sends threads by a timetable instead of a pace, or searches for the organization's limit.
import { createSearchFold } from '../analysis/limit/search-report.ts'
import type { FindLimitSettings, LimitReport, LoadReport } from '../domain/load.ts'
import type { LedgerResult } from '../domain/quota.ts'
import type { Manifest } from '../options/manifest.ts'
import type { Stop } from '../domain/stop.ts'
import { isLoopback } from '../endpoint/address.ts'
import { announcedRules } from '../pace/hints.ts'
import { createLimiter } from '../pace/limiter.ts'
import { limitDocument } from '../report/limit-document.ts'
import { loadDocument } from '../report/load-document.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderLoadPrometheus } from '../report/load-prometheus.ts'
import { startClock, timerClock } from './clock.ts'
import type { RunSettings } from '../options/settings.ts'
import type { CommandOptions } from '../options/documented.ts'
import { type CheckLedger, type Ended, endedAs, writeReports, pageOf } from './reports.ts'
import { jsonText } from '../store/files.ts'
import { foldJournals, rejectLostJournal } from './recorded-run.ts'
import { planLoad, planSearch } from './load-plan.ts'
import { checkThresholds } from './judging.ts'
import { withOptions } from './manifest.ts'
import { openSets } from './question-sets.ts'
import { defaultFolder, rejectTaken, type RunFolder } from '../store/folder.ts'
import { readJob, type RunJob, type SendingOptions } from './job.ts'
import { createLoadWork } from './load-work.ts'
import { type CarriedOut, carryOut, onlyResult, openSession, type Session } from './session.ts'
import { type Opening, openSandbox, resolveTarget, type Target } from './targets.ts'
import { optionError, UsageError } from '../options/faults.ts'

export type LoadOptions = CommandOptions<'load'> & SendingOptions

export interface LoadResult extends Ended {
  readonly kind: 'load'
  readonly verdict: LoadReport['verdict']
  /** What `load.json` holds. */
  readonly report: LoadReport
  readonly ledger: LedgerResult | undefined
}
export interface LimitResult extends Ended {
  readonly kind: 'limit'
  readonly verdict: LimitReport['verdict']
  /** What `limit.json` holds. */
  readonly report: LimitReport
}

/** Rejects with UsageError if nothing was sent. */
export const load = async (options: LoadOptions): Promise<LoadResult | LimitResult> =>
  onlyResult(await loadTarget(readJob('load', options)))

export const loadTarget = async (job: RunJob): Promise<CarriedOut<LoadResult | LimitResult>> =>
  carryOut(job, { open: openLoad, ask: createLoadWork, conclude: concludeLoad })

/** Finds everything that can be wrong before it makes a folder or sends a call. */
async function openLoad(job: RunJob, opening: Opening): Promise<Session[]> {
  const { datasets, sandbox } = job
  const [named, ...others] = job.targets
  if (named === undefined || others.length > 0)
    throw new UsageError('load sends to one target: choose one with --target, or start one test for each')
  const { settings } = named
  const { findLimit: isSearch = false, threshold = [], shard, out } = settings
  const plan = isSearch ? planSearch(settings) : planLoad(settings)
  if (!isSearch) checkThresholds(threshold, 'load')
  const resolved = sandbox === false ? resolveTarget(named, job.apiKey) : undefined
  if (resolved !== undefined) requireBudget(resolved)
  const opened = await openSets(datasets, job.settings, opening.note)
  if (opened.turns.length === 0)
    throw optionError('shard', `${shard} holds no conversation of the set: use fewer shards`)
  if (out !== undefined) rejectTaken(out)
  const maxCalls = 'model' in plan ? (settings.maxCalls ?? null) : plan.budget
  const target = resolved ?? (await openSandbox(settings, sandbox, opening))
  const rules = { rate: { kind: 'unlimited' }, concurrency: plan.maxInFlight, share: 1 } as const
  const limiter = createLimiter(rules, timerClock, Math.random)
  opening.onClose(() => limiter.close())
  const clock = startClock()
  const path = out ?? defaultFolder(datasets, new Date(clock.wall()))
  const given = { target, limiter, clock, imported: [] }
  const session = await openSession(path, opened, given, opening, (made) => ({
    ...made,
    // No pace and no restarts. Each of several load generators has its own budget.
    options: {
      ...made.options,
      rate: 'unlimited',
      concurrency: plan.maxInFlight,
      onAmbiguous: 'fail',
      repeat: 1,
      maxCalls,
    },
    ...('model' in plan ? { load: plan } : { findLimit: plan }),
  }))
  return [session]
}

/** Calls to a real endpoint are billed, so the user must limit their number. */
function requireBudget({ address, settings }: Target): void {
  if (settings.maxCalls !== undefined || isLoopback(new URL(address.baseUrl).hostname)) return
  throw optionError(
    'maxCalls',
    `is missing: ${address.baseUrl} is not on this machine, and its calls count toward a quota; set a limit, like --max-calls 300`,
  )
}

/** Options of `report` that apply to graded answers only. */
const OF_RUNS = ['baseline', 'reviews', 'excel', 'passPolicy'] as const

/** Throws UsageError for options that do not apply to a load test. */
export async function reportLoad(
  folder: RunFolder,
  recorded: Manifest,
  settings: RunSettings,
  checkLedger: CheckLedger | undefined,
): Promise<LoadResult | LimitResult> {
  const odd = OF_RUNS.find((name) => settings[name] !== undefined)
  if (odd !== undefined)
    throw optionError(odd, `needs a run; ${folder.path} is a load test, which has no grades`)
  const manifest = withOptions(recorded, settings, folder.path, ['judge'])
  checkThresholds(manifest.options.threshold, 'load')
  return concludeLoad({ folder, manifest, checkLedger })
}

interface LoadTest {
  readonly folder: RunFolder
  readonly manifest: Manifest
  /** Why it ended, in case the journal could not record it; undefined for a test that is reported later. */
  readonly stop?: Stop
  readonly checkLedger?: CheckLedger | undefined
}

const concludeLoad = async (test: LoadTest): Promise<LoadResult | LimitResult> =>
  test.manifest.findLimit === undefined ? concludeTest(test) : concludeSearch(test, test.manifest.findLimit)

async function concludeSearch(
  { folder, manifest, stop }: LoadTest,
  search: FindLimitSettings,
): Promise<LimitResult> {
  const fold = createSearchFold({ ...manifest, findLimit: search }, announcedRules)
  const report = fold.finish(await foldJournals(folder, fold), stop)
  if (stop === undefined) rejectLostJournal(folder, report.run.sessions + report.calls.sent > 0)
  const document = limitDocument(report)
  const unwritten = await writeReports([
    [folder.limit, jsonText(report)],
    [folder.summaryMarkdown, renderMarkdown(document)],
  ])
  return { kind: 'limit', ...endedAs(folder, report, document, unwritten), report }
}

async function concludeTest({ folder, manifest, stop, checkLedger }: LoadTest): Promise<LoadResult> {
  // Loaded late: the histogram library is slow to load.
  const { createLoadFold } = await import('../analysis/load/fold.ts')
  const fold = createLoadFold(manifest)
  const report = fold.finish(await foldJournals(folder, fold), stop)
  if (stop === undefined) rejectLostJournal(folder, report.run.sessions + report.turns.total > 0)
  const ledger = checkLedger?.(report.quota)
  const document = loadDocument(report, ledger)
  const unwritten = await writeReports([
    [folder.load, jsonText(report)],
    [folder.summaryMarkdown, renderMarkdown(document)],
    [folder.page, pageOf(document)],
    [folder.prometheus, renderLoadPrometheus(report)],
  ])
  return { kind: 'load', ...endedAs(folder, report, document, unwritten), report, ledger }
}
