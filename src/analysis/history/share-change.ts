// Whether a share is another than in an earlier run, by more than noise: by the two summaries alone.
import type { HistoryRun, JudgedFigure, ShareChange } from '../../domain/history.ts'
import { differenceInterval } from '../../stats/paired-tests.ts'
import { normalQuantile } from '../../stats/distributions.ts'

/** Coverage and passed, each against the run before and against the first of the last runs. */
const LOOKS = 4
/** So that, were nothing changed, at most one series in twenty says that something was (Bonferroni). */
const Z = normalQuantile(1 - 0.05 / LOOKS / 2)

/**
 * `since` and `latest`: places in `runs`, both with the figure. The shares are taken as measured apart, though mostly the same
 * questions were asked: the interval is too wide then, so what it calls more than noise is, and a smaller change may be, too.
 */
export function shareChange(
  runs: readonly HistoryRun[],
  figure: JudgedFigure,
  since: number,
  latest: number,
): ShareChange | null {
  const [earlier, later] = [runs[since]?.[figure], runs[latest]?.[figure]]
  if (typeof earlier?.rate !== 'number' || typeof later?.rate !== 'number') return null
  if (!isMeasured(earlier.effective) || !isMeasured(later.effective)) return null
  const { low, high } = differenceInterval(
    { share: earlier.rate, trials: earlier.effective },
    { share: later.rate, trials: later.effective },
    Z,
  )
  const between = runs.slice(since + 1, latest + 1)
  return {
    since,
    difference: later.rate - earlier.rate,
    low,
    high,
    isMoreThanNoise: low > 0 || high < 0,
    isOfOtherQuestions: between.some(({ changes }) => changes.questions),
    isOfOtherSettings: between.some(({ changes }) => changes.settings.length > 0),
  }
}

const isMeasured = (effective: number | null): effective is number => effective !== null && effective > 0
