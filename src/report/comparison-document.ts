// The report of a comparison: the questions that changed, then the totals with their noise.
import { CHANGE_LISTS } from '../domain/changes.ts'
import {
  factText,
  type CandidateComparison,
  type Comparison,
  type MeasuredDifference,
  type PercentileChange,
  type QuestionChange,
  type Trend,
} from '../domain/comparison.ts'
import { RUNS_A_MONTH } from '../domain/quota.ts'
import { digits, plural } from '../domain/text.ts'
import { withoutAnswer } from '../domain/turn.ts'
import {
  figuresOf,
  gateTables,
  listOf,
  noteOf,
  questionOf,
  sectionOf,
  tableOf,
  verdictOf,
  warnings,
} from './blocks.ts'
import type { Block, Document, Figure, Item, Section, Table, Tone } from './document.ts'
import { duration, milliseconds, NONE, percent, points, range, signed } from './format.ts'

/** `place`: the candidate's index. */
export function comparisonDocument(comparison: Comparison, place: number): Document {
  const { runs, candidates, trend, notes } = comparison
  const [baseline, candidate, review] = [runs[0], runs[place + 1], candidates[place]]
  if (baseline === undefined || candidate === undefined || review === undefined)
    throw new Error(`the comparison has no candidate ${place}`)
  const gates = review.gates.map((gate) => ({ name: gate.rule, ...gate }))
  const [failedGates, passedGates] = gateTables(gates)
  return {
    title: [{ untrusted: candidate.label }, ' against ', { untrusted: baseline.label }],
    facts: `${plural(review.overlap.shared, 'question')} in both`,
    at: candidate.startedAt,
    verdict: verdictOf(review.verdict, review.reason, gates),
    sections: [
      sectionOf(
        'overview',
        ...changeBlocks(review, failedGates),
        ...warnings(notes),
        trendTable(trend, runs),
        passedGates,
      ),
      // The page adds each question here.
      sectionOf('changes'),
      sectionOf('conversations'),
      sectionOf('about', runsTable(runs)),
    ],
  }
}

/** The tab of a run with a baseline. It has no gates: they are among those of the run. */
export const changesSection = (review: CandidateComparison): Section =>
  sectionOf('changes', ...changeBlocks(review))

const TONES: Readonly<Record<(typeof CHANGE_LISTS)[number]['tone'], Tone>> = {
  worse: 'bad',
  better: 'good',
  drift: 'warn',
  noise: 'muted',
  same: 'muted',
}

/** The kinds of change, for the page's chips. */
export const pageChanges = CHANGE_LISTS.map(({ name, label, tone }) => ({ name, label, tone: TONES[tone] }))

/** Lists that are not empty. Changes for better or worse have a figure. */
const listsOf = ({ counts }: CandidateComparison) =>
  CHANGE_LISTS.filter(({ tone }) => tone !== 'same')
    .map(({ name, label, tone, kinds }) => ({
      kinds,
      label,
      title: label.charAt(0).toUpperCase() + label.slice(1),
      tone: TONES[tone],
      link: { change: name },
      count: kinds.reduce((sum, kind) => sum + counts[kind], 0),
      hasFigure: tone === 'worse' || tone === 'better',
      isFacts: name === 'factsChanged',
    }))
    .filter(({ count }) => count > 0)

/** `Since accepted: 11 lost grounding · 2 fixed`. */
export function changeNote(review: CandidateComparison, baseline: string): Block {
  const named = listsOf(review).filter(({ hasFigure }) => hasFigure)
  const words = named.map(({ count, label }) => `${digits(count)} ${label}`).join(' · ')
  return noteOf(named.some(({ tone }) => tone === 'bad') ? 'bad' : 'good', [
    'Since ',
    { text: { untrusted: baseline }, link: { section: 'changes' } },
    `: ${words || 'nothing gained, lost, broken or fixed'}`,
  ])
}

function changeBlocks(review: CandidateComparison, ...gates: readonly Block[]): Block[] {
  const lists = listsOf(review)
  const figures = lists
    .filter(({ hasFigure }) => hasFigure)
    .map(({ title: label, count, tone, link }): Figure => ({ label, value: digits(count), tone, link }))
  return [
    figures.length > 0 ? figuresOf(...figures) : NO_CHANGE,
    ...warnings(review.notes),
    totalsTable(review),
    ...gates,
    ...lists.map(({ title, count, tone, kinds, link, hasFigure, isFacts }) => {
      const changed = review.changes.filter((change) => change.kinds.some((kind) => kinds.includes(kind)))
      const items = changed.map((change) => itemOf(change, tone))
      // A terminal shows details only in a full-width list.
      return listOf(title, items, { total: count, half: !isFacts, fold: !hasFigure && !isFacts, link })
    }),
    listOf('Added questions', review.added.map(itemOfOne), { fold: true }),
    listOf('Removed questions', review.removed.map(itemOfOne), { fold: true }),
  ]
}

