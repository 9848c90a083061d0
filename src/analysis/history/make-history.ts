// Recorded runs become a history: series over time, what can be said of them, and usage by month.
import { compareTexts } from '../../domain/text.ts'
import {
  HISTORY_FORMAT_VERSION,
  type History,
  type HistoryRun,
  type HistorySeries,
  type LeftOut,
  type ShareStory,
} from '../../domain/history.ts'
import { changesBefore } from './changes-before.ts'
import { countedOnce } from './counted-once.ts'
import { groupRuns, type RunGroup } from './group-runs.ts'
import { monthlyUse, organizationOf, type MonthlyUse } from './months.ts'
import type { RecordedLoad, RecordedRun } from './recorded-run.ts'
import { runFigures } from './run-figures.ts'
import { shareStory } from './share-story.ts'

export interface FoundRuns {
  /** In any order; of one folder each. */
  readonly runs: readonly RecordedRun[]
  readonly loads: readonly RecordedLoad[]
  readonly leftOut: readonly LeftOut[]
}

export interface HistoryWishes {
  readonly harnessVersion: string
  /** ISO 8601, UTC: runs begun before it are passed over; undefined for all. */
  readonly since: string | undefined
  /** Undefined for all. */
  readonly targets: readonly string[] | undefined
}

/** Months count what was found before `since` and of other targets, too: the quota is the organization's. */
export function makeHistory(found: FoundRuns, wishes: HistoryWishes): History {
  const { since = '', targets, harnessVersion } = wishes
  const { runs, doubled } = countedOnce(found.runs)
  const use = monthlyUse(runs, found.loads)
  const ofTargets = runs.filter(({ manifest }) => targets?.includes(manifest.target.name) ?? true)
  const asked = ofTargets.filter(({ manifest }) => manifest.startedAt >= since)
  const organizations = new Set([...asked, ...(targets === undefined ? found.loads : [])].map(organizationOf))
  return {
    formatVersion: HISTORY_FORMAT_VERSION,
    harnessVersion,
    series: groupRuns(asked).map((group) => seriesOf(group, use)),
    months: use.months.filter(
      ({ organization, month }) => organizations.has(organization) && month >= since.slice(0, 7),
    ),
    leftOut: [...found.leftOut, ...doubled].sort((some, other) => compareTexts(some.folder, other.folder)),
    notAskedFor: {
      earlier: ofTargets.length - asked.length,
      otherTargets: runs.length - ofTargets.length,
    },
  }
}

function seriesOf({ runs: recorded, ...about }: RunGroup, { soFar }: MonthlyUse): HistorySeries {
  const runs = recorded.map((run, place): HistoryRun => {
    const month = soFar.get(run.folder) ?? { min: 0, max: 0, share: null }
    return runFigures(run, month, changesBefore(recorded[place - 1], run))
  })
  const story = (['coverage', 'passed'] as const).flatMap((figure): readonly ShareStory[] => {
    const told = shareStory(runs, figure)
    return told === undefined ? [] : [told]
  })
  return { ...about, runs, story }
}
