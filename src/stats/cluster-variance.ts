// How far a share over clusters scatters, and from how much that is known.

export interface Cluster {
  readonly successes: number
  readonly trials: number
}

/**
 * Variance of Σ successes ÷ Σ trials over independently drawn clusters: linearised (Cochran 1977, Sampling
 * Techniques, 9.2), each residual enlarged by its cluster's leverage hᵢ = mᵢ/Σm as in the estimator CR2 of Bell
 * and McCaffrey 2002, "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples":
 * Σ (yᵢ − p·mᵢ)² / (1 − hᵢ) / (Σm)². Two clusters at least.
 */
export function shareVariance(clusters: readonly Cluster[]): number {
  const { trials, successes } = total(clusters)
  const share = successes / trials
  const squares = clusters.map((one) => {
    const residual = one.successes - share * one.trials
    return residual ** 2 / (1 - one.trials / trials)
  })
  return squares.reduce((sum, square) => sum + square, 0) / trials ** 2
}

/**
 * Degrees of freedom of that variance after Satterthwaite (Bell and McCaffrey 2002): k − 1 for clusters of one
 * size, fewer where some are much larger. The working model is the honest one for small samples: the turns of a
 * cluster agree entirely, so that cluster sums scatter with mᵢ². Never below 1.
 *
 * With residuals rᵢ = sᵢ − hᵢ·Σs, wᵢ = 1/(1 − hᵢ) and Vᵢ = mᵢ², it is (Σ Ωᵢᵢ)² / Σ Ωᵢⱼ² for
 * Ωᵢⱼ = √(wᵢwⱼ)·(Vᵢδᵢⱼ + cᵢⱼ), cᵢⱼ = −hᵢVⱼ − hⱼVᵢ + hᵢhⱼΣV; the double sum is multiplied out below.
 */
export function degreesOfFreedom(clusters: readonly Cluster[]): number {
  const { trials } = total(clusters)
  const spread = clusters.reduce((sum, one) => sum + one.trials ** 2, 0)
  let [trace, diagonal, a, b, c] = [0, 0, 0, 0, 0]
  for (const one of clusters) {
    const h = one.trials / trials
    const w = 1 / (1 - h)
    const v = one.trials ** 2
    const own = -2 * h * v + spread * h ** 2
    trace += w * (v + own)
    diagonal += w ** 2 * (v ** 2 + 2 * v * own)
    a += w * h ** 2
    b += w * v ** 2
    c += w * h * v
  }
  const squares = 2 * a * b + (spread * a) ** 2 + 2 * c ** 2 - 4 * spread * a * c + diagonal
  return Math.max(1, trace ** 2 / squares)
}

export function total(clusters: readonly Cluster[]): Cluster {
  let [successes, trials] = [0, 0]
  for (const one of clusters) {
    successes += one.successes
    trials += one.trials
  }
  return { successes, trials }
}
