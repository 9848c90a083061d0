// Questions that are known to differ from one asking to the next, by their repeats or by earlier runs.
import { expectedValue, type Askings } from '../../stats/expected-value.ts'
import { pairRuns } from './pair.ts'
import { countedRepeats, groundingValue, verdictValue, type TurnValue } from './question-values.ts'
import type { TurnSummary } from './turn-summary.ts'

/** What is to be expected of a question that is known to be flaky, a share of its repeats; undefined where it is not. */
export interface KnownFlaky {
  readonly grounding: (id: string) => number | undefined
  readonly verdict: (id: string) => number | undefined
}

/**
 * `runs`: the baseline and earlier runs, in the order of time; `candidate` gives the questions their ids. A question
 * is flaky if the repeats of one of these runs differ, or if it turned at least twice over them: one turn may be an
 * edit of the knowledge base that has held since.
 *
 * What is expected of it is not plainly the share of all askings, since some orders of the same answers are flaky and
 * some are not: a question that fails once in a hundred is found flaky after a failure in the middle of five runs, and
 * then would be expected to fail once in five. See `expectedValue`, and `npm run prove:compare`: with the plain share, 15
 * of 100 comparisons of like runs failed (900 questions, coverage 0.3, four earlier runs), and with this 2.
 */
export function knownFlaky(
  runs: readonly (readonly TurnSummary[])[],
  baseline: readonly TurnSummary[],
  candidate: readonly TurnSummary[],
  paired = pairRuns(baseline, candidate).paired,
): KnownFlaky {
  const place = runs.indexOf(baseline)
  if (place < 0) throw new Error('the baseline is not among the known runs')
  const askings = runs.map((turns) => {
    const pairs = turns === baseline ? paired : pairRuns(turns, candidate).paired
    return new Map(pairs.map((pair) => [pair.candidate[0]?.id ?? '', pair.baseline]))
  })
  const ids = new Set(candidate.map(({ id }) => id))
  const expectedBy = (valueOf: TurnValue): Map<string, number> => {
    const expected = new Map<string, number>()
    for (const id of ids) {
      const counts = askings.map((asked) => countedRepeats(asked.get(id) ?? [], valueOf))
      const own = counts[place]
      if (own === undefined || !isFlaky(counts)) continue
      const counted = counts.filter(({ asked }) => asked > 0)
      expected.set(id, expectedValue(counted, counted.indexOf(own)))
    }
    return expected
  }
  const [grounding, verdict] = [expectedBy(groundingValue), expectedBy(verdictValue)]
  return { grounding: (id) => grounding.get(id), verdict: (id) => verdict.get(id) }
}

function isFlaky(counts: readonly Askings[]): boolean {
  const values = counts.flatMap(({ yes, asked }) => (asked === 0 ? [] : [yes / asked]))
  const turns = values.filter((value, place) => place > 0 && value !== values[place - 1]).length
  return turns >= 2 || values.some((value) => value > 0 && value < 1)
}
