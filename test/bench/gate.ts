// `npm run bench -- gate`: how often the gate fails a comparison of equal runs, and how often it detects the
// drop that it states.
import { countFailures, plantDrops } from '../prove/gate.ts'
import { row } from './measured.ts'

const [LIKE_PAIRS, DROP_PAIRS] = [1000, 400]
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

row('150 questions', 'failed', 'drop')
for (const repeats of [1, 3])
  row(`equal runs, ${repeats} repeats: goal ≤ 5 %`, percent(countFailures(LIKE_PAIRS, repeats) / LIKE_PAIRS))
for (const of of ['grounding', 'verdicts'] as const)
  for (const by of ['thread', 'question'] as const) {
    const { seen, stated } = plantDrops(DROP_PAIRS, of, by)
    row(`drop of ${of} by ${by}s: goal ≥ 78 %`, percent(seen / DROP_PAIRS), percent(stated))
  }
