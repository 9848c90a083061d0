// Questions that are known to differ from one asking to the next, by their repeats or by earlier runs.
import { NumberList } from '../../columns/number-list.ts'
import type { Sequence } from '../../columns/sequence.ts'
import { expectedValue, type Askings } from '../../stats/expected-value.ts'
import { forEachInSteps, type Steps } from '../../stats/steps.ts'
import { pairRuns, type QuestionPair } from './pair.ts'
import { countedRepeats, groundingValue, verdictValue } from './question-values.ts'
import type { TurnSummary } from './turn-summary.ts'

/** What is to be expected of a question that is known to be flaky, a share of its repeats; undefined where it is not. */
export interface KnownFlaky {
  readonly grounding: (id: string) => number | undefined
  readonly verdict: (id: string) => number | undefined
}

/**
 * `runs`: the baseline and earlier runs, in the order of time; `candidate` gives the questions their ids, and `paired` are
 * those of the baseline with them. A question
 * is flaky if the repeats of one of these runs differ, or if it turned at least twice over them: one turn may be an
 * edit of the knowledge base that has held since.
 *
 * What is expected of it is not plainly the share of all askings, since some orders of the same answers are flaky and
 * some are not: a question that fails once in a hundred is found flaky after a failure in the middle of five runs, and
 * then would be expected to fail once in five. See `expectedValue`, and `npm run prove:compare`: with the plain share, 15
 * of 100 comparisons of like runs failed (900 questions, coverage 0.3, four earlier runs), and with this 2.
 */
export function* knownFlaky(
  runs: readonly Sequence<TurnSummary>[],
  baseline: Sequence<TurnSummary>,
  candidate: Sequence<TurnSummary>,
  paired: Iterable<QuestionPair<TurnSummary>>,
): Steps<KnownFlaky> {
  const place = runs.indexOf(baseline)
  if (place < 0) throw new Error('the baseline is not among the known runs')
  const questions = new Map<string, number>()
  yield* forEachInSteps(candidate, ({ id }) => {
    if (!questions.has(id)) questions.set(id, questions.size)
  })
  const numberOf = (id: string): number => questions.get(id) ?? 0
  const counted: CountedAskings[] = []
  for (const turns of runs) {
    const pairs = turns === baseline ? paired : (yield* pairRuns(turns, candidate)).paired
    counted.push(yield* countAskings(pairs, numberOf))
  }
  const expectedBy = function* (family: 'grounding' | 'verdict'): Steps<Map<string, number>> {
    const expected = new Map<string, number>()
    yield* forEachInSteps(questions, ([id, question]) => {
      const counts = counted.map(({ [family]: of }) => of(question))
      const own = counts[place]
      if (own === undefined || !isFlaky(counts)) return
      const asked = counts.filter((one) => one.asked > 0)
      expected.set(id, expectedValue(asked, asked.indexOf(own)))
    })
    return expected
  }
  const [grounding, verdict] = [yield* expectedBy('grounding'), yield* expectedBy('verdict')]
  return { grounding: (id) => grounding.get(id), verdict: (id) => verdict.get(id) }
}

/** By the number of a question: nothing asked where the run does not have it. */
interface CountedAskings {
  readonly grounding: (question: number) => Askings
  readonly verdict: (question: number) => Askings
}

/** Of one run. `numberOf`: of the candidate's ids. */
function* countAskings(
  pairs: Iterable<QuestionPair<TurnSummary>>,
  numberOf: (id: string) => number,
): Steps<CountedAskings> {
  const columnsOf = (): Record<keyof Askings, NumberList> => ({
    yes: new NumberList(),
    asked: new NumberList(),
  })
  const [grounding, verdict] = [columnsOf(), columnsOf()]
  yield* forEachInSteps(pairs, ({ baseline, candidate }) => {
    const question = numberOf(candidate[0]?.id ?? '')
    for (const [columns, valueOf] of [
      [grounding, groundingValue],
      [verdict, verdictValue],
    ] as const) {
      const { yes, asked } = countedRepeats(baseline, valueOf)
      columns.yes.set(question, yes)
      columns.asked.set(question, asked)
    }
  })
  const askingsIn =
    ({ yes, asked }: ReturnType<typeof columnsOf>) =>
    (question: number): Askings => ({ yes: yes.at(question), asked: asked.at(question) })
  return { grounding: askingsIn(grounding), verdict: askingsIn(verdict) }
}

function isFlaky(counts: readonly Askings[]): boolean {
  const values = counts.flatMap(({ yes, asked }) => (asked === 0 ? [] : [yes / asked]))
  const turns = values.filter((value, place) => place > 0 && value !== values[place - 1]).length
  return turns >= 2 || values.some((value) => value > 0 && value < 1)
}
