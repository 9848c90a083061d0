// `npm run bench -- gate`: how often the gate fails a comparison of like runs, and how often it sees the drop that it states.
import { failedRulesFast, statedDrop, valuesOf } from '../prove/judge-pairs.ts'
import type { Simulation } from '../prove/simulate.ts'

const [LIKE_PAIRS, DROP_PAIRS] = [1000, 400]
const QUESTIONS = { questions: 150 }
const FIRST_SEED = 9_000_000

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`
const say = (name: string, found: number, pairs: number, goal: string): void =>
  console.log(
    `${name.padEnd(36)} ${`${found}`.padStart(4)} of ${pairs} failed, ${percent(found / pairs)} (${goal})`,
  )
const count = (pairs: number, fails: (seed: number) => boolean): number =>
  Array.from({ length: pairs }, (_, place) => fails(FIRST_SEED + place)).filter(Boolean).length

for (const [name, setting] of [
  ['like runs of 150 questions', QUESTIONS],
  ['like runs, every question 3 times', { ...QUESTIONS, repeats: 3 }],
] as const satisfies (readonly [string, Omit<Simulation, 'seed'>])[]) {
  const failed = count(LIKE_PAIRS, (seed) => failedRulesFast(valuesOf({ ...setting, seed }), seed).length > 0)
  say(name, failed, LIKE_PAIRS, 'goal ≤ 5 %')
}
for (const of of ['grounding', 'verdicts'] as const)
  for (const by of ['thread', 'question'] as const) {
    let drops = 0
    const seen = count(DROP_PAIRS, (seed) => {
      const share = statedDrop(valuesOf({ ...QUESTIONS, seed }), of)
      drops += share
      return failedRulesFast(valuesOf({ ...QUESTIONS, seed, drop: { share, of, by } }), seed).includes(of)
    })
    const goal = `goal ≥ 78 %; drops of ${percent(drops / DROP_PAIRS)} on average`
    say(`stated drop of ${of}, by ${by}s`, seen, DROP_PAIRS, goal)
  }
