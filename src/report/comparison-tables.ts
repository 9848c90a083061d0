// The tables of a comparison beside its figures: tags, sources, figures over many runs. The header comes first.
// Names of the set, the endpoint and the runs in them are still as they came: the renderer makes them safe.
import { compareTexts, digits } from '../domain/text.ts'
import type { CandidateComparison, Comparison, Trend } from '../domain/comparison/comparison.ts'
import type { Rows } from './comparison-figures.ts'
import { pValue, pointsInterval, shortNumber } from './differences.ts'
import { duration, percent } from './numbers.ts'

/** Tags whose difference is more than noise after Holm, least likely noise first. */
export function tagDifferenceRows({ grounding, verdicts }: CandidateComparison, level: number): Rows {
  const found = [
    ...Object.entries(grounding.byTag).map(([tag, review]) => ({ tag, figure: 'coverage', review })),
    ...Object.entries(verdicts.byTag).map(([tag, review]) => ({ tag, figure: 'passed', review })),
  ].flatMap(({ tag, figure, review }) => {
    const { p, difference } = review
    return p === null || p >= level || difference === null ? [] : [{ tag, figure, review, difference, p }]
  })
  found.sort((some, other) => some.p - other.p || compareTexts(some.tag, other.tag))
  return [
    ['tag', 'figure', 'baseline', 'candidate', 'difference, 95 % interval', 'p (Holm)'],
    ...found.map(({ tag, figure, review, difference, p }) => [
      tag,
      figure,
      percent(review.baseline),
      percent(review.candidate),
      pointsInterval(difference),
      pValue(p),
    ]),
  ]
}

export const testedTags = ({ grounding, verdicts }: CandidateComparison): number =>
  new Set(
    [grounding.byTag, verdicts.byTag].flatMap((byTag) =>
      Object.entries(byTag).flatMap(([tag, { p }]) => (p === null ? [] : [tag])),
    ),
  ).size

/** Turns whose answer comes from another source than before, in the order of the matrix. */
export function transitionRows({ grounding: { matrix } }: CandidateComparison): Rows {
  return [
    ['turns', 'source before', 'source now'],
    ...matrix
      .filter(({ from, to }) => from !== to)
      .map(({ from, to, count }) => [String(count), sourceName(from), sourceName(to)]),
  ]
}

/** The rest of the matrix: turns by the source that they kept. */
export const keptSources = ({ grounding: { matrix } }: CandidateComparison): readonly string[] =>
  matrix.flatMap(({ from, to, count }) => (from === to ? [`${sourceName(from)} ${digits(count)}`] : []))

/** The endpoint may name a source by nothing at all. */
export const sourceName = (source: string): string => (source === '' ? '(empty)' : source)

export interface TrendTable {
  readonly rows: Rows
  /** Runs between the baseline and the first one shown. */
  readonly left: number
}

/** Figure × run: the baseline, and as many of the last runs as there is room for. */
export function trendTable({ trend, runs }: Comparison, most: number): TrendTable {
  const left = Math.max(0, runs.length - most)
  const shown = <T>(values: readonly T[]): T[] => values.filter((_, place) => place === 0 || place > left)
  return {
    rows: [
      ['figure', ...shown(runs).map(({ label }) => label)],
      ...trend.map(({ figure, unit, values }) => [
        FIGURES[figure],
        ...shown(values).map((value) => inUnit(value, unit)),
      ]),
    ],
    left,
  }
}

const FIGURES: Record<Trend['figure'], string> = {
  coverage: 'Coverage',
  passed: 'Passed',
  errors: 'Errors',
  'latency.p50': 'Latency p50',
  'latency.p95': 'Latency p95',
  'wait.p95': 'Waiting p95',
  callsPerTurn: 'Calls a turn',
  'quota.max': 'Calls counted, at most',
  rate429: '429s',
}

function inUnit(value: number | null, unit: Trend['unit']): string {
  if (value === null) return 'n/a'
  switch (unit) {
    case 'share':
      return percent(value)
    case 'ms':
      return duration(value)
    case 'calls':
    case 'callsPerTurn':
      return shortNumber(value)
  }
}
