// Confidence interval of a share whose trials come in clusters that resemble themselves.
import { degreesOfFreedom, shareVariance, total, type Cluster } from './cluster-variance.ts'
import { wilsonOfShare, Z95, type Interval } from './interval.ts'
import { studentQuantile } from './student-t.ts'

export interface ClusterInterval extends Interval {
  /** How many independent trials those of the clusters are worth; not a whole number. */
  readonly effective: number
}

/**
 * 95 % interval of Σ successes ÷ Σ trials over clusters drawn independently; undefined for fewer than two clusters
 * with trials, since one says nothing of how clusters differ. `most` bounds the effective number of trials (with
 * repeats it is the number of questions).
 *
 * Wilson's interval on the effective number of trials: trials ÷ design effect (Kish 1965), never more than there
 * are, times (z/t)² for the degrees of freedom (Korn and Graubard 1998, "Confidence Intervals for Proportions with
 * Small Expected Number of Positive Counts"). Wilson on the effective number does well at small counts and near 0
 * and 1 (Dean and Pagano 2015, "Evaluating Confidence Interval Methods for Binomial Proportions in Clustered
 * Surveys"). Where next to all trials agree, the clusters hardly show their variance; so the design effect is taken
 * with half a cluster of successes and half a one of failures added, Jeffreys' prior counted in clusters.
 */
export function clusterInterval(clusters: Iterable<Cluster>, most = Infinity): ClusterInterval | undefined {
  const filled = [...clusters].filter(({ trials }) => trials > 0)
  if (filled.length < 2) return undefined
  const { successes, trials } = total(filled)
  const t = studentQuantile(0.05, degreesOfFreedom(filled))
  const independent = Math.min(trials, most, trials / designEffect(filled))
  const effective = independent * (Z95 / t) ** 2
  return { ...wilsonOfShare(successes / trials, effective), effective }
}

/** Variance over clusters ÷ variance of as many independent trials. */
function designEffect(clusters: readonly Cluster[]): number {
  const half = total(clusters).trials / clusters.length / 2
  const more = [...clusters, { successes: half, trials: half }, { successes: 0, trials: half }]
  const { successes, trials } = total(more)
  const share = successes / trials
  return (shareVariance(more) * trials) / (share * (1 - share))
}
