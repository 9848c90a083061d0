// The rows of a drafted set: tickets with one text are one row, and a limited set is a random sample of them.
import { countEach, mostFrequent, groupBy } from '../../domain/counts.ts'
import type { DraftQuestion } from '../../domain/draft.ts'
import { compareTexts } from '../../domain/text.ts'
import { seededRandom } from '../../stats/random.ts'
import { foldText } from '../../text/fold.ts'

export interface Candidate extends DraftQuestion {
  readonly id: string
  /** The first is the category. */
  readonly tags: readonly string[]
}

export interface Group extends Candidate {
  readonly weight: number
}

export function joinEqual(candidates: readonly Candidate[]): Group[] {
  return [...groupBy(candidates, ({ message }) => foldText(message)).values()].map((members) => {
    const spelling = mostFrequent(members.map(({ message }) => message))
    const counts = countEach(members.flatMap(({ tags }) => tags))
    const common = [...counts].filter(([, count]) => 2 * count >= members.length)
    return {
      ...(members.find(({ message }) => message === spelling) ?? members[0]),
      tags: common.sort(([, some], [, others]) => others - some).map(([tag]) => tag),
      weight: members.length,
    }
  })
}

/**
 * Draws at most `limit` groups, stratified by category: the tickets of one category after the other, groups
 * in random order, are cut into `limit` runs of equal length. One ticket is drawn of each run and stands for
 * all of it. So a weight is a number of tickets, the weights add up to all of them, each category has its
 * share, and the weighted share is an unbiased estimate. Source: stratified sampling with one unit in a
 * stratum, Cochran 1977, Sampling Techniques, 5A.12.
 */
export function sampleGroups(groups: readonly Group[], limit: number, seed: number): Group[] {
  if (groups.length <= limit) return [...groups]
  const random = seededRandom(seed)
  const tickets = groups
    .map((group) => ({ group, category: group.tags[0] ?? '', at: random() }))
    .sort((some, other) => compareTexts(some.category, other.category) || some.at - other.at)
    .flatMap(({ group }) => Array.from({ length: group.weight }, () => group))
  const weights = new Map<Group, number>()
  for (let run = 0; run < limit; run += 1) {
    const start = Math.floor((run * tickets.length) / limit)
    const length = Math.floor(((run + 1) * tickets.length) / limit) - start
    const drawn = tickets[start + Math.floor(random() * length)]
    if (drawn !== undefined) weights.set(drawn, (weights.get(drawn) ?? 0) + length)
  }
  return [...weights].map(([group, weight]) => ({ ...group, weight }))
}
