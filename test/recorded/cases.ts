// The recorded runs of cases.txt: which folder, which command, and where it writes.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const recordedFolder = fileURLToPath(new URL('.', import.meta.url))

export interface RecordedCase {
  /** The folder of this directory that holds what is expected. */
  readonly name: string
  /** That which holds the recorded runs. */
  readonly of: string
  readonly words: readonly string[]
  /** Where the command writes. */
  readonly out: string
  /** So many turns that its tables are kept compressed, without JUnit. */
  readonly isLarge: boolean
}

export const RECORDED_CASES: readonly RecordedCase[] = readFileSync(join(recordedFolder, 'cases.txt'), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => {
    const [, name = '', of = name, command = ''] = /^(\S+?)(?: of (\S+?))?: (.*)$/.exec(line) ?? []
    const words = command.split(' ')
    const [, out = words[1] ?? ''] = / --out (\S+)$/.exec(command) ?? []
    const isLarge = existsSync(join(recordedFolder, name, 'results.csv.gz'))
    return { name, of, words, out, isLarge }
  })
