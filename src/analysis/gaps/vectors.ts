// Features as vectors of length 1 (with those that are left out), each weighed by how rare it is.

/** Number of the feature to its weight; features of one question alone are left out. */
export type Vector = ReadonlyMap<number, number>

export interface Weighing {
  readonly vectors: readonly Vector[]
  /** How telling a feature is: at least 1, more the fewer questions have it. */
  readonly rarityOf: (feature: string) => number
}

/** A feature of one question alone likens it to none; at full weight it would only hide what others share with it. */
const LONE_FEATURE = 0.6

/**
 * TF-IDF with the smoothed inverse document frequency ln((1 + n)/(1 + df)) + 1 (Salton and Buckley 1988; this form as
 * in scikit-learn). `background`: features of further questions, so that a word which every question of the set
 * has is known as common even where the gaps are few; the questions themselves may be among them.
 */
export function weigh(
  questions: readonly ReadonlyMap<string, number>[],
  background: Iterable<Iterable<string>> = [],
): Weighing {
  const here = new Map<string, number>()
  for (const features of questions) countFeatures(here, features.keys())
  const everywhere = new Map(here)
  let documents = questions.length
  for (const features of background) {
    documents += 1
    // Of words that no gap has nobody asks.
    for (const feature of features) {
      const known = everywhere.get(feature)
      if (known !== undefined) everywhere.set(feature, known + 1)
    }
  }
  const rarityOf = (feature: string): number =>
    Math.log((1 + documents) / (1 + (everywhere.get(feature) ?? 0))) + 1
  const numbers = new Map([...here.keys()].map((feature, number) => [feature, number]))
  const isShared = Uint8Array.from(here.values(), (count) => (count > 1 ? 1 : 0))
  const vectors = questions.map((features) => {
    const weights = Array.from(features, ([feature, weight]): [number, number] => {
      const share = here.get(feature) === 1 ? LONE_FEATURE : 1
      return [numbers.get(feature) ?? 0, weight * share * rarityOf(feature)]
    })
    const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight ** 2, 0))
    // What one question alone has makes it no more like any other: it counts in the length, and is not kept.
    return new Map(
      weights.flatMap(([number, weight]) =>
        isShared[number] === 1 ? [[number, weight / length] as const] : [],
      ),
    )
  })
  return { vectors, rarityOf }
}

function countFeatures(counts: Map<string, number>, features: Iterable<string>): void {
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
}
