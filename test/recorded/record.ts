// Writes what this checkout makes of the recorded runs over what was expected of them. By hand, never by a test, and only
// where the product changes: say why in the commit. The runs themselves are version 0.1's, and stay.
//
//   npx tsx test/recorded/record.ts [case..]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { RECORDED_CASES, recordedFolder } from './cases.ts'
import { reckon } from './reckon.ts'

const names = process.argv.slice(2)
const scratch = mkdtempSync(join(tmpdir(), 'expecting-'))
for (const recorded of RECORDED_CASES) {
  if (names.length > 0 && !names.includes(recorded.name)) continue
  for (const [file, value] of Object.entries(await reckon(recorded, scratch))) {
    const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 1)}\n`
    const bytes = file.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text
    writeFileSync(join(recordedFolder, recorded.name, file), bytes)
  }
  console.log(`expects ${recorded.name}`)
}
rmSync(scratch, { recursive: true })
