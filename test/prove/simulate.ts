// Pairs of runs with known true rates, to prove what a comparison sees and what it does not.
import type { TurnSummary } from '../../src/analysis/comparison/question.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { plantDrop, type Drop } from './drop.ts'
import { drawSet, LIKENESS, type SetShape, type SimulatedQuestion } from './question-set.ts'

export interface Simulation extends SetShape {
  readonly repeats?: number
  /** Chance of each turn asked to end in an error, 0 to 1; the rest of its thread is then skipped. */
  readonly errors?: { readonly baseline: number; readonly candidate: number }
  /** Factor on the candidate's service times. */
  readonly slower?: number
  readonly drop?: Drop
  readonly seed: number
}

export interface TrueRates {
  readonly coverage: number
  /** Over the questions with expectations. */
  readonly passed: number
}

export interface SimulatedRuns {
  readonly baseline: readonly TurnSummary[]
  readonly candidate: readonly TurnSummary[]
  /** The chances that the runs were drawn from: the mean over questions, each with an answer. */
  readonly truth: { readonly baseline: TrueRates; readonly candidate: TrueRates }
}

/** Chance of an answer that is not grounded to pass all the same. */
const PASSES_UNGROUNDED = 0.05

/** Without a drop, other errors or a factor, the runs are alike but for chance. The same for the same seed. */
export function simulateRuns(simulation: Simulation): SimulatedRuns {
  const { errors = { baseline: 0.01, candidate: 0.01 }, drop, slower = 1, seed } = simulation
  const random = seededRandom(seed)
  const before = drawSet(simulation, random)
  const after = drop === undefined ? before : plantDrop(before, drop, random)
  const { repeats = 1, likeness = LIKENESS } = simulation
  const ask = (
    set: readonly SimulatedQuestion[],
    errorRate: number,
    factor: number,
    times = repeats,
  ): TurnSummary[] =>
    Array.from({ length: times }, (_, repeat) =>
      askAll(set, { repeat: repeat + 1, likeness, errorRate, factor }, random),
    ).flat()
  return {
    baseline: ask(before, errors.baseline, 1),
    candidate: ask(after, errors.candidate, slower),
    truth: { baseline: ratesOf(before), candidate: ratesOf(after) },
  }
}

function askAll(
  set: readonly SimulatedQuestion[],
  run: { readonly repeat: number; likeness: number; errorRate: number; factor: number },
  random: () => number,
): TurnSummary[] {
  let [current, luck, isBroken] = ['', 0, false]
  return set.map((question, index): TurnSummary => {
    const { id, message, thread, turn, tags, passes } = question
    if (thread !== current) [current, luck, isBroken] = [thread, random(), false]
    const outcome = isBroken ? 'skipped' : random() < run.errorRate ? 'server_error' : 'answered'
    isBroken = outcome !== 'answered'
    // Luck is even on [0, 1] whether shared or not, so likeness leaves each question's chance as it is.
    const grounded = isBroken ? undefined : (random() < run.likeness ? luck : random()) < question.grounded
    const hasVerdict = grounded !== undefined && passes !== undefined
    // One literal: spreading parts together took most of the time.
    return {
      index,
      id,
      repeat: run.repeat,
      file: 0,
      thread,
      turn,
      message,
      tags,
      mustPass: false,
      outcome,
      contextLost: false,
      contextSource: grounded === undefined ? undefined : grounded ? 'KNOWLEDGE_BASE' : 'MODEL',
      grounded,
      passed: hasVerdict ? random() < (grounded ? passes : PASSES_UNGROUNDED) : undefined,
      // Exponential beyond a floor, as service times are.
      serviceMs: isBroken
        ? undefined
        : run.factor * Math.exp(question.slowness) * (300 - 500 * Math.log(1 - random())),
    }
  })
}

function ratesOf(set: readonly SimulatedQuestion[]): TrueRates {
  const expecting = set.flatMap(({ grounded, passes }) =>
    passes === undefined ? [] : [grounded * passes + (1 - grounded) * PASSES_UNGROUNDED],
  )
  return { coverage: mean(set.map(({ grounded }) => grounded)), passed: mean(expecting) }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
