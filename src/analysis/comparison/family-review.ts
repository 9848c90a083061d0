// One family of values (grounding, verdicts): the difference over all questions, by tag, and what would have been seen.
import type { FamilyReview, ShareReview } from '../../domain/comparison/shares.ts'
import { holm } from '../../stats/holm.ts'
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
  const byTag = new Map<string, QuestionValues[]>()
  for (const one of values) {
    for (const tag of new Set(one.tags)) {
      const members = byTag.get(tag)
      if (members === undefined) byTag.set(tag, [one])
      else members.push(one)
    }
  }
  const tags = [...byTag].sort(([some], [other]) => (some < other ? -1 : some > other ? 1 : 0))
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
