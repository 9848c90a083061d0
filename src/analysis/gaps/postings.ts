// Which groups have a feature, and how much of it: products of one vector with all others at once.
import type { Vector } from './vectors.ts'

export interface Postings {
  add(group: number, vector: Vector): void
  /** `vector` as it was added. */
  remove(group: number, vector: Vector): void
  /** Calls `see` once for each group that shares a feature, with the product of the vectors. */
  meet(vector: Vector, see: (group: number, product: number) => void): void
}

interface Posting {
  readonly groups: number[]
  readonly weights: number[]
  /** How many of the groups were removed since it was last tidied. */
  gone: number
}

/** Groups have numbers below `most`. */
export function createPostings(most: number): Postings {
  const postings = new Map<number, Posting>()
  const isGone = new Uint8Array(most)
  /** Scratch for `meet`, all zero between calls. */
  const products = new Float64Array(most)
  const met = new Uint32Array(most)

  const tidy = (posting: Posting): void => {
    const { groups, weights } = posting
    let kept = 0
    for (const [place, group] of groups.entries()) {
      if (isGone[group] === 1) continue
      groups[kept] = group
      weights[kept] = weights[place] ?? 0
      kept += 1
    }
    groups.length = kept
    weights.length = kept
    posting.gone = 0
  }

  return {
    add: (group, vector) => {
      for (const [place, feature] of vector.features.entries()) {
        const posting = postings.get(feature) ?? { groups: [], weights: [], gone: 0 }
        postings.set(feature, posting)
        posting.groups.push(group)
        posting.weights.push(vector.weights[place] ?? 0)
      }
    },
    remove: (group, vector) => {
      isGone[group] = 1
      for (const feature of vector.features) {
        const posting = postings.get(feature)
        if (posting === undefined) continue
        posting.gone += 1
        if (posting.gone > posting.groups.length / 8) tidy(posting)
      }
    },
    // The innermost loop of all grouping: plain indices, and what is gone is passed over only at the end.
    meet: ({ features, weights: own }, see) => {
      let count = 0
      for (let feature = 0; feature < features.length; feature += 1) {
        const posting = postings.get(features[feature] as number)
        if (posting === undefined) continue
        const weight = own[feature] as number
        const { groups, weights } = posting
        for (let place = 0; place < groups.length; place += 1) {
          const group = groups[place] as number
          const before = products[group] as number
          if (before === 0) met[count++] = group
          products[group] = before + weight * (weights[place] as number)
        }
      }
      for (let place = 0; place < count; place += 1) {
        const group = met[place] as number
        if (isGone[group] === 0) see(group, products[group] as number)
        products[group] = 0
      }
    },
  }
}
