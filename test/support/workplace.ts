// A temporary folder of one test file in which the built program runs: write files, run commands, read the results.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import type { Summary } from '../../src/domain/summary.ts'
import { readSummary, runProgram, startProgram, wordsOf, type Ended, type Running } from './program.ts'
import { temporaryFolder } from './temporary.ts'

type Environment = Readonly<Record<string, string>>
type Rows = Record<string, string>[]

export interface Workplace {
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
  /** Runs a line as typed after `assist-harness`; single quotes keep white space. */
  readonly type: (line: string, env?: Environment) => Promise<Ended>
  /** Runs a line and expects that exit code. */
  readonly exits: (code: number, line: string, env?: Environment) => Promise<Ended>
  readonly start: (line: string, env?: Environment) => Running
}

/** Removed after the tests of the file. `env`: the environment of every command. */
export function openWorkplace(
  files: Readonly<Record<string, string>> = {},
  env: Environment = {},
): Workplace {
  const folder = temporaryFolder()
  const at: Workplace['at'] = (...names) => join(folder, ...names)
  const read: Workplace['read'] = (...names) => readFileSync(at(...names), 'utf8')
  const put: Workplace['put'] = (name, content) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), content)
    return name
  }
  const type: Workplace['type'] = async (line, more) =>
    runProgram(wordsOf(line), { cwd: folder, env: { ...env, ...more } })
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
    type,
    exits: async (code, line, more) => {
      const ended = await type(line, more)
      expect(ended.code, ended.screen).toBe(code)
      return ended
    },
    start: (line, more) => startProgram(wordsOf(line), { cwd: folder, env: { ...env, ...more } }),
  }
}
