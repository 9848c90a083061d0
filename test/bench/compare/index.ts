// `npm run bench -- compare`: time and memory of `compare` over two recorded runs, by their size and the length of answers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot } from '../../support/program.ts'
import { recordRun } from '../../support/recorded-run.ts'
import { turnsOf, TURNS_A_THREAD, type BenchRuns } from './runs.ts'

/** `BENCH_TURNS=10000,1000000` for other sizes; `BENCH_SENTENCES` of an answer: 120 are some 6 KB, 200 some 10 KB. */
const numbers = (name: string): number[] | undefined => process.env[name]?.split(',').map(Number)
const SIZES = numbers('BENCH_TURNS') ?? [10_000, 100_000]
/** Long answers of many turns take a quarter of an hour: only where they are asked for. */
const lengthsOf = (turns: number): readonly number[] =>
  numbers('BENCH_SENTENCES') ?? (turns > 10_000 ? [12] : [12, 120])
const program = join(projectRoot, 'dist/cli/main.js')

interface Measured {
  readonly seconds: number
  readonly peakMb: number
}

async function measure(words: readonly string[], cwd: string): Promise<Measured> {
  const started = performance.now()
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  let peakKb = 0
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakOf(child.pid ?? 0))
  }, 50)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(watch)
  if (code !== 0 && code !== 1) throw new Error(`exit code ${code}`)
  return { seconds: (performance.now() - started) / 1000, peakMb: Math.round(peakKb / 1024) }
}

/** The high-water mark of a process's memory, as Linux keeps it; 0 where it is not told. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

async function sayPhases(runs: readonly string[]): Promise<void> {
  const script = fileURLToPath(new URL('phases.ts', import.meta.url))
  const words = ['--expose-gc', '--import', 'tsx', script, ...runs]
  const child = spawn(process.execPath, words, { cwd: projectRoot, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`exit code ${code} of the phases`)
}

/** Returns what the comparison took. */
async function benchOf(size: BenchRuns, folder: string): Promise<Measured> {
  const [before, after] = [join(folder, 'before'), join(folder, 'after')]
  recordRun(before, { turns: turnsOf(size, 'baseline') })
  recordRun(after, {
    turns: turnsOf(size, 'candidate'),
    manifest: { startedAt: '2026-11-22T12:00:00.000Z' },
  })
  const bytes = [before, after].map((run) => statSync(join(run, 'journal.ndjson')).size)
  console.log(
    `${size.turns} turns a side in threads of ${TURNS_A_THREAD}, answers of ${size.sentences} sentences, ` +
      `journals of ${Math.round(bytes.reduce((sum, one) => sum + one, 0) / 1e6)} MB together`,
  )
  await sayPhases([before, after])
  // As runs leave their folders: with results, which are read for what people wrote into them.
  const report = await measure([program, 'report', before], folder)
  await measure([program, 'report', after], folder)
  const compare = await measure([program, 'compare', before, after, '--out', join(folder, 'out')], folder)
  console.log(`compare: ${compare.seconds.toFixed(1)} s, ${compare.peakMb} MB at its peak`)
  console.log(`report of one side: ${report.seconds.toFixed(1)} s, ${report.peakMb} MB`)
  console.log(
    `ratio: ${(compare.seconds / report.seconds).toFixed(2)} (two sides are read, and each answer compared)\n`,
  )
  return compare
}

for (const turns of SIZES) {
  let shortest: Measured | undefined
  for (const sentences of lengthsOf(turns)) {
    const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))
    try {
      const measured = await benchOf({ turns, sentences }, folder)
      // Nothing that is held may grow with the length of answers.
      if (shortest !== undefined)
        console.log(
          `memory, beside the shortest answers: ratio ${(measured.peakMb / shortest.peakMb).toFixed(2)}\n`,
        )
      shortest ??= measured
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
