// A path as a word of a command: a shell makes the same path of it, and no program takes it for an option.
import { execFileSync } from 'node:child_process'
import { normalize } from 'node:path'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/report/escape.ts'

test.each(['plain/run-1', 'with space', "it's; $(touch x)", '-odd', '--json', '-odd one', '.', '/-root'])(
  '%s',
  (path) => {
    const seen = execFileSync('sh', ['-c', `printf %s ${shellWord(path)}`], { encoding: 'utf8' })
    expect(normalize(seen)).toBe(normalize(path))
    expect(seen).not.toMatch(/^-/)
  },
)
