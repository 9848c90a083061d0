// The lists of a comparison, as all its reports show them: which questions stand in which, and what happened to each.
// Texts of the endpoint and of the set in them are still as they came: the renderer makes them safe.
import { CHANGE_LISTS, type ChangeList } from '../domain/changes.ts'
import type {
  CandidateComparison,
  ChangedFact,
  ComparedSide,
  QuestionChange,
  ShownChange,
} from '../domain/comparison/comparison.ts'
import { digits } from '../domain/text.ts'
import { percent } from './numbers.ts'

/** A change as far as the report knows it: the first ones with their answers. */
export type ListedChange = QuestionChange & Partial<Pick<ShownChange, 'answers'>>

export interface ListedChanges extends ChangeList {
  /** Questions; may be more than `changes` holds. From 1. */
  readonly count: number
  /** What must pass first, then in the order given. */
  readonly changes: readonly ListedChange[]
}

/** Those that have any question, what became worse first. A question stands in each list that one of its kinds belongs to. */
export function changeLists(
  { changes, counts }: CandidateComparison,
  shown: readonly ShownChange[] = [],
): readonly ListedChanges[] {
  // The changes end somewhere, and the shown ones may lie beyond: they are the gravest, so they come first.
  const ids = new Set(shown.map(({ id }) => id))
  const all: ListedChange[] = [...shown, ...changes.filter(({ id }) => !ids.has(id))]
  const inOrder = [...all.filter(({ mustPass }) => mustPass), ...all.filter(({ mustPass }) => !mustPass)]
  return CHANGE_LISTS.map((list) => ({
    ...list,
    count: list.kinds.reduce((sum, kind) => sum + counts[kind], 0),
    changes: inOrder.filter((change) => change.kinds.some((kind) => list.kinds.includes(kind))),
  })).filter(({ count }) => count > 0)
}

/** Why a question stands in that list. */
export function whatChanged(change: QuestionChange, { name, label }: ChangeList): string {
  const { baseline, candidate } = change
  const source =
    baseline.source === candidate.source
      ? ''
      : `${sourceName(baseline.source)} → ${sourceName(candidate.source)}`
  const passed = movedRate('passed', baseline.passRate, candidate.passRate)
  const grounded = movedRate('grounded', baseline.groundingRate, candidate.groundingRate)
  const parts: Readonly<Record<typeof name, readonly string[]>> = {
    lost: [grounded, source],
    gained: [grounded, source],
    sourceChanged: [source],
    newlyFailing: [passed, failuresOf(candidate)],
    failInBoth: [passed, failuresOf(candidate)],
    fixed: [passed, `failed before: ${failuresOf(baseline)}`],
    factsChanged: [describeFacts(change)],
    otherAnswer: [`the answers agree by ${percent(change.similarity)}`, describeFacts(change)],
    noAnswer: [failuresOf(candidate)],
    answeredAgain: [`before: ${failuresOf(baseline)}`],
    contextLost: [],
    contextRegained: [],
    flaky: [grounded, passed, source],
  }
  return parts[name].filter((part) => part !== '').join('; ') || label
}

/** Over the repeats; all or none of them is said by the rest already. */
function movedRate(what: string, before: number | null, after: number | null): string {
  const isPlain = [before, after].every((rate) => rate === null || rate === 0 || rate === 1)
  return isPlain || before === after ? '' : `${what} ${percent(before)} → ${percent(after)}`
}

const failuresOf = ({ failures, outcome, source }: ComparedSide): string =>
  failures.join('; ') || (outcome === null || outcome === 'answered' ? source : outcome)

/** Facts of one kind that are named; more are counted. */
const MOST_FACTS = 4

/** `14 days → 10 days`, by kind of fact; `gone: …` and `new: …` where nothing of the kind stands against it. */
export function describeFacts({
  factsLost,
  factsGained,
}: Pick<QuestionChange, 'factsLost' | 'factsGained'>): string {
  const kinds = new Set([...factsLost, ...factsGained].map(({ kind }) => kind))
  return [...kinds]
    .map((kind) => {
      const [lost, gained] = [named(factsLost, kind), named(factsGained, kind)]
      if (lost === '') return `new: ${gained}`
      return gained === '' ? `gone: ${lost}` : `${lost} → ${gained}`
    })
    .join('; ')
}

function named(facts: readonly ChangedFact[], kind: string): string {
  const texts = facts.filter((fact) => fact.kind === kind).map(({ text }) => text)
  const left = texts.length - MOST_FACTS
  return [...texts.slice(0, MOST_FACTS), ...(left > 0 ? [`${digits(left)} more`] : [])].join(', ')
}

/** The endpoint may name a source by nothing at all. */
export const sourceName = (source: string): string => (source === '' ? '(empty)' : source)

export interface SetList {
  readonly name: 'added' | 'removed' | 'edited'
  readonly label: string
  /** `before`: the text that the baseline has, where the question was edited. */
  readonly questions: readonly { readonly id: string; readonly message: string; readonly before?: string }[]
}

/** Questions that were compared with nothing, since the sets differ. */
export const setLists = ({ added, removed, edited }: CandidateComparison): readonly SetList[] =>
  [
    { name: 'added' as const, label: 'added', questions: added },
    { name: 'removed' as const, label: 'removed', questions: removed },
    {
      name: 'edited' as const,
      label: 'edited: the text changed, so answers are not compared',
      questions: edited.map(({ id, baseline, candidate }) => ({ id, message: candidate, before: baseline })),
    },
  ].filter(({ questions }) => questions.length > 0)
