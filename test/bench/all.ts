// `npm run bench`: throughput, memory, start-up, `compare` and the page, one after the other, and one table at the end.
// Some twenty minutes on two cores. `npm run bench -- start memory` for some of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROWS, type BenchRow } from './rows.ts'

const PARTS = {
  throughput: ['load/index.ts', 'throughput'],
  start: ['start.ts'],
  memory: ['memory/index.ts', '10k', '100k', '1M'],
  compare: ['compare/index.ts'],
  page: ['report.ts'],
} as const

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in PARTS))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(PARTS).join(', ')}`)

const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))
const file = join(folder, 'rows.ndjson')
const failed: string[] = []
for (const [name, [script, ...words]] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n# ${name}`)
  const path = fileURLToPath(new URL(script, import.meta.url))
  const env = { ...process.env, [ROWS]: file, ASSIST_BENCH_PEERS: 'install' }
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...words], { env, stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) failed.push(name)
}
const rows = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as BenchRow)
  : []
rmSync(folder, { recursive: true, force: true })

console.log(
  `\n${availableParallelism()} cores, Node ${process.version}, ${process.platform} ${process.arch}\n`,
)
console.log('| part | what | measured | beside | ratio |')
console.log('| --- | --- | ---: | --- | ---: |')
for (const { part, what, value, beside = '', ratio } of rows)
  console.log(`| ${part} | ${what} | ${value} | ${beside} | ${ratio === undefined ? '' : ratio.toFixed(2)} |`)
if (failed.length > 0) {
  console.log(`\nThese ended with an error, see above: ${failed.join(', ')}`)
  process.exitCode = 1
}
