// Overwrites the expected files with the results of this checkout. Run it by hand, never from a test, and only
// if the product changes on purpose: say why in the commit.
//
//   npx tsx test/recorded/record.ts [case..]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { RECORDED_CASES, recordedFolder } from './cases.ts'
import { runCase } from './run-case.ts'

const names = process.argv.slice(2)
const scratch = mkdtempSync(join(tmpdir(), 'expecting-'))
for (const recorded of RECORDED_CASES) {
  if (names.length > 0 && !names.includes(recorded.name)) continue
  for (const [file, value] of Object.entries(await runCase(recorded, scratch))) {
    const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 1)}\n`
    const bytes = file.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text
    writeFileSync(join(recordedFolder, recorded.name, file), bytes)
  }
  console.log(`expects ${recorded.name}`)
}
rmSync(scratch, { recursive: true })
// The resident process that ran the commands would keep this one alive.
process.exit()
