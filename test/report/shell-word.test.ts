// Protects paths in printed commands: a shell reads the same path, and no program reads it as an option.
import { execFileSync } from 'node:child_process'
import { normalize } from 'node:path'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/report/escape.ts'

test.each(['plain/run-1', 'with space', "it's; $(touch x)", '-odd', '--json', '-odd one', '.', '/-root'])(
  '%s is quoted',
  (path) => {
    const seen = execFileSync('sh', ['-c', `printf %s ${shellWord(path)}`], { encoding: 'utf8' })
    expect(normalize(seen)).toBe(normalize(path))
    expect(seen).not.toMatch(/^-/)
  },
)
