// Summaries of many runs become series over time, each run with its change since the one before.
import type { History, HistoryRun, HistorySeries, LeftOut, RecordedSummary } from '../domain/history.ts'
import { message } from '../domain/messages.ts'
import { compareTexts } from '../domain/text.ts'
import { groupBy } from './turns.ts'

export interface FoundRun {
  /** From the folder of the history, with `/`. */
  readonly folder: string
  readonly hasPage: boolean
  readonly summary: RecordedSummary
}

export interface Found {
  readonly runs: readonly FoundRun[]
  readonly leftOut: readonly LeftOut[]
}

export function makeHistory(found: Found, harnessVersion: string): History {
  const { runs, leftOut } = countOnce(found.runs)
  return {
    formatVersion: 2,
    harnessVersion,
    series: seriesOf(runs),
    leftOut: [...found.leftOut, ...leftOut].sort((a, b) => compareTexts(a.folder, b.folder)),
  }
}

/** A sharded run counts where it was merged; of copies the one that went furthest counts. By start. */
function countOnce(found: readonly FoundRun[]): Found {
  const runs: FoundRun[] = []
  const leftOut: LeftOut[] = []
  const folderOf = new Map<string, string>()
  const furthestFirst = found.toSorted(
    (a, b) => b.summary.quota.max - a.summary.quota.max || compareTexts(a.folder, b.folder),
  )
  for (const one of furthestFirst) {
    const { folder, summary } = one
    const copied = folderOf.get(summary.run.id)
    if (summary.shard !== undefined)
      leftOut.push({ folder, reason: message('history-shard', { ...summary.shard }) })
    else if (copied !== undefined)
      leftOut.push({ folder, reason: message('history-copy', { folder: copied }) })
    else {
      folderOf.set(summary.run.id, folder)
      runs.push(one)
    }
  }
  return { runs: runs.sort(byStart), leftOut }
}

const byStart = (a: FoundRun, b: FoundRun): number =>
  compareTexts(a.summary.run.startedAt, b.summary.run.startedAt) || compareTexts(a.folder, b.folder)

/** Each sandbox has an address and a key of its own; a key that was renewed names no other organization. */
const organizationOf = ({ summary: { run } }: FoundRun): string =>
  run.target === 'sandbox' ? 'sandbox' : run.organization.replace(/ [0-9a-f]{8}$/, '')

/** `runs`: by start. */
function seriesOf(runs: readonly FoundRun[]): HistorySeries[] {
  const groups = groupBy(runs, (run) => {
    const { target, selection } = run.summary.run
    return JSON.stringify([organizationOf(run), target, setsOf(run), selection])
  })
  const isOne = new Set(runs.map(organizationOf)).size === 1
  return [...groups.values()]
    .map((group): HistorySeries => {
      const [first] = group
      const { target, selection = null } = first.summary.run
      const [organization, sets] = [organizationOf(first), setsOf(first)]
      const where = isOne || organization === target ? target : `${target}, ${organization}`
      const name = `${sets.join(' + ')} of ${where}${selection === null ? '' : ` (${selection})`}`
      return { name, target, organization, sets, selection, runs: runsOf(group) }
    })
    .sort((a, b) => b.runs.length - a.runs.length || compareTexts(a.name, b.name))
}

const setsOf = ({ summary }: FoundRun): string[] =>
  summary.run.datasets.map(({ path }) => path).sort(compareTexts)

const questionsOf = ({ summary }: FoundRun): string =>
  summary.run.datasets
    .map((set) => JSON.stringify([set.path, set.digest, set.turns]))
    .sort(compareTexts)
    .join()

function runsOf(found: readonly FoundRun[]): HistoryRun[] {
  let complete: HistoryRun | undefined
  return found.map((one, place) => {
    const { folder, hasPage, summary } = one
    const { id, startedAt, endedAt, quota } = summary.run
    const { state, verdict, exitCode, turns, coverage, expectations, errors, latencyMs } = summary
    const before = found[place - 1]
    const run: HistoryRun = {
      id,
      folder,
      hasPage,
      startedAt,
      endedAt,
      state,
      verdict,
      exitCode,
      turns: turns.total,
      answered: turns.answered,
      coverage: {
        rate: coverage.rate,
        low: coverage.cluster?.low ?? coverage.low,
        high: coverage.cluster?.high ?? coverage.high,
      },
      passed: expectations,
      errors,
      latencyMs,
      usage: summary.quota,
      quota,
      questionsChanged: before !== undefined && questionsOf(before) !== questionsOf(one),
      change: null,
    }
    if (state !== 'complete') return run
    complete = { ...run, change: complete === undefined ? null : changeOf(complete, run) }
    return complete
  })
}

const changeOf = ({ coverage: { rate: was } }: HistoryRun, { coverage: { rate: is } }: HistoryRun) => ({
  grounded: was === null || is === null ? null : is - was,
})
