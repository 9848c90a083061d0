// `npm run bench -- gate`: how often the gate fails a comparison of equal runs, and how often it detects the
// drop that it states; and what `--confirm` makes of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countFailures, plantDrops } from '../prove/gate.ts'
import { countNights, QUESTIONS } from '../prove/nights.ts'
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

// A night's run against its baseline, where answers are now and then wrong by chance: the gate of failed
// expectations fails by a single one, unless it is sent again.
const [NIGHTS, BROKEN] = [40, 2]
const folder = mkdtempSync(join(tmpdir(), 'nights-'))
row('')
row(`${QUESTIONS} questions, nights: ${NIGHTS}`, 'false', 'missed', 'calls more')
for (const flake of [0, 0.02, 0.05, 0.1])
  for (const confirm of [0, 2, 4]) {
    const equal = await countNights({ flake, broken: 0, confirm, nights: NIGHTS }, folder)
    const worse = await countNights({ flake, broken: BROKEN, confirm, nights: NIGHTS }, folder)
    const name = `flake rate ${percent(flake)}, ${confirm === 0 ? 'no --confirm' : `--confirm ${confirm}`}`
    row(name, percent(equal.failed), percent(1 - worse.failed), percent(equal.extraCalls / QUESTIONS))
  }
rmSync(folder, { recursive: true })
