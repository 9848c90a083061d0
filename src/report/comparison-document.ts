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
import type { Block, Document, Figure, Item, Row, Section, Tone } from './document.ts'
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
    verdict: {
      tone: verdict === 'passed' ? 'good' : 'bad',
      word: verdict === 'passed' ? 'Passed' : 'Failed',
      reason: { untrusted: reason },
    },
    sections:
      review === undefined
        ? []
        : [
            {
              id: 'overview',
              title: 'Overview',
              blocks: [
                ...changeBlocks(review, details.shown[place] ?? [], [gateTable(review)]),
                ...notes.map(({ text }): Block => ({
                  kind: 'note',
                  tone: 'warn',
                  text: { untrusted: text },
                })),
                trendTable(trend, runs),
              ],
            },
            { id: 'changes', title: 'Changes', blocks: [] },
            aboutRuns(comparison, review),
          ],
  }
}

/** `Since accepted: 11 lost grounding · 2 fixed`. */
export function changeNote(review: CandidateComparison, baseline: string): Block {
  const counted = CHANGE_LISTS.flatMap(({ kinds, label, tone }) => {
    const count = kinds.reduce((sum, kind) => sum + review.counts[kind], 0)
    return count > 0 && (tone === 'worse' || tone === 'better')
      ? [{ text: `${digits(count)} ${label}`, tone }]
      : []
  })
  const words =
    counted.length === 0
      ? 'nothing gained, lost, broken or fixed'
      : counted.map(({ text }) => text).join(' · ')
  const isWorse = counted.some(({ tone }) => tone === 'worse')
  return {
    kind: 'note',
    tone: isWorse ? 'bad' : 'good',
    text: ['Since ', { untrusted: baseline }, `: ${words}`],
  }
}

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
  const lists = CHANGE_LISTS.map((list) => {
    const changed = shown.filter(({ kinds }) => kinds.some((kind) => list.kinds.includes(kind)))
    const count = list.kinds.reduce((sum, kind) => sum + review.counts[kind], 0)
    return { ...list, count, changed }
  }).filter(({ count }) => count > 0)
  const named = lists.filter(({ tone }) => tone === 'worse' || tone === 'better')
  const figures = named.map(({ label, count, tone, name }): Figure => ({
    label: label.charAt(0).toUpperCase() + label.slice(1),
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
    ...review.notes.map(({ text }): Block => ({ kind: 'note', tone: 'warn', text: { untrusted: text } })),
    ...lists
      .filter(({ tone }) => tone !== 'same')
      .map(({ name, label, count, tone, changed }): Block => ({
        kind: 'list',
        title: label.charAt(0).toUpperCase() + label.slice(1),
        total: count,
        half: true,
        fold: (tone === 'drift' && name !== 'factsChanged') || tone === 'noise',
        link: { find: `change:${name}` },
        items: changed.map((change) => itemOf(change, TONES[tone], name === 'factsChanged')),
      })),
    questionList('Added questions', review.added),
    questionList('Removed questions', review.removed),
    sourceTable(review),
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
  const question = { text: { untrusted: message.trim() === '' ? id : message }, link: { question: id } }
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
  const share = (label: string, review: ShareReview, drop?: number | null): Row => ({
    cells: [
      label,
      percent(review.baseline),
      percent(review.candidate),
      review.difference === null ? NONE : points(review.difference.estimate),
      review.difference === null ? NONE : intervalOf(review.difference, (value) => signed(value * 100, 1)),
      drop === undefined || drop === null ? NONE : points(-drop).replace('−', ''),
    ],
  })
  const time = (label: string, { baseline, candidate, difference }: PercentileChange): Row => ({
    cells: [
      label,
      duration(baseline),
      duration(candidate),
      difference === null ? NONE : `${signed(difference.estimate, 0)} ms`,
      difference === null ? NONE : intervalOf(difference, (value) => signed(value, 0)),
      NONE,
    ],
  })
  return {
    kind: 'table',
    title: 'Totals',
    columns: ['', 'Baseline', 'Now', 'Change', '95 % interval', 'Detectable drop'].map((label) => ({
      label,
    })),
    rows: [
      share('Grounded', grounding, grounding.detectableDrop),
      share('Passed', verdicts, verdicts.detectableDrop),
      time('Latency p95', latency.p95),
      {
        cells: [
          'Calls counted',
          range(quota.baseline.min, quota.baseline.max),
          range(quota.candidate.min, quota.candidate.max),
          signed(quota.candidate.max - quota.baseline.max, 0),
          NONE,
          NONE,
        ],
      },
      share('Answered', availability),
      time('Latency p50', latency.p50),
    ],
  }
}

const intervalOf = ({ low, high }: MeasuredDifference, say: (value: number) => string): string =>
  low === null || high === null ? NONE : `${say(low)} to ${say(high)}`

const gateTable = ({ gates }: CandidateComparison): Block => ({
  kind: 'table',
  title: 'Gates',
  isInVerdict: true,
  columns: [{ label: '' }, { label: 'Rule', align: 'left' }, { label: '', align: 'left' }],
  rows: gates.map(({ rule, passed, reason }) => ({
    cells: [passed ? '✓' : '✗', rule, { untrusted: reason.text }],
    tone: passed ? undefined : 'bad',
  })),
})

const questionList = (title: string, questions: readonly { id: string; message: string }[]): Block => ({
  kind: 'list',
  title,
  fold: true,
  items: questions.map(({ id, message }) => ({ text: [{ untrusted: message }, ' ', { untrusted: id }] })),
})

const sourceTable = ({ grounding: { matrix } }: CandidateComparison): Block => ({
  kind: 'table',
  title: 'Sources of answers',
  fold: true,
  columns: [{ label: 'Before' }, { label: 'Now', align: 'left' }, { label: 'Turns' }],
  rows: matrix.map(({ from, to, count }) => ({
    cells: [{ untrusted: from }, { untrusted: to }, digits(count)],
  })),
})

const FIGURES: Readonly<Record<Trend['figure'], string>> = {
  coverage: 'Grounded',
  passed: 'Passed',
  errors: 'Errors',
  'latency.p50': 'Latency p50',
  'latency.p95': 'Latency p95',
  callsPerTurn: 'Calls per turn',
  'quota.max': 'Calls at most',
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
    columns: [{ label: '' }, ...runs.map(({ label }) => ({ label: { untrusted: label } }))],
    rows: trend.map(({ figure, unit, values }) => ({
      cells: [FIGURES[figure], ...values.map((value) => say(value, unit))],
    })),
  }
}

const aboutRuns = ({ runs, options }: Comparison, { settings, overlap }: CandidateComparison): Section => ({
  id: 'about',
  title: 'About',
  blocks: [
    {
      kind: 'table',
      title: 'Runs',
      columns: ['Run', 'Target', 'Started', 'State', 'Questions'].map((label) => ({
        label,
        align: 'left' as const,
      })),
      rows: runs.map(({ label, target, startedAt, state, questions }) => ({
        cells: [{ untrusted: label }, { untrusted: target }, startedAt ?? NONE, state, digits(questions)],
      })),
    },
    {
      kind: 'table',
      title: 'Settings that differ',
      columns: ['Setting', 'Baseline', 'Now'].map((label) => ({ label, align: 'left' as const })),
      rows: settings.map(({ setting, baseline, candidate }) => ({
        cells: [setting, { untrusted: baseline }, { untrusted: candidate }],
      })),
    },
    {
      kind: 'table',
      title: 'Comparison',
      columns: [{ label: '' }, { label: '' }],
      rows: [
        { cells: ['Questions in both', `${ratioOf(overlap.shared, overlap.baseline)} of the baseline’s`] },
        { cells: ['Fails on', options.failOn.join(', ') || 'none'] },
        { cells: ['Margin', points(options.margin).replace('+', '')] },
        { cells: ['Alpha', String(options.alpha)] },
      ],
    },
  ],
})
