// One family of values (grounding, verdicts): the difference over all questions, by tag, and what would have been seen.
import { NumberList } from '../../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import type { FamilyReview, ShareReview } from '../../domain/comparison/shares.ts'
import { holm } from '../../stats/holm.ts'
import type { QuestionValues } from './question-values.ts'
import { exactP, reviewShares } from './share-review.ts'

/** Without its sensitivity, which depends on how many tests share the level. Tags in byte order. */
export function reviewFamily(
  values: Sequence<QuestionValues>,
  seed: number,
): Omit<FamilyReview, 'sensitivity'> {
  return { ...reviewShares(values, seed), byTag: reviewTags(values, seed) }
}

function reviewTags(values: Sequence<QuestionValues>, seed: number): Record<string, ShareReview> {
  const byTag = [...membersByTag(values)].sort(([some], [other]) =>
    some < other ? -1 : some > other ? 1 : 0,
  )
  const tags = byTag.map(([tag, members]) => [tag, membersOf(values, members)] as const)
  const adjusted = holm(tags.map(([, members]) => exactP(members)))
  return Object.fromEntries(
    tags.map(([tag, members], place) => {
      // Their interval alone: p comes from the sign flips.
      const review = reviewShares(members, seed, 1000)
      const test = review.test === 'exact McNemar' ? review.test : 'sign flips over threads'
      return [tag, { ...review, p: adjusted[place] ?? null, test }]
    }),
  )
}

/** Of each tag the places of its questions. */
function membersByTag(values: Iterable<QuestionValues>): ReadonlyMap<string, NumberList> {
  const byTag = new Map<string, NumberList>()
  let place = 0
  for (const { tags } of values) {
    for (const tag of new Set(tags)) {
      const members = byTag.get(tag) ?? new NumberList()
      members.push(place)
      byTag.set(tag, members)
    }
    place += 1
  }
  return byTag
}

const membersOf = (values: Sequence<QuestionValues>, members: NumberList): Sequence<QuestionValues> =>
  sequenceOf(members.length, (place) => {
    const value = values.at(members.at(place))
    if (value === undefined) throw new Error('a tag of no question')
    return value
  })
