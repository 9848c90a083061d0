// 95 % intervals of a share: Wilson's, and one over clusters, as turns of one thread are not independent.
import { studentQuantile } from './distributions.ts'

export interface Interval {
  readonly low: number
  readonly high: number
}

const Z95 = 1.959963984540054

/**
 * `trials` is above 0 and need not be a whole number. Source: Wilson 1927; in the form of Brown, Cai and
 * DasGupta 2001, "Interval Estimation for a Binomial Proportion".
 */
export function wilsonOfShare(share: number, trials: number): Interval {
  const denominator = 1 + Z95 ** 2 / trials
  const centre = (share + Z95 ** 2 / (2 * trials)) / denominator
  const half = (Z95 / denominator) * Math.sqrt((share * (1 - share)) / trials + Z95 ** 2 / (4 * trials ** 2))
  // At 0 and 1 one bound equals the share; floating point would miss it slightly.
  return {
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  }
}

/** The trials of a cluster are not independent of each other, such as the turns of one thread. */
export interface Cluster {
  readonly successes: number
  readonly trials: number
}

/**
 * Estimates the variance of Σ successes ÷ Σ trials over at least two clusters: Σ (yᵢ − p·mᵢ)² / (1 − hᵢ) /
 * (Σm)². Source: linearised as in Cochran 1977, Sampling Techniques, 9.2. The leverage hᵢ = mᵢ/Σm enlarges
 * each residual as in the estimator CR2 of Bell and McCaffrey 2002, "Bias Reduction in Standard Errors for
 * Linear Regression with Multi-Stage Samples".
 */
export function shareVariance(clusters: readonly Cluster[]): number {
  const { trials, successes } = total(clusters)
  const share = successes / trials
  const squared = (cluster: Cluster): number =>
    (cluster.successes - share * cluster.trials) ** 2 / (1 - cluster.trials / trials)
  return clusters.reduce((sum, cluster) => sum + squared(cluster), 0) / trials ** 2
}

/**
 * Satterthwaite's degrees of freedom of `shareVariance` (Bell and McCaffrey 2002): k − 1 for clusters of
 * equal size, fewer if some are much larger, at least 1. The working model assumes that the turns of a
 * cluster agree entirely, so that a cluster's sum has the variance mᵢ²: the cautious model for small samples.
 *
 * With residuals rᵢ = sᵢ − hᵢ·Σs, wᵢ = 1/(1 − hᵢ) and Vᵢ = mᵢ², it is (Σ Ωᵢᵢ)² / Σ Ωᵢⱼ² for Ωᵢⱼ =
 * √(wᵢwⱼ)·(Vᵢδᵢⱼ + cᵢⱼ), cᵢⱼ = −hᵢVⱼ − hⱼVᵢ + hᵢhⱼΣV; the double sum is multiplied out below.
 */
function degreesOfFreedom(clusters: readonly Cluster[]): number {
  const { trials } = total(clusters)
  const spread = clusters.reduce((sum, cluster) => sum + cluster.trials ** 2, 0)
  let [trace, diagonal, a, b, c] = [0, 0, 0, 0, 0]
  for (const cluster of clusters) {
    const h = cluster.trials / trials
    const w = 1 / (1 - h)
    const v = cluster.trials ** 2
    const shared = -2 * h * v + spread * h ** 2
    trace += w * (v + shared)
    diagonal += w ** 2 * (v ** 2 + 2 * v * shared)
    a += w * h ** 2
    b += w * v ** 2
    c += w * h * v
  }
  const squares = 2 * a * b + (spread * a) ** 2 + 2 * c ** 2 - 4 * spread * a * c + diagonal
  return Math.max(1, trace ** 2 / squares)
}

export function total(clusters: readonly Cluster[]): Cluster {
  const sum = (of: keyof Cluster): number => clusters.reduce((all, cluster) => all + cluster[of], 0)
  return { successes: sum('successes'), trials: sum('trials') }
}

/**
 * Finds the interval of Σ successes ÷ Σ trials. Undefined for fewer than two clusters with trials: one does
 * not show how clusters differ. `maxTrials` bounds the effective number of trials (with repeats it is the
 * number of questions).
 *
 * It is Wilson's interval with the effective number of trials: trials ÷ design effect (Kish 1965), at most
 * the number of trials, times (z/t)² for the degrees of freedom (Korn and Graubard 1998, "Confidence
 * Intervals for Proportions with Small Expected Number of Positive Counts"). It does well at small counts and
 * near 0 and 1 (Dean and Pagano 2015, "Evaluating Confidence Interval Methods for Binomial Proportions in
 * Clustered Surveys"). If almost all trials agree, the clusters hardly show their variance. The design effect
 * therefore includes half a cluster of successes and half a cluster of failures: Jeffreys' prior, counted in
 * clusters.
 */
export function clusterInterval(clusters: Iterable<Cluster>, maxTrials = Infinity): Interval | undefined {
  const nonEmpty = [...clusters].filter(({ trials }) => trials > 0)
  if (nonEmpty.length < 2) return undefined
  const { successes, trials } = total(nonEmpty)
  const t = studentQuantile(0.05, degreesOfFreedom(nonEmpty))
  const independent = Math.min(trials, maxTrials, trials / designEffect(nonEmpty))
  return wilsonOfShare(successes / trials, independent * (Z95 / t) ** 2)
}

/**
 * `successes` and `trials` of a cluster are sums of weights, and the share is the ratio estimator Σ successes
 * ÷ Σ trials (Cochran 1977, 6.2 and 9.2). The trials count as (Σw)²/Σw² at most (Kish 1965, Survey Sampling,
 * 11.7), so that few heavy ones leave a wide interval. `weights`: of each independent trial.
 */
export function weightedInterval(
  clusters: readonly Cluster[],
  weights: readonly number[],
): Interval | undefined {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  // Σw²/Σw: with it as the unit, the trials add up to their effective number.
  const unit = weights.reduce((all, weight) => all + weight * (weight / sum), 0)
  return clusterInterval(
    clusters.map(({ successes, trials }) => ({ successes: successes / unit, trials: trials / unit })),
  )
}

/** Divides the variance over clusters by that of the same number of independent trials. */
function designEffect(clusters: readonly Cluster[]): number {
  const half = total(clusters).trials / clusters.length / 2
  const padded = [...clusters, { successes: half, trials: half }, { successes: 0, trials: half }]
  const { successes, trials } = total(padded)
  const share = successes / trials
  return (shareVariance(padded) * trials) / (share * (1 - share))
}
