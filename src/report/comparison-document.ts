// The report of a comparison: the questions that changed, then the totals with their noise.
import { type Change, CHANGE_LISTS, EDITED, factText, listsOf } from '../domain/changes.ts'
import type { CandidateComparison, ComparedFigure, Comparison } from '../domain/comparison.ts'
import { RUNS_A_MONTH } from '../domain/quota.ts'
import type { ListedQuestion } from '../domain/summary.ts'
import { withoutAnswer } from '../domain/turn.ts'
import { editBlocks } from './article-blocks.ts'
import {
  figuresOf,
  gatesOf,
  listOf,
  noteOf,
  questionOf,
  sectionOf,
  tableOf,
  verdictOf,
  warnings,
} from './blocks.ts'
import type { Block, Document, Figure, Item, Section, Table, Tone } from './document.ts'
import {
  digits,
  duration,
  margin,
  milliseconds,
  NONE,
  percent,
  plural,
  points,
  range,
  signed,
} from '../domain/format.ts'

export function comparisonDocument({ runs, candidates, notes }: Comparison): Document {
  const [baseline, candidate] = runs
  const [compared] = candidates
  const gates = compared.gates.map((gate) => ({ name: gate.rule, ...gate }))
  return {
    title: [{ untrusted: candidate.label }, ' against ', { untrusted: baseline.label }],
    facts: `${plural(compared.overlap.shared, 'question')} in both`,
    at: candidate.startedAt,
    verdict: verdictOf(compared.verdict, compared.reason, gates, compared.overlap.edited),
    sections: [
      sectionOf('overview', ...changeBlocks(compared, () => true), ...warnings(notes), gatesOf(gates)),
      // The page adds each question here.
      sectionOf('changes'),
      sectionOf('conversations'),
      sectionOf('about', runsTable(runs)),
    ],
  }
}

/** What the overview of a run lists: its failures, and changed facts, which no gate judges. */
const ON_OVERVIEW: ReadonlySet<string> = new Set(['newlyFailing', 'noAnswer', 'factsChanged', 'failInBoth'])

/** The tab of a run with a baseline. */
export const changesSection = (compared: CandidateComparison): Section =>
  sectionOf('changes', ...changeBlocks(compared, ({ name }) => !ON_OVERVIEW.has(name)))

const TONES: Readonly<Record<(typeof CHANGE_LISTS)[number]['tone'], Tone>> = {
  worse: 'bad',
  better: 'good',
  drift: 'warn',
  noise: 'muted',
  same: 'muted',
}

export const pageChanges = [
  ...CHANGE_LISTS.map(({ name, label, tone }) => ({ name, label, tone: TONES[tone] })),
  { ...EDITED, tone: TONES.drift },
]

/** Lists that are not empty. Changed facts have a figure, too, though no gate judges them. */
const changeLists = ({ counts }: CandidateComparison) =>
  CHANGE_LISTS.filter(({ tone }) => tone !== 'same')
    .map(({ name, label, tone, kinds }) => ({
      name,
      kinds,
      label,
      title: label.charAt(0).toUpperCase() + label.slice(1),
      tone: TONES[tone],
      link: { change: name },
      count: kinds.reduce((sum, kind) => sum + counts[kind], 0),
      hasFigure: tone === 'worse' || tone === 'better' || name === 'factsChanged',
      isFacts: name === 'factsChanged',
    }))
    .filter(({ count }) => count > 0)

type ListOfChanges = ReturnType<typeof changeLists>[number]

/** `Since accepted: 11 lost grounding · 2 fixed · facts changed in 3`. */
export function changeNote(compared: CandidateComparison, baseline: string): Block {
  const named = changeLists(compared).filter(({ hasFigure }) => hasFigure)
  const words = named
    .map(({ count, label, isFacts }) =>
      isFacts ? `${label} in ${digits(count)}` : `${digits(count)} ${label}`,
    )
    .join(' · ')
  const tone =
    (['bad', 'warn'] as const).find((graver) => named.some((list) => list.tone === graver)) ?? 'good'
  return noteOf(tone, [
    'Since ',
    { text: { untrusted: baseline }, link: { section: 'changes' } },
    `: ${words || 'nothing gained, lost, broken or fixed, and no fact changed'}`,
  ])
}

