// One family of values (grounding, verdicts): the difference over all questions, by tag, and what would have been seen.
import { NumberList } from '../../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import type { FamilyReview, ShareReview } from '../../domain/comparison/shares.ts'
import { holm } from '../../stats/holm.ts'
import { forEachInSteps, type Steps } from '../../stats/steps.ts'
import type { QuestionValues } from './question-values.ts'
import { exactP, reviewShares } from './share-review.ts'

/** Without its sensitivity, which depends on how many tests share the level. Tags in byte order. */
export function* reviewFamily(
  values: Sequence<QuestionValues>,
  seed: number,
): Steps<Omit<FamilyReview, 'sensitivity'>> {
  return { ...(yield* reviewShares(values, seed)), byTag: yield* reviewTags(values, seed) }
}

function* reviewTags(values: Sequence<QuestionValues>, seed: number): Steps<Record<string, ShareReview>> {
  const byTag = [...(yield* membersByTag(values))].sort(([some], [other]) =>
    some < other ? -1 : some > other ? 1 : 0,
  )
  const tags = byTag.map(([tag, members]) => [tag, membersOf(values, members)] as const)
  const exact: number[] = []
  for (const [, members] of tags) exact.push(yield* exactP(members))
  const adjusted = holm(exact)
  const reviews: [tag: string, review: ShareReview][] = []
  for (const [place, [tag, members]] of tags.entries()) {
    // Their interval alone: p comes from the sign flips.
    const review = yield* reviewShares(members, seed, 1000)
    const test = review.test === 'exact McNemar' ? review.test : 'sign flips over threads'
    reviews.push([tag, { ...review, p: adjusted[place] ?? null, test }])
  }
  return Object.fromEntries(reviews)
}

/** Of each tag the places of its questions. */
function* membersByTag(values: Iterable<QuestionValues>): Steps<ReadonlyMap<string, NumberList>> {
  const byTag = new Map<string, NumberList>()
  let place = 0
  yield* forEachInSteps(values, ({ tags }) => {
    for (const tag of new Set(tags)) {
      const members = byTag.get(tag) ?? new NumberList()
      members.push(place)
      byTag.set(tag, members)
    }
    place += 1
  })
  return byTag
}

const membersOf = (values: Sequence<QuestionValues>, members: NumberList): Sequence<QuestionValues> =>
  sequenceOf(members.length, (place) => {
    const value = values.at(members.at(place))
    if (value === undefined) throw new Error('a tag of no question')
    return value
  })
