// A temporary folder of one test file in which the built program runs: write files, run commands, read the
// results.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, expect } from 'vitest'
import { readSummary, runProgram, startProgram, splitWords, type ProgramResult } from './program.ts'
import { endResidents, runResident } from './resident.ts'
import { temporaryFolder } from './temporary.ts'

type Environment = Readonly<Record<string, string>>
type Rows = Record<string, string>[]

/** Removed after the tests of the file. `env`: the environment of every command. */
export function openWorkspace(files: Readonly<Record<string, string>> = {}, env: Environment = {}) {
  const folder = temporaryFolder()
  const at = (...names: readonly string[]): string => join(folder, ...names)
  const read = (...names: readonly string[]): string => readFileSync(at(...names), 'utf8')
  /** Writes a file and creates its folders. Returns the name. */
  const put = (name: string, content: string | Uint8Array): string => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), content)
    return name
  }
  /**
   * Runs a line as typed after `assist-harness`; single quotes keep white space. With `NODE_OPTIONS`, which may
   * change the program, in a process of its own.
   */
  const runLine = async (line: string, more?: Environment): Promise<ProgramResult> => {
    const run = more?.['NODE_OPTIONS'] === undefined ? runResident : runProgram
    return run(splitWords(line), { cwd: folder, env: { ...env, ...more } })
  }
  afterAll(() => endResidents(folder))
  for (const [name, text] of Object.entries(files)) put(name, text)
  return {
    folder,
    at,
    has: (...names: readonly string[]) => existsSync(at(...names)),
    put,
    read,
    json: (...names: readonly string[]) => JSON.parse(read(...names)) as unknown,
    rows: (...names: readonly string[]): Rows => parse(read(...names), { columns: true, bom: true }),
    summary: (...names: readonly string[]) => readSummary(at(...names)),
    runLine,
    /** Runs a line, as `runLine`, and expects that exit code. */
    expectExit: async (code: number, line: string, more?: Environment) => {
      const ended = await runLine(line, more)
      expect(ended.code, ended.screen).toBe(code)
      return ended
    },
    start: (line: string, more?: Environment) =>
      startProgram(splitWords(line), { cwd: folder, env: { ...env, ...more } }),
  }
}
