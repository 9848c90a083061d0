// What to expect of one run of a yes-or-no question whose answers, over several runs, were found to vary.
import { logGamma } from './beta.ts'

/** How often a question was asked in a run, and how often the answer was yes. */
export interface Askings {
  readonly yes: number
  readonly asked: number
}

/**
 * The mean of the share of yes in the run at `place` over all orders of the answers (each run's number of askings as it
 * is) that are found to vary: those with yes and no in one run, or with two turns at least from one run to the next. So on
 * average it is what that run itself shows, however the question was chosen for its variation, and steadier: by Rao
 * 1945 and Blackwell 1947, "Conditional Expectation and Unbiased Sequential Estimation".
 *
 * With k yes among n askings all C(n, k) orders together have the mean k/n; not found to vary are only those with all yes
 * in the first runs or all in the last, where runs add up to k. `runs` in the order of time, each with an asking, and found
 * to vary; without a run at `place` it is k/n.
 */
export function expectedValue(runs: readonly Askings[], place: number): number {
  const sum = (of: readonly Askings[], what: 'yes' | 'asked'): number =>
    of.reduce((all, one) => all + one[what], 0)
  const [yes, asked] = [sum(runs, 'yes'), sum(runs, 'asked')]
  if (runs[place] === undefined) return yes / asked
  const orders = Math.exp(logGamma(asked + 1) - logGamma(yes + 1) - logGamma(asked - yes + 1))
  let [steady, steadyYes] = [0, 0]
  let before = 0
  for (const [last, run] of runs.slice(0, -1).entries()) {
    before += run.asked
    if (before === yes) {
      steady += 1
      if (place <= last) steadyYes += 1
    }
    if (before === asked - yes) {
      steady += 1
      if (place > last) steadyYes += 1
    }
  }
  const value = (yes / asked - steadyYes / orders) / (1 - steady / orders)
  // Floating point leaves 0 and 1 a hair off.
  return Math.min(1, Math.max(0, Number(value.toFixed(12))))
}
