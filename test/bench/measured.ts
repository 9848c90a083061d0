// Helpers of the benches: a folder, a question set, time and memory of a command of the built program, and a
// table.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { startProgram } from '../support/program.ts'

export const BENCH_ENV = { ...process.env, ASSIST_API_KEY: 'bench-key-0123456789', NODE_OPTIONS: '' }

export async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))
  try {
    await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function writeQuestions(folder: string, count: number, each = 1): string {
  const path = join(folder, `questions-${count}.csv`)
  const rows = Array.from({ length: count }, (_, place) => `t${Math.floor(place / each)},Question ${place}?`)
  writeFileSync(path, `thread,message\n${rows.join('\n')}\n`)
  return path
}

/**
 * Seconds, and peak megabytes as Linux counts them, read every 20 ms; 0 on other systems. Throws if the exit code is
 * not one of `codes`.
 */
export async function measure(cwd: string, words: readonly string[], codes = [0]) {
  const began = performance.now()
  const running = startProgram(words, { cwd, env: BENCH_ENV })
  let peakMb = 0
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(running.pid))
  }, 20)
  const { code, stderr } = await running.ended
  clearInterval(timer)
  if (!codes.includes(code ?? -1))
    throw new Error(`${words.join(' ')} ended with ${code}: ${stderr.slice(-2000)}`)
  return { seconds: (performance.now() - began) / 1000, peakMb: Math.round(peakMb) }
}

export async function measureRow(name: string, cwd: string, words: readonly string[], codes?: number[]) {
  const measured = await measure(cwd, words, codes)
  row(name, measured.seconds.toFixed(1), measured.peakMb)
  return measured
}

export function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

export const readCsv = (path: string): Record<string, string>[] =>
  parse(readFileSync(path), { columns: true, bom: true })

/** NaN without values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

export const row = (first: string, ...cells: readonly (string | number)[]): void =>
  console.log(`${first.padEnd(44)}${cells.map((cell) => String(cell).padStart(10)).join('')}`)
