// What changed between runs: first the questions, then whether the totals moved beyond noise.
import { CHANGE_LISTS } from '../domain/changes.ts'
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
  MeasuredDifference,
  PercentileChange,
  ShareReview,
  ShownChange,
  Trend,
} from '../domain/comparison.ts'
import { digits } from '../domain/text.ts'
import {
  gateTable,
  overview,
  questionOf,
  rowsOf,
  tableOfPairs,
  verdictOf,
  warnings,
  type Block,
  type Document,
  type Figure,
  type Item,
  type Section,
  type Text,
  type Tone,
} from './document.ts'
import { duration, NONE, percent, points, range, ratioOf, signed } from './format.ts'

/** Of one candidate. */
export function comparisonDocument(comparison: Comparison, details: ComparisonDetails, place = 0): Document {
  const { runs, verdict, reason, candidates, trend, notes } = comparison
  const [baseline, candidate] = [runs[0], runs[place + 1]]
  const review = candidates[place]
  return {
    title: [{ untrusted: candidate?.label ?? '' }, ' against ', { untrusted: baseline?.label ?? '' }],
    facts: review === undefined ? '' : `${digits(review.overlap.shared)} questions in both`,
    at: candidate?.startedAt ?? null,
    verdict: verdictOf(verdict, { untrusted: reason }),
    sections:
      review === undefined
        ? []
        : [
            overview(
              ...changeBlocks(review, details.shown[place] ?? [], [
                gateTable(
                  'Gates',
                  review.gates.map(({ rule, ...result }) => ({ name: rule, ...result })),
                  { isInVerdict: true },
                ),
              ]),
              ...warnings(notes),
              trendTable(trend, runs),
            ),
            { id: 'changes', title: 'Changes', blocks: [] },
            aboutRuns(comparison, review),
          ],
  }
}

/** `Since accepted: 11 lost grounding · 2 fixed`. */
export function changeNote(review: CandidateComparison, baseline: string): Block {
  const named = listsOf(review).filter(isNamed)
  const words = named.map(({ count, label }) => `${digits(count)} ${label}`).join(' · ')
  return {
    kind: 'note',
    tone: named.some(({ tone }) => tone === 'worse') ? 'bad' : 'good',
    text: ['Since ', { untrusted: baseline }, `: ${words || 'nothing gained, lost, broken or fixed'}`],
  }
}

/** Lists that hold a question. */
const listsOf = ({ counts }: CandidateComparison) =>
  CHANGE_LISTS.map((list) => ({
    ...list,
    count: list.kinds.reduce((sum, kind) => sum + counts[kind], 0),
  })).filter(({ count }) => count > 0)

/** What became better or worse is said first. */
const isNamed = ({ tone }: (typeof CHANGE_LISTS)[number]): boolean => tone === 'worse' || tone === 'better'

const capitalized = (label: string): string => label.charAt(0).toUpperCase() + label.slice(1)

/** The tab of a run that has a baseline. */
export const changesSection = (review: CandidateComparison, shown: readonly ShownChange[]): Section => ({
  id: 'changes',
  title: 'Changes',
  // Its gates stand among those of the run.
  blocks: changeBlocks(review, shown),
})

const TONES: Readonly<Record<(typeof CHANGE_LISTS)[number]['tone'], Tone>> = {
  worse: 'bad',
  better: 'good',
  drift: 'warn',
  noise: 'muted',
  same: 'muted',
}

/** Kinds of change as the page lists them. */
export const pageChanges = CHANGE_LISTS.map(({ name, label, tone }) => ({ name, label, tone: TONES[tone] }))

function changeBlocks(
  review: CandidateComparison,
  shown: readonly ShownChange[],
  gates: readonly Block[] = [],
): Block[] {
  const lists = listsOf(review)
  const figures = lists.filter(isNamed).map(({ label, count, tone, name }): Figure => ({
    label: capitalized(label),
    value: digits(count),
    tone: TONES[tone],
    link: { find: `change:${name}` },
  }))
  return [
    figures.length === 0
      ? { kind: 'note', tone: 'good', text: 'No question gained or lost its grounding, broke or was fixed.' }
      : { kind: 'figures', figures },
    totalsTable(review),
    ...gates,
    ...warnings(review.notes),
    ...lists
      .filter(({ tone }) => tone !== 'same')
      .map(({ name, label, count, tone, kinds }): Block => ({
        kind: 'list',
        title: capitalized(label),
        total: count,
        half: true,
        fold: (tone === 'drift' && name !== 'factsChanged') || tone === 'noise',
        link: { find: `change:${name}` },
        items: shown
          .filter((change) => change.kinds.some((kind) => kinds.includes(kind)))
          .map((change) => itemOf(change, TONES[tone], name === 'factsChanged')),
      })),
    questionList('Added questions', review.added),
    questionList('Removed questions', review.removed),
    {
      kind: 'table',
      title: 'Sources of answers',
      fold: true,
      columns: ['Before', 'Now', 'Turns'],
      words: 2,
      rows: rowsOf(
        review.grounding.matrix.map(({ from, to, count }) => [
          { untrusted: from },
          { untrusted: to },
          digits(count),
        ]),
      ),
    },
  ]
}

