// Runs the built program as a process, as a user does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import type { Summary } from '../../src/domain/summary.ts'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))
export const main = join(projectRoot, 'dist/cli/main.js')
/** The environment of a test's run: the key and nothing else. */
export const KEY_ENV = { ASSIST_API_KEY: 'test-key-0123456789' }

export interface ProgramResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What a user at a terminal sees: both streams. */
  readonly screen: string
}

export type Running = ReturnType<typeof start>

export interface ProgramOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** User to run as. Needs root. */
  readonly uid?: number
  /** Milliseconds after which the process is killed. */
  readonly timeout?: number
}

export const startProgram = (words: readonly string[], options: ProgramOptions): Running =>
  start(process.execPath, [main, ...words], options)

/**
 * The environment holds only what the test gives, so that a key in the environment of the tests is never
 * used.
 */
function start(command: string, words: readonly string[], { cwd, env = {}, ...more }: ProgramOptions) {
  const child = spawn(command, words, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...more,
  })
  let [stdout, stderr] = ['', '']
  const watchers = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const watch of watchers) watch()
  })
  const ended: Promise<ProgramResult> = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
    screen: stderr + stdout,
  }))
  return {
    pid: child.pid ?? 0,
    ended,
    stderr: () => stderr,
    /** Resolves when stderr matches. Rejects if the program ends first. */
    waitForStderr: async (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(stderr)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
        void ended.then(() =>
          reject(new Error(`the program ended before stderr matched ${String(pattern)}:\n${stderr}`)),
        )
      }),
    signal: (name: NodeJS.Signals) => child.kill(name),
  }
}

/** Splits a line as typed after `assist-harness`; single quotes keep white space. */
export const splitWords = (line: string): string[] =>
  [...line.matchAll(/([^\s']*)(?:'([^']*)'|(\S*))/g)].flatMap(([all, before = '', quoted, plain = '']) =>
    all === '' ? [] : [before + (quoted ?? plain)],
  )

export async function runProgram(words: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  return startProgram(words, options).ended
}

export async function runCommand(
  command: string,
  words: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  return start(command, words, options).ended
}

export function readResults(folder: string): Record<string, string>[] {
  return parse(readFileSync(join(folder, 'results.csv')), { columns: true })
}

export function readSummary(folder: string): Summary {
  return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Summary
}

/** Names of the failing cases of a `junit.xml`; questions by id. */
export const failingCases = (xml: string): string[] =>
  [...xml.matchAll(/<testcase name="([^":]*)[^>]*>\s*<(?:failure|error) /g)].map(([, name = '']) => name)
