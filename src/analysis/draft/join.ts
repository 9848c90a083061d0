// Joins what tickets ask in nearly the same words, and counts it.
import { countEach } from '../../domain/counts.ts'
import { joinNearEqual } from './near-equal.ts'

/** What is asked, and how often: a row of the set, or the rows of a conversation. */
export interface Candidate {
  readonly id: string
  readonly turns: readonly [string, ...string[]]
  readonly isStatement: boolean
  readonly tags: readonly string[]
}

export interface Group extends Candidate {
  /** Wordings, this one left out. */
  readonly others: readonly string[]
  readonly weight: number
}

/** Near-equal ones as one, in the wording that most tickets have. */
export function joinEqual(candidates: readonly Candidate[]): Group[] {
  const texts = candidates.map(({ turns }) => turns.join(' / '))
  return joinNearEqual(texts).flatMap((indexes) => {
    const wordings = countOf(indexes.map((index) => texts[index] ?? ''))
    const [wording] = wordings[0] ?? []
    const speaker = candidates[indexes.find((index) => texts[index] === wording) ?? -1]
    if (speaker === undefined) return []
    const tags = countOf(indexes.flatMap((index) => candidates[index]?.tags ?? []))
    return [
      {
        ...speaker,
        tags: tags.filter(([, count]) => 2 * count >= indexes.length).map(([tag]) => tag),
        others: wordings.slice(1).map(([text]) => text),
        weight: indexes.length,
      },
    ]
  })
}

/** Most frequent first, then in order. */
const countOf = (texts: readonly string[]): [text: string, count: number][] =>
  [...countEach(texts)].sort(([, some], [, others]) => others - some)
