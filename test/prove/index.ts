// Proves how often a comparison cries wolf, and that it sees what it states: `npm run bench -- prove` (PROVE_SEED, PROVE_PAIRS).
import { upperBound } from './bound.ts'
import type { Counts } from './count.ts'
import { LEVELS, PLANTED, SAME, STATED, STATED_SINGLE, type Line } from './lines.ts'
import { startWorkers } from './workers.ts'

const seed = Number(process.env['PROVE_SEED'] ?? 1)
const pairs = Number(process.env['PROVE_PAIRS'] ?? 2000)
/** A power is told from another by fewer: 200 have a standard error of 2.8 points at 80 %. */
const powerPairs = Math.ceil(0.1 * pairs)
console.log(`PROVE_SEED=${seed} PROVE_PAIRS=${pairs}`)

const workers = startWorkers()
const start = performance.now()
let [seconds, lines, isProved] = [0, 0, true]

/** Prints a line each; no two lines share a pair of runs. */
async function prove(
  title: string,
  of: readonly Line[],
  count: number,
  figures: (counts: Counts) => { readonly text: string; readonly isKept: boolean },
): Promise<void> {
  console.log(`\n${title}, ${count} pairs of runs each`)
  for (const line of of) {
    lines += 1
    const from = seed * 1_000_003 + lines * 10_007
    const counted = await workers.count(
      line,
      Array.from({ length: count }, (_, place) => from + place),
    )
    seconds += counted.seconds
    const { text, isKept } = figures(counted.counts)
    isProved &&= isKept
    console.log(`${line.setting.questions} questions, ${line.name}: ${text}${isKept ? '' : '  NOT KEPT'}`)
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const spread = (share: number, of: number): string =>
  `${percent(share)} ± ${(196 * Math.sqrt((share * (1 - share)) / of)).toFixed(1)}`

await prove(
  'Two like runs: the gate fails at most 5 % (one-sided upper 95 % bound)',
  SAME,
  pairs,
  (counts) => {
    const bound = upperBound(counts.failed, counts.pairs)
    return {
      text: `${counts.failed} failed, ${percent(counts.failed / counts.pairs)}, bound ${percent(bound)}`,
      isKept: bound <= 0.05,
    }
  },
)

/** Seen less often than promised, by more than chance: three standard errors, as there are many lines. */
const powerFigures = ({ pairs: of, failed, drop, promised }: Counts): { text: string; isKept: boolean } => {
  const [seen, stated] = [failed / of, promised / of]
  return {
    text: `drop ${((100 * drop) / of).toFixed(1)} points, stated ${percent(stated)}, seen ${spread(seen, of)}`,
    isKept: seen >= stated - 3 * Math.sqrt((stated * (1 - stated)) / of) - 1e-9,
  }
}
await prove('The drop that the gate states is seen in 80 %', STATED, powerPairs, powerFigures)
await prove('Planted drops are seen as often as stated', PLANTED, powerPairs, powerFigures)

await prove(
  'Sign flips differ in 5 %, and the 95 % interval of coverage holds the truth',
  LEVELS,
  Math.ceil(pairs / 4),
  ({ pairs: of, flips, held }) => ({
    text: `sign flips ${spread(flips / of, of)}, interval ${spread(held / of, of)}`,
    // Few threads that change with repeats: 92 of 100 is the least that was seen.
    isKept:
      flips / of <= 0.05 + 3 * Math.sqrt((0.05 * 0.95) / of) &&
      held / of >= 0.92 - 3 * Math.sqrt((0.92 * 0.08) / of),
  }),
)

await prove('The drop that the gate states is seen in just 80 %', STATED_SINGLE, powerPairs, powerFigures)

workers.end()
console.log(
  `\n${isProved ? 'Kept' : 'NOT kept'}. ${seconds.toFixed(0)} s of processor time, ` +
    `${((performance.now() - start) / 1000).toFixed(0)} s in all`,
)
if (!isProved) process.exitCode = 1
