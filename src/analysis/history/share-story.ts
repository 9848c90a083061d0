// What can be said of a share over the runs of a series: since the last run, over the last runs, and since when it is as it is.
import { type HistoryRun, type JudgedFigure, type ShareStory, isBreak } from '../../domain/history.ts'
import { findLevelStep } from '../../stats/level-step.ts'
import { shareChange } from './share-change.ts'

/** The change "over the last runs" begins so many complete runs ago. */
export const LAST_RUNS = 20
/** Fewer runs in between, and a lowest value is nothing to speak of. */
const FEWEST_BETWEEN = 5
/** Of two figures: one series in fifty has a step that is none. */
const STEP_LEVEL = 0.01
const MOST_FOR_STEP = 90
/** Of the difference between the levels. */
const ABRUPT = 0.5

/** Undefined where no complete run has the figure. */
export function shareStory(runs: readonly HistoryRun[], figure: JudgedFigure): ShareStory | undefined {
  const places = [...runs.keys()].filter(
    (place) => runs[place]?.state === 'complete' && runs[place]?.[figure].rate !== null,
  )
  const latest = places.at(-1)
  if (latest === undefined) return undefined
  const before = places.at(-2)
  const first = places.at(-LAST_RUNS) ?? places[0] ?? latest
  const from = lastBreak(runs, latest)
  const alike = places.filter((place) => place >= from)
  const values = alike.map((place) => runs[place]?.[figure].rate ?? 0)
  const extreme = extremeOf(values, alike)
  const step = stepOf(values, alike)
  return {
    figure,
    sinceBefore: before === undefined ? null : shareChange(runs, figure, before, latest),
    sinceFirst: first === latest || first === before ? null : shareChange(runs, figure, first, latest),
    ...(extreme === undefined ? {} : { extreme }),
    ...(step === undefined ? {} : { step }),
  }
}

/** From this place on all runs are of the same questions and settings. */
function lastBreak(runs: readonly HistoryRun[], latest: number): number {
  for (let place = latest; place > 0; place -= 1) {
    const run = runs[place]
    if (run !== undefined && isBreak(run)) return place
  }
  return 0
}

function extremeOf(values: readonly number[], places: readonly number[]): ShareStory['extreme'] {
  const latest = values.length - 1
  const now = values[latest] ?? 0
  for (const kind of ['lowest', 'highest'] as const) {
    const since = values.findLastIndex(
      (value, place) => place < latest && (kind === 'lowest' ? value <= now : value >= now),
    )
    if (latest - 1 - since >= FEWEST_BETWEEN)
      return { kind, since: since < 0 ? null : (places[since] ?? null), runs: latest - 1 - since }
  }
  return undefined
}

function stepOf(allValues: readonly number[], allPlaces: readonly number[]): ShareStory['step'] {
  const [values, places] = [allValues.slice(-MOST_FOR_STEP), allPlaces.slice(-MOST_FOR_STEP)]
  const found = findLevelStep(values, 1)
  if (found === undefined || found.p > STEP_LEVEL) return undefined
  const { from, before, since, p } = found
  const [last, first] = [places[from - 1], places[from]]
  if (last === undefined || first === undefined) return undefined
  const leaps = values.map((value, place) => value - (values[place - 1] ?? value))
  const leap = leaps[from] ?? 0
  const isLargest = leaps.every((one) => Math.abs(one) <= Math.abs(leap))
  return {
    last,
    first,
    before,
    now: since,
    runsBefore: from,
    runsSince: values.length - from,
    isAbrupt: isLargest && leap / (since - before) >= ABRUPT,
    p,
  }
}
