// A temporary folder of one test file in which the built program runs: write files, run commands, read the
// results.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, expect } from 'vitest'
import type { Summary } from '../../src/domain/summary.ts'
import {
  readSummary,
  runProgram,
  startProgram,
  splitWords,
  type ProgramResult,
  type Running,
} from './program.ts'
import { endResidents, runResident } from './resident.ts'
import { temporaryFolder } from './temporary.ts'

type Environment = Readonly<Record<string, string>>
type Rows = Record<string, string>[]

export interface Workspace {
  readonly folder: string
  /** A path in the folder. */
  readonly at: (...names: readonly string[]) => string
  readonly has: (...names: readonly string[]) => boolean
  /** Writes a file and creates its folders. Returns the name. */
  readonly put: (name: string, content: string | Uint8Array) => string
  readonly read: (...names: readonly string[]) => string
  readonly json: (...names: readonly string[]) => unknown
  /** The rows of a CSV file. */
  readonly rows: (...names: readonly string[]) => Rows
  readonly summary: (...names: readonly string[]) => Summary
  /**
   * Runs a line as typed after `assist-harness`; single quotes keep white space. With `NODE_OPTIONS`, which may
   * change the program, in a process of its own.
   */
  readonly runLine: (line: string, env?: Environment) => Promise<ProgramResult>
  /** Runs a line, as `runLine`, and expects that exit code. */
  readonly expectExit: (code: number, line: string, env?: Environment) => Promise<ProgramResult>
  /** Starts the line as a process of its own. */
  readonly start: (line: string, env?: Environment) => Running
}

/** Removed after the tests of the file. `env`: the environment of every command. */
export function openWorkspace(
  files: Readonly<Record<string, string>> = {},
  env: Environment = {},
): Workspace {
  const folder = temporaryFolder()
  const at: Workspace['at'] = (...names) => join(folder, ...names)
  const read: Workspace['read'] = (...names) => readFileSync(at(...names), 'utf8')
  const put: Workspace['put'] = (name, content) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), content)
    return name
  }
  const runLine: Workspace['runLine'] = async (line, more) => {
    const run = more?.['NODE_OPTIONS'] === undefined ? runResident : runProgram
    return run(splitWords(line), { cwd: folder, env: { ...env, ...more } })
  }
  afterAll(() => endResidents(folder))
  for (const [name, text] of Object.entries(files)) put(name, text)
  return {
    folder,
    at,
    has: (...names) => existsSync(at(...names)),
    put,
    read,
    json: (...names) => JSON.parse(read(...names)) as unknown,
    rows: (...names) => parse(read(...names), { columns: true, bom: true }),
    summary: (...names) => readSummary(at(...names)),
    runLine,
    expectExit: async (code, line, more) => {
      const ended = await runLine(line, more)
      expect(ended.code, ended.screen).toBe(code)
      return ended
    },
    start: (line, more) => startProgram(splitWords(line), { cwd: folder, env: { ...env, ...more } }),
  }
}
