// Turns the summaries of many runs into series over time, each run with its change since the previous one.
import type { FoundRun, History, HistoryRun, HistorySeries, LeftOut } from '../../domain/history.ts'
import { makeMessage } from '../../domain/message.ts'
import { compareTexts } from '../../domain/text.ts'
import { groupBy } from '../figures/turns.ts'

export interface FoundRuns {
  readonly runs: readonly FoundRun[]
  readonly leftOut: readonly LeftOut[]
}

export function makeHistory(found: FoundRuns, harnessVersion: string): History {
  const { runs, leftOut } = leaveOutDuplicates(found.runs)
  return {
    formatVersion: 2,
    harnessVersion,
    series: seriesOf(runs),
    leftOut: [...found.leftOut, ...leftOut].sort((a, b) => compareTexts(a.folder, b.folder)),
  }
}

/** The merged run counts in the place of its shards, and of copies the one with the highest usage. */
function leaveOutDuplicates(all: readonly FoundRun[]): FoundRuns {
  const runs: FoundRun[] = []
  const leftOut: LeftOut[] = []
  const folderOf = new Map<string, string>()
  const furthestFirst = all.toSorted((a, b) => b.quota.max - a.quota.max || compareTexts(a.folder, b.folder))
  for (const found of furthestFirst) {
    const { folder, run, shard } = found
    const copied = folderOf.get(run.id)
    const leaveOut = (code: string, text: string): void =>
      void leftOut.push({ folder, reason: makeMessage(code, text) })
    if (shard !== undefined)
      leaveOut('history-shard', `Shard ${shard.index} of ${shard.of}: the merged run counts in its place.`)
    else if (copied !== undefined)
      leaveOut('history-copy', `A copy of the run in ${copied}, which counts in its place.`)
    else {
      folderOf.set(run.id, folder)
      runs.push(found)
    }
  }
  runs.sort((a, b) => compareTexts(a.run.startedAt, b.run.startedAt) || compareTexts(a.folder, b.folder))
  return { runs, leftOut }
}

/** All sandboxes are one organization. Elsewhere keys are renewed, so their fingerprint is ignored. */
const organizationOf = ({ run }: FoundRun): string =>
  run.target === 'sandbox' ? 'sandbox' : run.organization.replace(/ [0-9a-f]{8}$/, '')

function seriesOf(runs: readonly FoundRun[]): HistorySeries[] {
  const groups = groupBy(runs, (found) => {
    const { target, selection } = found.run
    return JSON.stringify([organizationOf(found), target, setsOf(found), selection])
  })
  const isOneOrganization = new Set(runs.map(organizationOf)).size === 1
  return [...groups.values()]
    .map((group): HistorySeries => {
      const [first] = group
      const { target, selection } = first.run
      const [organization, sets] = [organizationOf(first), setsOf(first)]
      const where = isOneOrganization || organization === target ? target : `${target}, ${organization}`
      const name = `${sets.join(' + ')} of ${where}${selection === undefined ? '' : ` (${selection})`}`
      return { name, target, organization, sets, runs: runsOf(group) }
    })
    .sort((a, b) => b.runs.length - a.runs.length || compareTexts(a.name, b.name))
}

const setsOf = ({ run }: FoundRun): string[] => run.datasets.map(({ path }) => path).sort(compareTexts)

export const questionsOf = ({ run }: FoundRun): string =>
  run.datasets
    .map((set) => JSON.stringify([set.path, set.digest, set.turns]))
    .sort(compareTexts)
    .join()

function runsOf(runs: readonly FoundRun[]): HistoryRun[] {
  let complete: FoundRun | undefined
  return runs.map((run, index) => {
    const before = runs[index - 1]
    const questionsChanged = before !== undefined && questionsOf(before) !== questionsOf(run)
    if (run.state !== 'complete') return { ...run, questionsChanged, groundedChange: null }
    const [was, is] = [complete?.coverage.rate ?? null, run.coverage.rate]
    complete = run
    return { ...run, questionsChanged, groundedChange: was === null || is === null ? null : is - was }
  })
}
