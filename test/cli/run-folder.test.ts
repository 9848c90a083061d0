// Which folders `--out` accepts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseTaken } from '../../src/cli/run-folder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const LEFT = ['lock', 'lock.4711.0a1b2c', 'run.json.4711.tmp']
const folder = temporaryFolder()
let made = 0

test.each<[string, readonly string[], RegExp | undefined]>([
  ['what a killed start has left', LEFT, undefined],
  ['the same of several targets', ['production/lock', 'production/run.json.4711.tmp', 'staging/'], undefined],
  ['a run', [...LEFT, 'run.json'], /holds a run already/],
  ['a run of several targets', ['production/run.json'], /is not empty/],
  ['a journal', ['journal.ndjson'], /holds a run already/],
  ["somebody's file", [...LEFT, 'notes.txt'], /is not empty/],
  ["somebody's file, deeper", ['lock', 'mine/notes.txt'], /is not empty/],
])('a folder that holds %s', (_, names, refused) => {
  const out = join(folder, `out-${(made += 1)}`)
  for (const name of names) {
    mkdirSync(dirname(join(out, `${name}.`)), { recursive: true })
    if (!name.endsWith('/')) writeFileSync(join(out, name), '')
  }
  if (refused === undefined) expect(() => refuseTaken(out)).not.toThrow()
  else expect(() => refuseTaken(out)).toThrow(refused)
})
