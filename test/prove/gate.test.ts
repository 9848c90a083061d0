// Protects the gate's promises in simulated comparisons with its default rules: equal runs rarely fail, and the
// detectable drop is detected as often as stated.
import { expect, test } from 'vitest'
import { type Gates, judgeRules } from '../../src/analysis/comparing/rules.ts'
import {
  compareShares,
  detectableDrop,
  type SharedRow,
  type SharedValue,
  valuesOf,
} from '../../src/analysis/comparing/totals.ts'
import type { GateRule } from '../../src/domain/comparison.ts'
import { seededRandom } from '../../src/stats/random.ts'
import { signFlipTest } from '../../src/stats/paired-tests.ts'

/** Articles that are removed (`grounding`), or stay and become wrong (`verdicts`). */
interface Drop {
  /** Mean share of affected questions, 0 to 1; for `verdicts`, of the questions with expectations. */
  readonly share: number
  readonly of: 'grounding' | 'verdicts'
  /** Whether single questions or whole threads are affected. */
  readonly by: 'question' | 'thread'
}

interface Simulation {
  readonly questions: number
  readonly repeats?: number
  readonly drop?: Drop
  readonly seed: number
}

type Chances = ReturnType<typeof drawSet>[number]

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
function simulateRuns({ questions, repeats = 1, drop, seed }: Simulation): readonly SharedRow[] {
  const random = seededRandom(seed)
  const before = drawSet(questions, random)
  const after = drop === undefined ? before : plantDrop(before, drop, random)
  const ask = (set: readonly Chances[]) => Array.from({ length: repeats }, () => askAll(set, random))
  const [baseline, candidate] = [ask(before), ask(after)]
  const ratesOf = (rounds: ReturnType<typeof ask>, place: number) => ({
    groundingRate: rateOf(rounds.map((answers) => answers[place]?.grounded)),
    passRate: rateOf(rounds.map((answers) => answers[place]?.passed)),
  })
  return before.map(({ id, thread, turn }, place) => {
    const sides = { baseline: ratesOf(baseline, place), candidate: ratesOf(candidate, place) }
    return { id, file: 0, thread, turn, ...sides } as unknown as SharedRow
  })
}

