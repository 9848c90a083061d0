// Which runs the comparison's screen is about, and their figures side by side where they are many.
import type { Comparison } from '../domain/comparison/comparison.ts'
import { paragraph, screenTable, section } from './comparison-screen-tables.ts'
import { trendTable } from './comparison-tables.ts'
import { describeOverlap, describeRuns } from './comparison-words.ts'
import { plural } from '../domain/text.ts'

const MOST_RUNS = 10
const MOST_TREND_RUNS = 6

/** What was compared, in words, and a line a run. */
export function screenRuns(comparison: Comparison): string[] {
  const { runs, candidates } = comparison
  const [only, ...more] = candidates
  const what = only !== undefined && more.length === 0 ? `: ${describeOverlap(only)}` : ''
  const left = runs.length - MOST_RUNS
  const shown = runs.map((run, place) => ({ run, place })).filter(({ place }) => place === 0 || place > left)
  const rows = shown.map(({ run, place }) => [
    place === 0 ? 'baseline' : 'candidate',
    run.label,
    run.organization === '' ? run.target : `${run.target} (${run.organization})`,
    run.startedAt ?? 'start unknown',
    plural(run.turns, 'turn'),
    run.state,
  ])
  return [
    ...paragraph(`${describeRuns(comparison)}${what}`),
    ...screenTable(rows, [9, 22, 20, 24, 13, 11], { indent: '  ' }),
    ...(left > 0 ? [`  and ${plural(left, 'more run')} between: see comparison.json`] : []),
  ]
}

export function screenTrend(comparison: Comparison): string[] {
  const { rows, left } = trendTable(comparison, MOST_TREND_RUNS)
  if (rows.length < 2) return []
  return [
    ...section('Over the runs; coverage, passed and errors of the questions that all of them have:'),
    ...screenTable(rows, [24, ...Array.from({ length: MOST_TREND_RUNS }, () => 12)], {
      align: 'right',
      indent: '  ',
    }),
    ...(comparison.trend.some(({ questions }) => questions === 0)
      ? ['  n/a: no question has this value in all of the runs']
      : []),
    ...(left > 0 ? [`  and ${plural(left, 'more run')} after the first: see comparison.json`] : []),
  ]
}