const NO_CHANGE = noteOf('muted', 'No question gained or lost its grounding, broke or was fixed.')

function itemOf(change: QuestionChange, tone: Tone): Item {
  const { baseline, candidate, factsLost, factsGained } = change
  const facts = [
    ...factsLost.map((fact) => `−${factText(fact)}`),
    ...factsGained.map((fact) => `+${factText(fact)}`),
  ]
  return {
    text: questionOf(change),
    details: [
      ...(facts.length === 0 ? [] : [{ untrusted: facts.join(' ') }]),
      ...(baseline.source === candidate.source
        ? []
        : [[{ untrusted: baseline.source }, ' → ', { untrusted: candidate.source }]]),
      ...candidate.failures.map((text) => ({ untrusted: withoutAnswer(text) })),
    ],
    tone,
  }
}

/** Of a question that only one of the runs has. */
const itemOfOne = (question: { readonly id: string; readonly message: string }): Item => ({
  text: [{ untrusted: question.message }, ' ', { untrusted: question.id }],
})

interface Moved extends PercentileChange {
  readonly detectableDrop?: number | null
}

/** How values of a total are written, and their differences without and with the unit. */
const SHARE = { say: percent, bound: (value: number) => boundOf(value * 100, 1), change: points }
const TIME = { say: duration, bound: (value: number) => boundOf(value, 0), change: milliseconds }

/** The totals before and now, and whether they moved beyond noise. */
function totalsTable({ grounding, verdicts, availability, latency, quota }: CandidateComparison): Table {
  const row = (label: string, { say, bound, change }: typeof SHARE, moved: Moved) => [
    label,
    say(moved.baseline),
    say(moved.candidate),
    moved.difference === null ? NONE : change(moved.difference.estimate),
    intervalOf(moved.difference, bound),
    typeof moved.detectableDrop === 'number' ? `${(moved.detectableDrop * 100).toFixed(1)} points` : NONE,
  ]
  const { baseline, candidate } = quota
  const calls = [baseline, candidate].map(({ min, max }) => range(min, max))
  const shares = [baseline.shareOfQuota ?? 0, candidate.shareOfQuota ?? 0]
  const share = (label: string, runs: number) => [
    label,
    ...shares.map((used) => percent(used * runs)),
    NONE,
    NONE,
    NONE,
  ]
  return tableOf(
    'Totals',
    ['', 'Baseline', 'Now', 'Change', '95 % interval', 'Detectable drop'],
    [
      row('Grounded', SHARE, grounding),
      row('Passed', SHARE, verdicts),
      row('Latency p95', TIME, latency.p95),
      ['Calls counted', ...calls, signed(candidate.max - baseline.max, 0), NONE, NONE],
      row('Answered', SHARE, availability),
      row('Latency p50', TIME, latency.p50),
      ...(candidate.shareOfQuota === null
        ? []
        : [share('Share of the quota', 1), share('The same, every night', RUNS_A_MONTH)]),
    ],
  )
}

/** A bound of 0 has no sign. */
const boundOf = (value: number, decimals: number): string => signed(value, decimals).replace('±', '')

function intervalOf(difference: MeasuredDifference | null, say: (value: number) => string): string {
  const { low = null, high = null } = difference ?? {}
  return low === null || high === null ? NONE : `${say(low)} to ${say(high)}`
}

const calls = (value: number | null): string => (value === null ? NONE : digits(Number(value.toFixed(2))))

const TREND: Readonly<Record<Trend['figure'], readonly [string, (value: number | null) => string]>> = {
  coverage: ['Grounded', percent],
  passed: ['Passed', percent],
  errors: ['Errors', percent],
  'latency.p50': ['Latency p50', duration],
  'latency.p95': ['Latency p95', duration],
  callsPerTurn: ['Calls per question', calls],
  'quota.max': ['Calls, maximum', calls],
  rate429: ['429s', percent],
}

const trendTable = (trend: readonly Trend[], runs: Comparison['runs']): Table =>
  tableOf(
    'Trend',
    ['', ...runs.map(({ label }) => ({ untrusted: label }))],
    trend.map(({ figure, values }) => {
      const [label, say] = TREND[figure]
      return [label, ...values.map(say)]
    }),
  )

const runsTable = (runs: Comparison['runs']): Table =>
  tableOf(
    'Runs',
    ['Run', 'Target', 'Started', 'State', 'Questions'],
    runs.map(({ label, target, startedAt, state, questions }) => [
      { untrusted: label },
      { untrusted: target },
      startedAt ?? NONE,
      state,
      digits(questions),
    ]),
    { words: 4 },
  )
