// One family of values (grounding, verdicts): the difference over all questions, by tag, and what would have been seen.
import type { FamilyReview, ShareReview } from '../../domain/comparison/comparison.ts'
import { holm } from '../../stats/paired-tests.ts'
import type { QuestionValues } from './question-values.ts'
import { exactP, reviewShares } from './share-review.ts'

/** Without its sensitivity, which depends on how many tests share the level. Tags in byte order. */
export function reviewFamily(
  values: readonly QuestionValues[],
  seed: number,
): Omit<FamilyReview, 'sensitivity'> {
  return { ...reviewShares(values, seed), byTag: reviewTags(values, seed) }
}

function reviewTags(values: readonly QuestionValues[], seed: number): Record<string, ShareReview> {
  const tags = [...membersByTag(values)].sort(([some], [other]) => (some < other ? -1 : some > other ? 1 : 0))
  const exact: number[] = []
  for (const [, members] of tags) exact.push(exactP(members))
  const adjusted = holm(exact)
  const reviews: [tag: string, review: ShareReview][] = []
  for (const [place, [tag, members]] of tags.entries()) {
    // Their interval alone: p comes from the sign flips.
    const review = reviewShares(members, seed, 1000)
    const test = review.test === 'exact McNemar' ? review.test : 'sign flips over threads'
    reviews.push([tag, { ...review, p: adjusted[place] ?? null, test }])
  }
  return Object.fromEntries(reviews)
}

function membersByTag(values: readonly QuestionValues[]): ReadonlyMap<string, readonly QuestionValues[]> {
  const byTag = new Map<string, QuestionValues[]>()
  for (const value of values)
    for (const tag of new Set(value.tags)) {
      const members = byTag.get(tag)
      if (members === undefined) byTag.set(tag, [value])
      else members.push(value)
    }
  return byTag
}
