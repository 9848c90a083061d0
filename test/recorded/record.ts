// Records the runs of this folder anew, and what a build makes of them. By hand, never by a test:
//
//   npx tsx test/recorded/record.ts [--program OTHER/dist/cli/main.js] [case..]           runs, and what is expected
//   npx tsx test/recorded/record.ts [--program OTHER/dist/cli/main.js] --expect [case..]  only what is expected
//
// The runs here are version 0.1's. What is expected of them changes only where the product does: say why in the commit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { main } from '../support/program.ts'
import { RECORDED_CASES } from './cases.ts'
import { reckon, recordedFolder, writeExpected } from './reckon.ts'
import { RECIPES } from './recipes.ts'
import { Recorder } from './recorder.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { program: { type: 'string', default: main }, expect: { type: 'boolean', default: false } },
})
const program = resolve(values.program)
const isMeant = (name: string): boolean => positionals.length === 0 || positionals.includes(name)

for (const [name, recipe] of Object.entries(RECIPES)) {
  if (values.expect || !isMeant(name)) continue
  const scratch = mkdtempSync(join(tmpdir(), 'recording-'))
  const recorder = new Recorder(scratch, program)
  const files = await recipe(recorder)
  await recorder.close()
  recorder.keep(join(recordedFolder, name), files ?? [])
  rmSync(scratch, { recursive: true })
  console.log(`recorded ${name}`)
}
const scratch = mkdtempSync(join(tmpdir(), 'expecting-'))
for (const recorded of RECORDED_CASES) {
  if (!isMeant(recorded.name) && !(recorded.of !== undefined && isMeant(recorded.of))) continue
  const reckoned = await reckon(recorded, scratch, program)
  writeExpected(recorded, reckoned)
  const { exit, verdict } = reckoned['expected.json'] as { exit: number; verdict: string }
  console.log(`expects ${recorded.name}: ${exit} ${verdict}`)
}
rmSync(scratch, { recursive: true })
