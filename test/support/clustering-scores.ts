// How well a clustering agrees with known classes.

export interface ClusteringScores {
  /** Of pairs that share a cluster, the share that shares a class; of pairs of a class, the share in one cluster. */
  readonly precision: number
  readonly recall: number
  /** Hubert and Arabie 1985: pairs, corrected for chance. */
  readonly adjustedRand: number
  /** Rosenberg and Hirschberg 2007: harmonic mean of homogeneity and completeness. */
  readonly vMeasure: number
  readonly clusters: number
}

export function scoreClustering(classes: readonly string[], clusters: readonly string[]): ClusteringScores {
  const size = classes.length
  const byClass = countValues(classes)
  const byCluster = countValues(clusters)
  const byBoth = countValues(classes.map((one, place) => JSON.stringify([one, clusters[place]])))
  const [inClass, inCluster, inBoth] = [pairs(byClass), pairs(byCluster), pairs(byBoth)]
  const byChance = (inClass * inCluster) / ((size * (size - 1)) / 2)
  const [ofClass, ofCluster, ofBoth] = [entropy(byClass), entropy(byCluster), entropy(byBoth)]
  const homogeneity = ofClass === 0 ? 1 : 1 - (ofBoth - ofCluster) / ofClass
  const completeness = ofCluster === 0 ? 1 : 1 - (ofBoth - ofClass) / ofCluster
  return {
    precision: inBoth / inCluster,
    recall: inBoth / inClass,
    adjustedRand: (inBoth - byChance) / ((inClass + inCluster) / 2 - byChance),
    vMeasure: (2 * homogeneity * completeness) / (homogeneity + completeness),
    clusters: byCluster.length,
  }
}

function countValues(values: readonly string[]): number[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts.values()]
}

const pairs = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0)

function entropy(counts: readonly number[]): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  return counts.reduce((sum, count) => sum - (count / all) * Math.log(count / all), 0)
}
