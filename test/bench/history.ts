// How long a history of many runs takes, and how much memory: `npm run bench:history [-- RUNS …]`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Summary } from '../../src/domain/summary.ts'
import { chanceNights, nightSummary, writeNight, type Night } from '../support/nights.ts'
import { main } from '../support/program.ts'

const sizes = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'assist-harness-'))

/** As large as those of large sets are: tags, flaky questions, gaps. About 200 kB. */
function largeSummary(night: Night): Summary {
  const { tags: _, ...figures } = nightSummary(night)
  const ids = Array.from({ length: 1000 }, (_question, number) => `question-${number}`)
  return {
    ...figures,
    tags: Object.fromEntries(ids.slice(0, 60).map((id) => [id, figures])),
    flaky: ids.map(
      (id) => ({ id, asked: 3, answered: 3, passRate: 0.5, groundingRate: 0.5, agreement: 0.5 }) as never,
    ),
    gaps: ids.slice(0, 200).map((name) => ({ name, weight: 3, questions: ids.slice(0, 5) })),
  }
}

/** Seconds, and the most memory that the process had, in MB: the program says it of itself when it ends. */
async function measure(runs: string): Promise<{ seconds: number; megabytes: number }> {
  const watch = join(folder, 'watch.mjs')
  writeFileSync(
    watch,
    "process.on('exit', () => process.stderr.write(`\\npeak ${process.resourceUsage().maxRSS}`))\n",
  )
  const from = performance.now()
  const child = spawn(process.execPath, ['--import', watch, main, 'history', runs], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(said)
  return {
    seconds: (performance.now() - from) / 1000,
    megabytes: Number(/peak (\d+)/.exec(said)?.[1]) / 1024,
  }
}

try {
  console.log(`${cpus().length} cores, Node ${process.version}`)
  for (const size of sizes.length === 0 ? [100, 1000, 5000] : sizes) {
    const runs = join(folder, String(size))
    let bytes = 0
    for (const [number, night] of chanceNights(size, (one) => (one < size / 2 ? 0.85 : 0.8)).entries()) {
      const run = writeNight(join(runs, `n${number}`), night)
      const summary = join(run, 'summary.json')
      writeFileSync(summary, JSON.stringify(largeSummary(night), null, 2))
      bytes += statSync(summary).size
      // A journal that must not be read: it would take ever so long.
      appendFileSync(join(run, 'journal.ndjson'), 'x'.repeat(100_000))
    }
    // The first reading warms the disk's cache.
    await measure(runs)
    const { seconds, megabytes } = await measure(runs)
    const page = readFileSync(join(runs, 'history.html')).length
    console.log(
      `${size} runs (${(bytes / 1e6).toFixed(0)} MB of summaries): ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB of memory, page of ${(page / 1e6).toFixed(2)} MB`,
    )
    rmSync(runs, { recursive: true })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
