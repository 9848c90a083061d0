// Joins what is alike: average-linkage clustering of sparse vectors.
import { createPostings } from './postings.ts'
import type { Vector } from './vectors.ts'

/** A difference below this is rounding: sums taken in another order. */
const ROUNDING = 1e-12

interface Group {
  readonly sum: Vector
  /** Places of its vectors. */
  readonly members: readonly number[]
}

/**
 * Groups of places in `vectors` (of length 1): joined as long as the mean cosine between two groups' members is at
 * least `threshold` (above 0). Source: UPGMA (Sokal and Michener 1958) by the nearest-neighbour chain (Murtagh
 * 1983), exact since average linkage is reducible: a group whose nearest is too far stays so. The mean cosine is the
 * product of the sums of vectors, so no matrix of pairs is held, and groups without a common term are never met.
 * The result depends on the order of `vectors` only where similarities tie.
 */
export function agglomerate(vectors: readonly Vector[], threshold: number): number[][] {
  const groups: (Group | undefined)[] = vectors.map((sum, place) => ({ sum, members: [place] }))
  const postings = createPostings(2 * vectors.length)
  for (const [number, sum] of vectors.entries()) postings.add(number, sum)
  const done: number[][] = []
  const chain: number[] = []

  const remove = (number: number): Group => {
    const group = groups[number]
    if (group === undefined) throw new Error(`group ${number} was joined before`)
    groups[number] = undefined
    postings.remove(number, group.sum)
    return group
  }
  const nearest = (number: number, group: Group): { number: number; cosine: number } => {
    const before = chain.at(-2) ?? -1
    let best = { number: -1, cosine: 0 }
    let cosineBefore = 0
    postings.meet(group.sum, (other, product) => {
      if (other === number) return
      const cosine = product / (group.members.length * (groups[other]?.members.length ?? 1))
      if (other === before) cosineBefore = cosine
      const isNearer = cosine > best.cosine + ROUNDING
      const isTie = !isNearer && cosine > best.cosine - ROUNDING && other < best.number
      if (isNearer || isTie) best = { number: other, cosine: Math.max(cosine, best.cosine) }
    })
    // Back to where the chain came from unless something is truly nearer: otherwise ties would lead in circles.
    return cosineBefore > 0 && cosineBefore >= best.cosine - ROUNDING
      ? { number: before, cosine: cosineBefore }
      : best
  }

  for (let start = 0; start < groups.length; start += 1) {
    if (groups[start] !== undefined) chain.push(start)
    for (let top = chain.at(-1); top !== undefined; top = chain.at(-1)) {
      const group = groups[top]
      if (group === undefined) throw new Error(`group ${top} of the chain was joined before`)
      const { number, cosine } = nearest(top, group)
      if (cosine < threshold) {
        done.push([...remove(top).members])
        chain.pop()
      } else if (number === chain.at(-2)) {
        chain.length -= 2
        const joined = join(remove(number), remove(top))
        groups.push(joined)
        postings.add(groups.length - 1, joined.sum)
      } else chain.push(number)
    }
  }
  return done
}

function join(some: Group, others: Group): Group {
  const sum = new Map<number, number>()
  for (const vector of [some.sum, others.sum])
    for (const [place, feature] of vector.features.entries())
      sum.set(feature, (sum.get(feature) ?? 0) + (vector.weights[place] ?? 0))
  const weights: number[] = []
  for (const weight of sum.values()) weights.push(weight)
  return { sum: { features: [...sum.keys()], weights }, members: [...some.members, ...others.members] }
}
