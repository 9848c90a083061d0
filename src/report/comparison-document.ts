// The report of a comparison: the questions that changed, then the totals with their noise.
import { type Change, CHANGE_LISTS, changedFactsText, EDITED, listsOf, type Row } from '../domain/changes.ts'
import type { CandidateComparison, ComparedFigure, Comparison } from '../domain/comparison.ts'
import { RUNS_A_MONTH } from '../domain/quota.ts'
import type { ListedQuestion } from '../domain/summary.ts'
import type { Unmet } from '../domain/turn.ts'
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
import type { Block, Document, Figure, Item, Section, Table, Text, Tone } from './document.ts'
import { nightLines } from './night.ts'
import {
  digits,
  duration,
  margin,
  milliseconds,
  minute,
  NONE,
  percent,
  plural,
  points,
  range,
  signed,
} from '../domain/format.ts'

export function comparisonDocument(
  { runs, candidates, notes }: Comparison,
  rows: readonly Row[],
  backAgain: readonly Change[],
): Document {
  const [baseline, candidate] = runs
  const [compared] = candidates
  const { shared, edited } = compared.overlap
  return {
    title: [{ untrusted: candidate.label }, ' against ', { untrusted: baseline.label }],
    facts: `${plural(shared, 'question')} in both${edited === 0 ? '' : `, ${digits(edited)} edited`}`,
    at: candidate.startedAt,
    verdict: verdictOf(compared.verdict, compared.reason),
    lead: nightLines(compared, { ...baseline, name: baseline.label }, candidate.startedAt, backAgain),
    sections: [
      sectionOf(
        'overview',
        ...changeBlocks(compared, rows, () => true),
        ...warnings(notes),
        gatesOf(compared.gates.map((gate) => ({ name: gate.rule, ...gate }))),
      ),
      // The page adds each question here.
      sectionOf('conversations'),
      sectionOf('about', runsTable(runs)),
    ],
  }
}

/** Changed facts are on the overview, too, though no gate judges them. */
const ON_OVERVIEW: ReadonlySet<string> = new Set(['newlyFailing', 'noAnswer', 'factsChanged', 'failInBoth'])

export const changesSection = (compared: CandidateComparison, rows: readonly Row[]): Section =>
  sectionOf('changes', ...changeBlocks(compared, rows, ({ name }) => !ON_OVERVIEW.has(name)))

/** Lists that are not empty; what fails in both runs did not change. */
const changeLists = ({ counts }: CandidateComparison) =>
  CHANGE_LISTS.map((list) => ({
    ...list,
    count: list.kinds.reduce((sum, kind) => sum + counts[kind], 0),
  })).filter(({ name, count }) => name !== 'failInBoth' && count > 0)

type ListOfChanges = ReturnType<typeof changeLists>[number]

const isMain = ({ name, tone }: ListOfChanges): boolean =>
  tone === 'bad' || tone === 'good' || name === 'factsChanged'

const linkTo = (name: string) => ({ find: `change:${name}` })

const titleOf = ({ label }: ListOfChanges): string => label.charAt(0).toUpperCase() + label.slice(1)

/** Writes `Since accepted: 11 lost grounding · 2 fixed · facts changed in 3`. */
export function changeNote(compared: CandidateComparison, baseline: string): Block {
  const lists = changeLists(compared).filter(isMain)
  const texts = lists.map(({ name, count, label }) =>
    name === 'factsChanged' ? `${label} in ${digits(count)}` : `${digits(count)} ${label}`,
  )
  if (compared.overlap.edited > 0) texts.push(`${digits(compared.overlap.edited)} ${EDITED.label}`)
  const tone =
    (['bad', 'warn'] as const).find((graver) => lists.some((list) => list.tone === graver)) ?? 'good'
  return noteOf(tone, [
    'Since ',
    { text: { untrusted: baseline }, link: { section: 'changes' } },
    `: ${texts.join(' · ') || 'nothing gained, lost, broken or fixed, and no fact changed'}`,
  ])
}

/** It is empty if no fact changed. */
const listsOfFacts = (compared: CandidateComparison) =>
  changeLists(compared).filter(({ name }) => name === 'factsChanged')

export const changedFactsFigures = (compared: CandidateComparison): Figure[] =>
  listsOfFacts(compared).map(figureOf)

export const changedFactsLists = (compared: CandidateComparison, rows: readonly Row[]): Block[] =>
  listsOfFacts(compared).map((list) => listOfChanged(compared, list, unmetIn(rows)))

const figureOf = (list: ListOfChanges): Figure => ({
  label: titleOf(list),
  value: digits(list.count),
  tone: list.tone,
  link: linkTo(list.name),
})

