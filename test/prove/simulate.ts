// Pairs of runs drawn from known probabilities, equal or with a drop of known size, to test what a comparison
// detects.
import type { TurnSummary } from '../../src/analysis/comparison/question.ts'
import { seededRandom } from '../../src/stats/random.ts'

/** Articles that are removed (`grounding`), or stay and become wrong (`verdicts`). */
export interface Drop {
  /** Mean share of affected questions, 0 to 1; for `verdicts`, of the questions with expectations. */
  readonly share: number
  readonly of: 'grounding' | 'verdicts'
  /** Whether single questions or whole threads are affected. */
  readonly by: 'question' | 'thread'
}

export interface Simulation {
  readonly questions: number
  readonly repeats?: number
  readonly drop?: Drop
  readonly seed: number
}

interface Chances {
  readonly id: string
  readonly thread: string
  /** From 1. */
  readonly turn: number
  readonly grounded: number
  /** For a grounded answer; undefined without expectations. */
  readonly passes: number | undefined
}

/**
 * Weights of threads with one turn, two turns, …: most sets have single questions and some long
 * conversations.
 */
const THREAD_SIZES = [60, 20, 10, 6, 4]
const COVERAGE = 0.75
/** Share of questions with any probability; the others are uniformly within `DOUBT` of 0 or 1. */
const UNSURE = 0.1
const DOUBT = 0.02
/**
 * Probability that a question shares its thread's probability of being grounded, and its thread's random
 * number in each run.
 */
const LIKENESS = 0.3
const EXPECTING = 0.6
const PASSES_UNGROUNDED = 0.05
const ERRORS = 0.01

/** Without a drop the runs differ only by chance. Equal seeds give equal runs. */
export function simulateRuns({ questions, repeats = 1, drop, seed }: Simulation) {
  const random = seededRandom(seed)
  const before = drawSet(questions, random)
  const after = drop === undefined ? before : plantDrop(before, drop, random)
  const ask = (set: readonly Chances[]): TurnSummary[] =>
    Array.from({ length: repeats }, (_, repeat) => askAll(set, repeat + 1, random)).flat()
  return { baseline: ask(before), candidate: ask(after) }
}

function drawSet(questions: number, random: () => number): Chances[] {
  const sure = ((COVERAGE - UNSURE / 2) / (1 - UNSURE) - DOUBT / 2) / (1 - DOUBT)
  const drawGrounded = (): number => {
    if (random() < UNSURE) return random()
    return random() < sure ? 1 - DOUBT * random() : DOUBT * random()
  }
  const drawPasses = (): number | undefined => {
    if (random() >= EXPECTING) return undefined
    return random() < UNSURE ? random() : 1 - DOUBT * random()
  }
  const set: Chances[] = []
  for (let thread = 0; set.length < questions; thread += 1) {
    let left = 100 * random()
    const length = 1 + THREAD_SIZES.findIndex((weight) => (left -= weight) < 0)
    const shared = drawGrounded()
    for (let turn = 1; turn <= length && set.length < questions; turn += 1)
      set.push({
        id: `q${set.length}`,
        thread: `t${thread}`,
        turn,
        grounded: random() < LIKENESS ? shared : drawGrounded(),
        passes: drawPasses(),
      })
  }
  return set
}

/**
 * Removes one article after the other, the last one partly, until the mean probability has fallen by exactly
 * `share`.
 */
function plantDrop(set: readonly Chances[], { share, of, by }: Drop, random: () => number): Chances[] {
  const counted = of === 'grounding' ? set : set.filter(({ passes }) => passes !== undefined)
  const name = by === 'thread' ? 'thread' : 'id'
  const places = new Map(counted.map((question) => [question[name], 0]))
  for (const one of places.keys()) places.set(one, random())
  const placeOf = (question: Chances): number => places.get(question[name]) ?? 0
  let left = share * counted.length
  const after = new Map<string, Chances>()
  for (const question of counted.toSorted((some, other) => placeOf(some) - placeOf(other))) {
    const { id, grounded, passes = 0 } = question
    const value = of === 'grounding' ? grounded : grounded * passes
    const kept = value - Math.min(value, left)
    left -= value - kept
    if (of === 'grounding') after.set(id, { ...question, grounded: kept })
    else after.set(id, { ...question, passes: grounded === 0 ? passes : kept / grounded })
  }
  if (left > 1e-9) throw new Error(`the set cannot lose a share of ${share}`)
  return set.map((question) => after.get(question.id) ?? question)
}

function askAll(set: readonly Chances[], repeat: number, random: () => number): TurnSummary[] {
  let [current, luck, isBroken] = ['', 0, false]
  return set.map(({ id, thread, turn, grounded: chance, passes }, index): TurnSummary => {
    if (thread !== current) [current, luck, isBroken] = [thread, random(), false]
    const outcome = isBroken ? 'skipped' : random() < ERRORS ? 'server_error' : 'answered'
    isBroken = outcome !== 'answered'
    // The random number is uniform on [0, 1], shared or not, so LIKENESS does not change a question's
    // probability.
    const grounded = isBroken ? undefined : (random() < LIKENESS ? luck : random()) < chance
    const hasVerdict = grounded !== undefined && passes !== undefined
    return {
      index,
      question: { id, file: 0, thread, turn, message: `Question ${id}`, tags: [], mustPass: false },
      repeat,
      outcome,
      contextLost: false,
      contextSource: grounded === undefined ? undefined : grounded ? 'KNOWLEDGE_BASE' : 'MODEL',
      grounded,
      passed: hasVerdict ? random() < (grounded ? passes : PASSES_UNGROUNDED) : undefined,
      serviceMs: isBroken ? undefined : 300,
      answer: null,
    }
  })
}
