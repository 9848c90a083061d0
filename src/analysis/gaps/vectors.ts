// Features as vectors of length 1 (with those that are left out), each weighed by how rare it is.

/**
 * Features by their number, each once, and the weight of each in its place; features of one question alone are left out.
 * Two plain lists, as tens of thousands of vectors are held: a map would weigh three times as much.
 */
export interface Vector {
  readonly features: readonly number[]
  readonly weights: readonly number[]
}

export interface Weighing {
  readonly vectors: readonly Vector[]
  /** How telling a feature is: at least 1, more the fewer questions have it. */
  readonly rarityOf: (feature: string) => number
}

/** A feature of one question alone likens it to none; at full weight it would only hide what others share with it. */
const LONE_FEATURE = 0.6

/**
 * TF-IDF with the smoothed inverse document frequency ln((1 + n)/(1 + df)) + 1 (Salton and Buckley 1988; this form as
 * in scikit-learn). `questions` are gone through once. `background`: features of further questions, so that a word which
 * every question of the set has is known as common even where the gaps are few; the questions themselves may be among them.
 */
export function weigh(
  questions: Iterable<ReadonlyMap<string, number>>,
  background: Iterable<Iterable<string>> = [],
): Weighing {
  const { numbers, rows } = numberFeatures(questions)
  /** By the number of a feature: how many questions have it, and how many of all. */
  const here = Array.from(numbers, () => 0)
  const everywhere = [...here]
  for (const { features } of rows)
    for (const feature of features) {
      here[feature] = (here[feature] ?? 0) + 1
      everywhere[feature] = (here[feature] ?? 0) + 1
    }
  let documents = rows.length
  for (const features of background) {
    documents += 1
    // Of words that no gap has nobody asks.
    for (const feature of features) {
      const known = numbers.get(feature)
      if (known !== undefined) everywhere[known] = (everywhere[known] ?? 0) + 1
    }
  }
  const rarity = (count: number): number => Math.log((1 + documents) / (1 + count)) + 1
  const weighOne = ({ features, weights }: Vector): Vector => {
    const weighed = weights.map((weight, place) => {
      const feature = features[place] ?? NaN
      const share = (here[feature] ?? 0) === 1 ? LONE_FEATURE : 1
      return weight * share * rarity(everywhere[feature] ?? 0)
    })
    const length = Math.sqrt(weighed.reduce((sum, weight) => sum + weight ** 2, 0))
    // What one question alone has makes it no more like any other: it counts in the length, and is not kept.
    const isShared = (feature: number): boolean => (here[feature] ?? 0) > 1
    return {
      features: features.filter(isShared),
      weights: weighed
        .filter((_, place) => isShared(features[place] ?? NaN))
        .map((weight) => weight / length),
    }
  }
  return {
    // Each takes the place of what it is made of.
    vectors: replaceEach(rows, weighOne),
    rarityOf: (feature) => {
      const number = numbers.get(feature)
      return rarity(number === undefined ? 0 : (everywhere[number] ?? 0))
    },
  }
}

/** Features are numbered in the order of their coming; their texts are kept once. */
function numberFeatures(questions: Iterable<ReadonlyMap<string, number>>): {
  readonly numbers: ReadonlyMap<string, number>
  readonly rows: Vector[]
} {
  const numbers = new Map<string, number>()
  const rows: Vector[] = []
  for (const question of questions) {
    const [features, weights]: [number[], number[]] = [[], []]
    for (const [feature, weight] of question) {
      const number = numbers.get(feature) ?? numbers.size
      if (number === numbers.size) numbers.set(feature, number)
      features.push(number)
      weights.push(weight)
    }
    rows.push({ features, weights })
  }
  return { numbers, rows }
}

function replaceEach<T>(list: T[], make: (one: T) => T): readonly T[] {
  for (const [place, one] of list.entries()) list[place] = make(one)
  return list
}
