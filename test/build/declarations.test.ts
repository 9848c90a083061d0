// Protects the declarations of the options in dist/: they say what each option is and its default, and the
// types are those that the source infers from the option table.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc')
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
}
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))

test('an option has a doc comment with its default, and the type of what it may hold', () => {
  const text = readFileSync(join(projectRoot, 'dist/options/written.d.ts'), 'utf8').replaceAll(
    /\s+(?:\* )?/g,
    ' ',
  )
  expect(text).toContain('Time limit of one attempt')
  expect(text).toMatch(/Default: 120s\. \*\/ readonly timeout\?: string \| number \| undefined;/)
  expect(text).toMatch(
    /After a lost answer, fail\.[^/]*Default: restart\. \*\/ readonly onAmbiguous\?: [^;]*restart/,
  )
})

test('the declarations have the keys and types that the source infers', () => {
  const path = (name: string): string => JSON.stringify(join(projectRoot, name))
  writeFileSync(
    join(folder, 'same.ts'),
    `import type { WrittenOptions as Declared } from ${path('dist/options/written.d.ts')}
import type { WrittenOptions as Inferred } from ${path('src/options/written.ts')}
type Keys<Options> = { readonly [Command in keyof Options]: keyof Options[Command] }
export const to = (all: Inferred, keys: Keys<Inferred>): [Declared, Keys<Declared>] => [all, keys]
export const from = (all: Declared, keys: Keys<Declared>): [Inferred, Keys<Inferred>] => [all, keys]
`,
  )
  writeFileSync(join(folder, 'same.json'), JSON.stringify({ compilerOptions, files: ['same.ts'] }))
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'same.json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, ''])
})