/** `factsFirst`: where they are the news, they stand before the question. */
function itemOf(
  { id, message, baseline, candidate, factsLost, factsGained }: ShownChange,
  tone: Tone,
  factsFirst: boolean,
): Item {
  const facts = [...factsLost.map(({ text }) => `−${text}`), ...factsGained.map(({ text }) => `+${text}`)]
  const said = facts.length === 0 ? [] : [{ untrusted: facts.join(' ') }]
  const question = questionOf({ id, message })
  return {
    text: factsFirst ? [...said, ' · ', question] : question,
    details: [
      [{ untrusted: baseline.source }, ' → ', { untrusted: candidate.source }],
      ...candidate.failures.map((text) => ({ untrusted: text })),
      ...(factsFirst ? [] : said),
    ],
    tone,
  }
}

/** Whether the totals moved beyond noise. */
function totalsTable({ grounding, verdicts, availability, latency, quota }: CandidateComparison): Block {
  const share = (label: string, { baseline, candidate, difference }: ShareReview, drop?: number | null) => [
    label,
    percent(baseline),
    percent(candidate),
    difference === null ? NONE : points(difference.estimate),
    intervalOf(difference, (value) => signed(value * 100, 1)),
    drop === undefined || drop === null ? NONE : points(-drop).replace('−', ''),
  ]
  const time = (label: string, { baseline, candidate, difference }: PercentileChange) => [
    label,
    duration(baseline),
    duration(candidate),
    difference === null ? NONE : `${signed(difference.estimate, 0)} ms`,
    intervalOf(difference, (value) => signed(value, 0)),
    NONE,
  ]
  return {
    kind: 'table',
    title: 'Totals',
    columns: ['', 'Baseline', 'Now', 'Change', '95 % interval', 'Detectable drop'],
    rows: rowsOf([
      share('Grounded', grounding, grounding.detectableDrop),
      share('Passed', verdicts, verdicts.detectableDrop),
      time('Latency p95', latency.p95),
      [
        'Calls counted',
        range(quota.baseline.min, quota.baseline.max),
        range(quota.candidate.min, quota.candidate.max),
        signed(quota.candidate.max - quota.baseline.max, 0),
        NONE,
        NONE,
      ],
      share('Answered', availability),
      time('Latency p50', latency.p50),
    ]),
  }
}

const intervalOf = (difference: MeasuredDifference | null, say: (value: number) => string): string =>
  difference === null || difference.low === null || difference.high === null
    ? NONE
    : `${say(difference.low)} to ${say(difference.high)}`

const questionList = (title: string, questions: readonly { id: string; message: string }[]): Block => ({
  kind: 'list',
  title,
  fold: true,
  items: questions.map(({ id, message }) => ({ text: [{ untrusted: message }, ' ', { untrusted: id }] })),
})

const FIGURES: Readonly<Record<Trend['figure'], string>> = {
  coverage: 'Grounded',
  passed: 'Passed',
  errors: 'Errors',
  'latency.p50': 'Latency p50',
  'latency.p95': 'Latency p95',
  callsPerTurn: 'Calls per turn',
  'quota.max': 'Calls, maximum',
  rate429: '429s',
}

function trendTable(trend: readonly Trend[], runs: Comparison['runs']): Block {
  const say = (value: number | null, unit: Trend['unit']): string => {
    if (value === null) return NONE
    if (unit === 'share') return percent(value)
    return unit === 'ms' ? duration(value) : digits(Number(value.toFixed(2)))
  }
  return {
    kind: 'table',
    title: 'Trend',
    columns: ['', ...runs.map(({ label }): Text => ({ untrusted: label }))],
    rows: rowsOf(
      trend.map(({ figure, unit, values }) => [FIGURES[figure], ...values.map((value) => say(value, unit))]),
    ),
  }
}

const aboutRuns = ({ runs, options }: Comparison, { settings, overlap }: CandidateComparison): Section => ({
  id: 'about',
  title: 'About',
  blocks: [
    {
      kind: 'table',
      title: 'Runs',
      columns: ['Run', 'Target', 'Started', 'State', 'Questions'],
      words: 4,
      rows: rowsOf(
        runs.map(({ label, target, startedAt, state, questions }) => [
          { untrusted: label },
          { untrusted: target },
          startedAt ?? NONE,
          state,
          digits(questions),
        ]),
      ),
    },
    {
      kind: 'table',
      title: 'Settings that differ',
      columns: ['Setting', 'Baseline', 'Now'],
      words: 3,
      rows: rowsOf(
        settings.map(({ setting, baseline, candidate }) => [
          setting,
          { untrusted: baseline },
          { untrusted: candidate },
        ]),
      ),
    },
    tableOfPairs('Comparison', [
      ['Questions in both', `${ratioOf(overlap.shared, overlap.baseline)} of the baseline’s`],
      ['Fails on', options.failOn.join(', ') || 'none'],
      ['Margin', points(options.margin).replace('+', '')],
      ['Alpha', String(options.alpha)],
    ]),
  ],
})
