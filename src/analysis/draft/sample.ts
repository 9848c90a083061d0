// The rows of a drafted set: tickets with one text are one row, and a limited set is a random sample of them.
import { countEach, mostFrequent } from '../../domain/counts.ts'
import { foldText } from '../../text/fold.ts'
import { compareTexts } from '../../domain/text.ts'
import { seededRandom } from '../../stats/random.ts'
import { groupBy } from '../figures/turns.ts'

export interface Candidate {
  readonly id: string
  readonly turns: readonly [string, ...string[]]
  readonly isStatement: boolean
  readonly tags: readonly string[]
}

export interface Group extends Candidate {
  readonly weight: number
}

export function joinEqual(candidates: readonly Candidate[]): Group[] {
  const textOf = ({ turns }: Candidate): string => turns.join(' / ')
  return [...groupBy(candidates, (candidate) => foldText(textOf(candidate))).values()].map((members) => {
    const spelling = mostFrequent(members.map(textOf))
    const counts = countEach(members.flatMap(({ tags }) => tags))
    const common = [...counts].filter(([, count]) => 2 * count >= members.length)
    return {
      ...(members.find((candidate) => textOf(candidate) === spelling) ?? members[0]),
      tags: common.sort(([, some], [, others]) => others - some).map(([tag]) => tag),
      weight: members.length,
    }
  })
}

/**
 * A seeded random sample of at most `limit` groups, stratified by their first tag: one ticket is drawn every
 * so many, from the tickets of one tag after the other, and stands for that many (systematic sampling;
 * Cochran 1977, 8.1). So the weights add up to all tickets.
 */
export function sampleGroups(groups: readonly Group[], limit: number, seed: number): Group[] {
  if (groups.length <= limit) return [...groups]
  const random = seededRandom(seed)
  const ordered = groups
    .map((group) => ({ group, tag: group.tags[0] ?? '', at: random() }))
    .sort((a, b) => compareTexts(a.tag, b.tag) || a.at - b.at)
  const step = groups.reduce((sum, { weight }) => sum + weight, 0) / limit
  let [passed, next] = [0, random() * step]
  return ordered.flatMap(({ group }) => {
    passed += group.weight
    const drawn = Math.max(0, Math.ceil((passed - next) / step))
    next += drawn * step
    return drawn === 0 ? [] : [{ ...group, weight: Number((drawn * step).toFixed(2)) }]
  })
}
