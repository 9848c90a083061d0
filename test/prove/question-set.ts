// Question sets with known chances: how likely each question is to be grounded, and to pass.

/** What a question set is like; shares and chances are 0 to 1. */
export interface SetShape {
  readonly questions: number
  /** Weights of threads with one turn, two turns, … */
  readonly threadSizes?: readonly number[]
  readonly tags?: number
  /** Mean chance of a question to be grounded. */
  readonly coverage?: number
  /** Share of questions that are anywhere between sure and never: so many come out either way by chance. */
  readonly unsure?: number
  /** Chance that a question shares its thread's lot: the chance of being grounded, and each run's luck. */
  readonly likeness?: number
  /** Share of questions with expectations. */
  readonly expecting?: number
}

export interface SimulatedQuestion {
  readonly id: string
  readonly message: string
  readonly thread: string
  /** From 1. */
  readonly turn: number
  readonly tags: readonly string[]
  readonly grounded: number
  /** Chance of a grounded answer to pass; undefined where nothing is expected. */
  readonly passes: number | undefined
  /** Part of the service time that is the question's own: its logarithm, mean 0. */
  readonly slowness: number
}

export const LIKENESS = 0.3
/** Most sets are questions asked alone, and some long conversations. */
const THREAD_SIZES = [60, 20, 10, 6, 4]
/** Sure questions are within this of 0 or 1, evenly. */
const DOUBT = 0.02

/** Threads in order, their turns too. Throws where `coverage` cannot be had with so many unsure questions. */
export function drawSet(shape: SetShape, random: () => number): SimulatedQuestion[] {
  const { questions, threadSizes = THREAD_SIZES, tags = 6, coverage = 0.75 } = shape
  const { unsure = 0.1, likeness = LIKENESS, expecting = 0.6 } = shape
  const sure = ((coverage - unsure / 2) / (1 - unsure) - DOUBT / 2) / (1 - DOUBT)
  if (!(sure >= 0 && sure <= 1)) throw new Error(`no coverage of ${coverage} with ${unsure} unsure`)
  const drawGrounded = (): number => {
    if (random() < unsure) return random()
    return random() < sure ? 1 - DOUBT * random() : DOUBT * random()
  }
  const drawPasses = (): number | undefined => {
    if (random() >= expecting) return undefined
    return random() < unsure ? random() : 1 - DOUBT * random()
  }
  const set: SimulatedQuestion[] = []
  for (let thread = 0; set.length < questions; thread += 1) {
    const length = Math.min(questions - set.length, 1 + drawPlace(threadSizes, random))
    const tag = `tag ${1 + Math.floor(tags * random())}`
    const shared = drawGrounded()
    const pace = random() - 0.5
    for (let turn = 1; turn <= length; turn += 1)
      set.push({
        id: `q${set.length + 1}`,
        message: `Question ${set.length + 1}`,
        thread: `t${thread + 1}`,
        turn,
        tags: [tag],
        grounded: random() < likeness ? shared : drawGrounded(),
        passes: drawPasses(),
        slowness: pace + (random() - 0.5),
      })
  }
  return set
}

function drawPlace(weights: readonly number[], random: () => number): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  const place = weights.findIndex((weight) => (left -= weight) < 0)
  return Math.max(0, place)
}
