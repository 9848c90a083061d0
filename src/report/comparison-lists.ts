// The lists of a comparison: which questions stand in which, and how many. All its reports share them.
import type { QuestionChange, ShownChange } from '../domain/comparison/change.ts'
import type { CandidateComparison, ListedQuestion } from '../domain/comparison/comparison.ts'
import { CHANGE_LISTS, type ListKey, type ListRule } from './comparison-list-rules.ts'

/** A change as far as the report knows it: the first ones with their answers. */
export type ListedChange = QuestionChange & Partial<Pick<ShownChange, 'answers'>>

export interface ChangeList {
  readonly key: ListKey
  readonly title: string
  readonly tally: string
  readonly tone: ListRule['tone']
  /** Questions; may be more than `changes` holds. From 1. */
  readonly count: number
  /** What must pass first, then in the order given. */
  readonly changes: readonly ListedChange[]
}

/** Those that have any question, in their order. A question stands in each list that one of its kinds belongs to. */
export function changeLists(
  candidate: CandidateComparison,
  shown: readonly ShownChange[] = [],
): readonly ChangeList[] {
  const known = knownChanges(candidate, shown)
  const answeredToo = new Set(candidate.availability.answeredToo)
  return Object.entries<ListRule>(CHANGE_LISTS)
    .map(([key, { title, tally, tone, kinds, ids, notAlways }]) => {
      const changes = known.filter((change) => change.kinds.some((kind) => kinds.includes(kind)))
      const counted = ids?.(candidate) ?? []
      const count = Math.max(changes.length, new Set(counted).size)
      const isAnsweredToo = counted.some((id) => answeredToo.has(id))
      const words = isAnsweredToo && notAlways !== undefined ? notAlways : { title, tally }
      return { key: key as ListKey, ...words, tone, count, changes }
    })
    .filter(({ count }) => count > 0)
}

/** The changes list ends somewhere, and the shown ones may lie beyond: they are the gravest, so they come first. */
function knownChanges(
  { changes }: CandidateComparison,
  shown: readonly ShownChange[],
): readonly ListedChange[] {
  const ids = new Set(shown.map(({ id }) => id))
  const all = [...shown, ...changes.filter(({ id }) => !ids.has(id))]
  return [...all.filter(({ mustPass }) => mustPass), ...all.filter(({ mustPass }) => !mustPass)]
}

/** Whether nothing became better, worse or other: what fails in both is no change. */
export const isUnchanged = (lists: readonly ChangeList[]): boolean =>
  lists.every(({ tone }) => tone === 'same')

export interface SetList {
  readonly key: 'added' | 'removed' | 'edited'
  readonly title: string
  readonly count: number
  /** `before`: the text that the baseline has, where the question was edited. */
  readonly questions: readonly (ListedQuestion & { readonly before?: string })[]
}

/** Questions that were compared with nothing, since the sets differ. */
export function setLists({ added, removed, edited }: CandidateComparison): readonly SetList[] {
  return [
    { key: 'added' as const, title: 'Added', count: added.length, questions: added },
    { key: 'removed' as const, title: 'Removed', count: removed.length, questions: removed },
    {
      key: 'edited' as const,
      title: 'Edited: text changed, so answers are not compared',
      count: edited.length,
      questions: edited.map(({ id, baseline, candidate }) => ({ id, message: candidate, before: baseline })),
    },
  ].filter(({ count }) => count > 0)
}
