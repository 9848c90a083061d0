// How often the gate of a comparison fails two like runs, and how often it sees the drop that it states.
import { upperBound } from '../prove/bound.ts'
import { add, countPair, type Line, NONE } from '../prove/count.ts'

/** Of like runs, and of runs with a drop. */
const PAIRS = { same: 1000, level: 0, power: 400 }
const QUESTIONS = { questions: 150 }
const REPEATS = { ...QUESTIONS, repeats: 3 }

const LINES: readonly Line[] = [
  { kind: 'same', name: 'like runs of 150 questions', setting: QUESTIONS },
  { kind: 'same', name: 'like runs, every question 3 times', setting: REPEATS },
  ...(['grounding', 'verdicts'] as const).flatMap((of) =>
    (['thread', 'question'] as const).map((by): Line => ({
      kind: 'power',
      name: `stated drop of ${of}, by ${by}s`,
      setting: QUESTIONS,
      of,
      by,
    })),
  ),
]

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

for (const line of LINES) {
  let counts = NONE
  for (let place = 0; place < PAIRS[line.kind]; place += 1)
    counts = add(counts, countPair(line, 9_000_000 + place))
  const { failed, pairs, drop } = counts
  const goal =
    line.kind === 'same'
      ? `goal ≤ 5 %; 95 % upper bound ${percent(upperBound(failed, pairs))}`
      : `goal ≥ 78 %; drops of ${percent(drop / pairs)} on average`
  console.log(
    `${line.name.padEnd(36)} ${`${failed}`.padStart(4)} of ${pairs} failed, ${percent(failed / pairs)} (${goal})`,
  )
}
