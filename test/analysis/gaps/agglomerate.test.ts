// Average linkage against the textbook algorithm, which looks at every pair each time.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agglomerate } from '../../../src/analysis/gaps/agglomerate.ts'
import type { Vector } from '../../../src/analysis/gaps/vectors.ts'
import { seededRandom } from '../../../src/stats/random.ts'

const NOTHING: Vector = { features: [], weights: [] }

const product = (a: Vector, b: Vector): number =>
  a.features.reduce(
    (sum, feature, place) => sum + (a.weights[place] ?? 0) * (b.weights[b.features.indexOf(feature)] ?? 0),
    0,
  )

/** Joins the two groups of the highest mean cosine, again and again. */
function joinNearest(vectors: readonly Vector[], threshold: number): number[][] {
  const groups = vectors.map((_, place) => [place])
  for (;;) {
    let best = { a: -1, b: -1, mean: threshold }
    for (const [a, some] of groups.entries()) {
      for (const [b, others] of groups.entries()) {
        if (a >= b) continue
        const products = some.flatMap((one) =>
          others.map((other) => product(vectors[one] ?? NOTHING, vectors[other] ?? NOTHING)),
        )
        const mean = products.reduce((sum, value) => sum + value, 0) / products.length
        if (mean > best.mean) best = { a, b, mean }
      }
    }
    if (best.a === -1) return groups
    groups[best.a] = [...(groups[best.a] ?? []), ...(groups.splice(best.b, 1)[0] ?? [])]
  }
}

const canonical = (groups: readonly (readonly number[])[]): string =>
  JSON.stringify(
    groups.map((group) => [...group].sort((a, b) => a - b)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
  )

/** Weights of many digits, so that nothing ties: where two pairs are equally near, either may be joined first. */
function randomVectors(random: () => number): Vector[] {
  return Array.from({ length: Math.floor(random() * 15) }, () => {
    const entries = Array.from({ length: 1 + Math.floor(random() * 4) }, (): [number, number] => [
      Math.floor(random() * 8),
      0.1 + 0.9 * random(),
    ])
    const weights = new Map(entries)
    const length = Math.sqrt([...weights.values()].reduce((sum, weight) => sum + weight ** 2, 0))
    return {
      features: [...weights.keys()],
      weights: Array.from(weights.values(), (weight) => weight / length),
    }
  })
}

/** Vectors of one feature are equal and tie at 1: whichever are joined first, the groups are the same. */
test('joins what the textbook joins', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seededRandom(seed)
      const vectors = randomVectors(random)
      const threshold = 0.05 + 0.9 * random()
      expect(canonical(agglomerate(vectors, threshold))).toBe(canonical(joinNearest(vectors, threshold)))
    }),
    { numRuns: 500 },
  )
})
