// The recorded cases of cases.txt: folder, command and output folder.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const recordedFolder = fileURLToPath(new URL('.', import.meta.url))

export interface RecordedCase {
  /** The folder here that holds the expected files. */
  readonly name: string
  /** The folder here that holds the recorded runs. */
  readonly of: string
  readonly words: readonly string[]
  /** The folder into which the command writes. */
  readonly out: string
  /** With so many turns that its tables are stored compressed, and JUnit is not compared. */
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