function rateOf(values: readonly (boolean | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? null : known.filter(Boolean).length / known.length
}

function drawSet(questions: number, random: () => number) {
  const sure = ((COVERAGE - UNSURE / 2) / (1 - UNSURE) - DOUBT / 2) / (1 - DOUBT)
  const drawGrounded = (): number => {
    if (random() < UNSURE) return random()
    return random() < sure ? 1 - DOUBT * random() : DOUBT * random()
  }
  const drawPasses = (): number | undefined => {
    if (random() >= EXPECTING) return undefined
    return random() < UNSURE ? random() : 1 - DOUBT * random()
  }
  /** `passes` is for a grounded answer, and undefined without expectations. */
  const set: { id: string; thread: string; turn: number; grounded: number; passes: number | undefined }[] = []
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

/** Undefined: no answer, and without expectations no verdict. */
function askAll(set: readonly Chances[], random: () => number) {
  let [current, luck, isBroken] = ['', 0, false]
  return set.map(({ thread, grounded: chance, passes }) => {
    if (thread !== current) [current, luck, isBroken] = [thread, random(), false]
    isBroken ||= random() < ERRORS
    // The random number is uniform on [0, 1], shared or not, so LIKENESS does not change a question's
    // probability.
    const grounded = isBroken ? undefined : (random() < LIKENESS ? luck : random()) < chance
    const hasVerdict = grounded !== undefined && passes !== undefined
    return {
      grounded,
      passed: hasVerdict ? random() < (grounded ? passes : PASSES_UNGROUNDED) : undefined,
    }
  })
}

const [ALPHA, MARGIN] = [0.05, 0.02]
const RULES = { failOn: ['must-pass', 'grounding', 'verdicts'], alpha: ALPHA, margin: MARGIN } as const
const SILENT = { baseline: null, candidate: null, difference: null, p: null }
const USAGE = { min: 1, max: 1, callsPerTurn: 1, shareOfQuota: null }
const QUESTIONS = 150

type Values = Readonly<Record<'grounding' | 'verdicts', readonly SharedValue[]>>

function simulate(simulation: Simulation): Values {
  const rows = simulateRuns(simulation)
  return { grounding: valuesOf(rows, 'groundingRate'), verdicts: valuesOf(rows, 'passRate') }
}

/** The default rules that fail. None of them uses availability, latency or quota. */
function failedRules(values: Values, seed: number): GateRule[] {
  // The interval takes most of the time, so nine of ten comparisons of equal runs do without.
  const flips = (of: keyof Values): number => {
    const changes = new Map<string, number>()
    for (const { thread, baseline, candidate } of values[of])
      changes.set(thread, (changes.get(thread) ?? 0) + candidate - baseline)
    // A share of three repeats or fewer is a whole number of sixths.
    return signFlipTest([...changes.values()].map((change) => Math.round(6 * change)))
  }
  if (flips('grounding') > ALPHA && flips('verdicts') > ALPHA) return []
  const family = { detectableDrop: null }
  const totals = {
    overlap: { shared: 1, edited: 0, baseline: 1, candidate: 1, share: 1, isLow: false },
    grounding: { ...compareShares(values.grounding, seed), ...family },
    verdicts: { ...compareShares(values.verdicts, seed), ...family },
    availability: compareShares([], seed),
    latency: { p50: SILENT, p95: SILENT },
    quota: { baseline: USAGE, candidate: USAGE },
  }
  const judged: Gates = {
    totals,
    withValues: { grounding: 0, verdicts: 0 },
    mustPass: { newlyFailing: [], notSent: [] },
    newlyFailing: [],
  }
  const results = judgeRules(judged, { ...RULES, minOverlap: 0.5, areNamed: false, groundedSources: [] })
  return results.flatMap(({ rule, passed }) => (passed ? [] : [rule]))
}

const seedsOf = (pairs: number): number[] => Array.from({ length: pairs }, (_, place) => 7_000_000 + place)

const countFailures = (pairs: number, repeats: number): number =>
  seedsOf(pairs).filter(
    (seed) => failedRules(simulate({ questions: QUESTIONS, repeats, seed }), seed).length > 0,
  ).length

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Makes pairs that have the drop that the gate states for two equal runs of the same set. Returns how many
 * fail by it, the mean of the stated drops, and the mean of the drops in the runs.
 */
function plantDrops(pairs: number, of: Drop['of'], by: Drop['by']) {
  const cases = seedsOf(pairs).map((seed) => {
    const set = { questions: QUESTIONS, seed }
    const stated = detectableDrop(simulate(set)[of], ALPHA / 2, MARGIN) ?? NaN
    const values = simulate({ ...set, drop: { share: stated, of, by } })
    const shown = mean(values[of].map(({ baseline, candidate }) => baseline - candidate))
    return { stated, shown, isSeen: failedRules(values, seed).includes(of) }
  })
  return {
    seen: cases.filter(({ isSeen }) => isSeen).length,
    stated: mean(cases.map(({ stated }) => stated)),
    shown: mean(cases.map(({ shown }) => shown)),
  }
}

test.each([
  [200, 1],
  [150, 3],
])('of %i pairs of equal runs with %i repeats, at most 5 of 100 fail', (pairs, repeats) => {
  expect(countFailures(pairs, repeats) / pairs).toBeLessThanOrEqual(0.05)
})

// 60 pairs have a standard error of 5 points.
test.each([
  ['grounding', 'thread'],
  ['grounding', 'question'],
  ['verdicts', 'thread'],
  ['verdicts', 'question'],
] as const)('the detectable drop of %s is detected in 80 of 100 cases, for drops of whole %ss', (of, by) => {
  const { seen, stated, shown } = plantDrops(60, of, by)
  expect(seen / 60).toBeGreaterThanOrEqual(0.7)
  // A large drop is easily detected, and useless as a promise.
  expect(stated).toBeLessThan(0.25)
  // Otherwise the simulated runs would not have the drop that they claim.
  expect(Math.abs(shown - stated)).toBeLessThan(0.02)
})