function changeBlocks(
  compared: CandidateComparison,
  rows: readonly Row[],
  isListed: (list: ListOfChanges) => boolean,
): Block[] {
  const unmetOf = unmetIn(rows)
  const lists = changeLists(compared)
  const figures = lists.filter(isMain).map(figureOf)
  return [
    figures.length > 0
      ? figuresOf(...figures)
      : noteOf('muted', 'No question changed its grounding or its result, and no fact changed.'),
    ...warnings(compared.notes),
    totalsTable(compared),
    ...lists.filter(isListed).map((list) => listOfChanged(compared, list, unmetOf)),
    ...editBlocks(compared.articles),
    listOf(
      'Edited questions',
      compared.edited.map((change) => itemOfEdited(change, unmetOf)),
      { total: compared.overlap.edited, link: linkTo(EDITED.name) },
    ),
    listOf('Added questions', compared.added.map(itemOfUnpaired), { isMinor: true }),
    listOf('Removed questions', compared.removed.map(itemOfUnpaired), { isMinor: true }),
  ]
}

function listOfChanged({ changes }: CandidateComparison, list: ListOfChanges, unmetOf: UnmetOf): Block {
  const items = changes
    .filter((change) => change.kinds.some((kind) => list.kinds.includes(kind)))
    .map((change) => itemOf(change, unmetOf, list.tone))
  return listOf(titleOf(list), items, {
    total: list.count,
    isMinor: !isMain(list),
    link: linkTo(list.name),
  })
}

type UnmetOf = (change: Change) => readonly Unmet[]

/** A list in `comparison.json` has whole sentences, with the answer, which these lists link. */
function unmetIn(rows: readonly Row[]): UnmetOf {
  const failing = rows.flatMap(({ id, candidate }) =>
    candidate === null || candidate.failures.length === 0 ? [] : [[id, candidate.failures] as const],
  )
  const byId = new Map(failing)
  return ({ id }) => byId.get(id) ?? []
}

function itemOfEdited(change: Change, unmetOf: UnmetOf): Item {
  const { text, details = [] } = itemOf(change, unmetOf, 'warn')
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

function itemOf(change: Change, unmetOf: UnmetOf, tone: Tone): Item {
  const { baseline, candidate } = change
  const facts = changedFactsText(change)
  return {
    text: questionOf(change),
    details: [
      ...(facts === '' ? [] : [{ untrusted: facts }]),
      ...(baseline.source === candidate.source
        ? []
        : [[{ untrusted: baseline.source }, ' → ', { untrusted: candidate.source }]]),
      ...unmetOf(change).map(({ sentence }) => ({ untrusted: sentence })),
    ],
    tone,
  }
}

const itemOfUnpaired = ({ id, message }: ListedQuestion): Item => ({
  text: [{ untrusted: message }, ' ', { untrusted: id }],
})

/** Values of a total have differences without and with the unit. */
const SHARE = { say: percent, bound: (value: number) => boundOf(value * 100, 1), change: points }
const TIME = { say: duration, bound: (value: number) => boundOf(value, 0), change: milliseconds }

function totalsTable({ grounding, verdicts, availability, latency, quota }: CandidateComparison): Table {
  const row = (label: string, { say, bound, change }: typeof SHARE, moved: ComparedFigure) => {
    const { estimate = null, low = null, high = null } = moved.difference ?? {}
    const detectable = 'detectableDrop' in moved ? moved.detectableDrop : null
    return [
      label,
      say(moved.baseline),
      say(moved.candidate),
      estimate === null ? NONE : change(estimate),
      low === null || high === null ? NONE : `${bound(low)} to ${bound(high)}`,
      typeof detectable === 'number' ? margin(detectable) : NONE,
    ]
  }
  const { baseline, candidate } = quota
  const share = (label: string, runs: number) => [
    label,
    percent((baseline.shareOfQuota ?? 0) * runs),
    percent((candidate.shareOfQuota ?? 0) * runs),
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
      [
        'Calls counted',
        range(baseline.min, baseline.max),
        range(candidate.min, candidate.max),
        signed(candidate.max - baseline.max, 0),
        NONE,
        NONE,
      ],
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

function runsTable(runs: Comparison['runs']): Table {
  const row = (label: string, textOf: (run: (typeof runs)[number]) => Text) => [label, ...runs.map(textOf)]
  return tableOf(
    'Runs',
    ['', 'Baseline', 'Now'],
    [
      row('Run', ({ label }) => ({ untrusted: label })),
      row('Set', ({ sets }) => ({ untrusted: sets.join(', ') })),
      row('Articles', ({ articles }) => (articles === null ? NONE : { untrusted: articles })),
      row('Target', ({ target }) => ({ untrusted: target })),
      row('Started (UTC)', ({ startedAt }) => (startedAt === null ? NONE : minute(startedAt))),
      row('State', ({ state }) => state),
      row('Questions', ({ questions }) => digits(questions)),
    ],
    { words: 3 },
  )
}