/** The overview of a run has these; they are empty if no fact changed. */
export function changedFacts(compared: CandidateComparison) {
  const lists = changeLists(compared).filter(({ isFacts }) => isFacts)
  return { figures: lists.map(figureOf), blocks: lists.map((list) => listOfChanged(compared, list)) }
}

const figureOf = ({ title: label, count, tone, link }: ListOfChanges): Figure => ({
  label,
  value: digits(count),
  tone,
  link,
})

function changeBlocks(compared: CandidateComparison, isListed: (list: ListOfChanges) => boolean): Block[] {
  const lists = changeLists(compared)
  const figures = lists.filter(({ hasFigure }) => hasFigure).map(figureOf)
  return [
    figures.length > 0
      ? figuresOf(...figures)
      : noteOf('muted', 'No question changed its grounding or its result, and no fact changed.'),
    ...warnings(compared.notes),
    totalsTable(compared),
    ...lists.filter(isListed).map((list) => listOfChanged(compared, list)),
    ...editBlocks(compared.articles),
    listOf('Edited questions', compared.edited.map(itemOfEdited), {
      total: compared.overlap.edited,
      link: { change: EDITED.name },
    }),
    listOf('Added questions', compared.added.map(itemOfUnpaired), { isMinor: true }),
    listOf('Removed questions', compared.removed.map(itemOfUnpaired), { isMinor: true }),
  ]
}

function listOfChanged(
  { changes }: CandidateComparison,
  { title, count, tone, kinds, link, hasFigure }: ListOfChanges,
): Block {
  const changed = changes.filter((change) => change.kinds.some((kind) => kinds.includes(kind)))
  const items = changed.map((change) => itemOf(change, tone))
  return listOf(title, items, { total: count, isMinor: !hasFigure, link })
}

function itemOfEdited(change: Change): Item {
  const { text, details = [] } = itemOf(change, 'warn')
  return {
    text,
    details: [
      ['was: ', { untrusted: change.baselineMessage ?? '' }],
      ...listsOf(change.kinds).map(({ label }) => label),
      ...details,
    ],
    tone: 'warn',
  }
}

function itemOf(change: Change, tone: Tone): Item {
  const { baseline, candidate } = change
  const facts = changedFactsText(change)
  return {
    text: questionOf(change),
    details: [
      ...(facts === '' ? [] : [{ untrusted: facts }]),
      ...(baseline.source === candidate.source
        ? []
        : [[{ untrusted: baseline.source }, ' → ', { untrusted: candidate.source }]]),
      ...candidate.failures.map((text) => ({ untrusted: withoutAnswer(text) })),
    ],
    tone,
  }
}

/** `14 days → 10 days`. Where only one answer has such a fact: `only before: 14 days`. */
function changedFactsText({ factsLost, factsGained }: Change): string {
  const [lost, gained] = [factsLost, factsGained].map((facts) => facts.map(factText).join(', '))
  if (!lost || !gained) return lost ? `only before: ${lost}` : gained ? `only now: ${gained}` : ''
  return `${lost} → ${gained}`
}

const itemOfUnpaired = ({ id, message }: ListedQuestion): Item => ({
  text: [{ untrusted: message }, ' ', { untrusted: id }],
})

/** How values of a total are written, and their differences without and with the unit. */
const SHARE = { say: percent, bound: (value: number) => boundOf(value * 100, 1), change: points }
const TIME = { say: duration, bound: (value: number) => boundOf(value, 0), change: milliseconds }

function totalsTable({ grounding, verdicts, availability, latency, quota }: CandidateComparison): Table {
  const row = (
    label: string,
    { say, bound, change }: typeof SHARE,
    moved: ComparedFigure & { readonly detectableDrop?: number | null },
  ) => {
    const { estimate = null, low = null, high = null } = moved.difference ?? {}
    return [
      label,
      say(moved.baseline),
      say(moved.candidate),
      estimate === null ? NONE : change(estimate),
      low === null || high === null ? NONE : `${bound(low)} to ${bound(high)}`,
      typeof moved.detectableDrop === 'number' ? margin(moved.detectableDrop) : NONE,
    ]
  }
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
      row('Expectations', SHARE, verdicts),
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
