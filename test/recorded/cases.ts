// The recorded cases of cases.txt: folder, command and output folder.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const recordedFolder = fileURLToPath(new URL('.', import.meta.url))

export type RecordedCase = (typeof RECORDED_CASES)[number]

/**
 * `name`: the folder here that holds the expected files; `of`: the one that holds the recorded runs; `out`: into which
 * the command writes. The tables of large ones are stored compressed, and their JUnit is not compared.
 */
export const RECORDED_CASES = readFileSync(join(recordedFolder, 'cases.txt'), 'utf8')
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
