// Protects the package: its contents, that it installs alone, and that README, types, declarations and schemas match the
// program.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { PAGE_BUNDLE, PAGE_PACKAGES, WORKBENCH_BUNDLE, WORKBENCH_PACKAGES } from '../../src/build/page.ts'
import { makeSchemas } from '../../src/build/schemas.ts'
import { projectRoot, runCommand } from '../support/program.ts'
import { blocksOf, readmeQuestions } from '../support/readme-blocks.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
/** Largest size of the tarball: compiled files with their source maps and declarations. */
const MOST_BYTES = 1_200_000

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>>
}
interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}
let packed: Packed
const tsc = join(projectRoot, 'node_modules/.bin/tsc')

beforeAll(() => {
  // npm's other scripts would rebuild files that other tests are using.
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [only] = JSON.parse(execFileSync('npm', words, { cwd: projectRoot, encoding: 'utf8' })) as [Packed]
  packed = only
})

test('the schemas of this checkout are current (npm run build:package makes them)', () => {
  for (const [name, text] of makeSchemas())
    expect(readFileSync(join(projectRoot, 'schemas', name), 'utf8'), name).toBe(text)
})

describe('the tarball', () => {
  test('holds the program, its datasets, docs and schemas, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path)
    const allowed = [
      /^(?:package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE)$/,
      /^dist\/(?:[\w/-]+\.(?:js|js\.map|d\.ts)|page\/page\.css|workbench\/client\.css)$/,
      /^datasets\/[\w-]+\.(?:csv|md|yaml)$/,
      /^docs\/(?:[\w-]+\/)?[\w-]+\.md$/,
      /^docs\/(?:grafana-dashboard\.json|nightly\.yaml)$/,
      /^datasets\/knowledge-base\/[\w-]+\.md$/,
      /^schemas\/[\w-]+\.schema\.json$/,
    ]
    expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([])
    const sets = readdirSync(join(projectRoot, 'datasets')).filter((name) => name.endsWith('.csv'))
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'SECURITY.md',
        'README.md',
        'dist/cli/main.js',
        'dist/library/index.js',
        'dist/library/index.d.ts',
        'dist/page/main.js',
        ...[...makeSchemas().keys()].map((name) => `schemas/${name}`),
        ...sets.map((name) => `datasets/${name}`),
      ]),
    )
  })

  test('runs nothing when it is installed, itself or by what it needs', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Manifest
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([])
    const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as Lock
    const needed = Object.entries(lock.packages).filter(([name, { dev }]) => name !== '' && dev !== true)
    expect(needed.length).toBeGreaterThan(30)
    expect(needed.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([])
  })

  test('is small', () => {
    expect(packed.size).toBeLessThan(MOST_BYTES)
  })
})

test.each([
  ['page', PAGE_BUNDLE, PAGE_PACKAGES],
  ['workbench', WORKBENCH_BUNDLE, WORKBENCH_PACKAGES],
])('the script of the %s holds the licence of each package in it', async (_, bundle, packages) => {
  const { metafile, outputFiles } = await build({
    ...bundle,
    absWorkingDir: projectRoot,
    write: false,
    metafile: true,
  })
  const inputs = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs: all }) => Object.entries(all))
  const names = inputs.flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 && path.includes('node_modules/') ? [path.split('node_modules/')[1] ?? ''] : [],
  )
  const bundled = new Set(
    names.map((path) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  )
  expect([...bundled].toSorted()).toEqual([...packages].toSorted())
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
  for (const name of packages) {
    const licence = readFileSync(join(projectRoot, 'node_modules', name, 'LICENSE'), 'utf8').trim()
    expect(script.includes(licence), name).toBe(true)
  }
})

describe('the package installed in an empty folder', () => {
  const empty = join(folder, 'empty')
  let said = ''

  beforeAll(() => {
    mkdirSync(empty)
    writeFileSync(join(empty, 'package.json'), '{ "private": true, "version": "1.0.0", "type": "module" }')
    // As the README says, whatever the clone is called.
    const path = blocksOf('README.md').flatMap(({ text }) => /^npm install (\S+)/m.exec(text)?.[1] ?? [])[0]
    const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', path ?? '']
    const { status, stderr } = spawnSync('npm', words, { cwd: empty, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    said = stderr
  }, 300_000)

  test('warns of nothing, such as scripts that would run', () => {
    expect(said).not.toContain('warn')
  })

  test('brings no development dependencies', () => {
    const installed = readdirSync(join(empty, 'node_modules'))
    expect(installed).toEqual(expect.arrayContaining(['assist-harness', 'undici', 'yargs']))
    expect(['tsx', 'typescript', 'vitest'].filter((name) => installed.includes(name))).toEqual([])
  })

  test("is what npm's bill of materials names: every package stands in dependencies", () => {
    const words = ['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx']
    const { components } = JSON.parse(execFileSync('npm', words, { cwd: empty, encoding: 'utf8' })) as {
      readonly components: readonly { readonly name: string; readonly version: string }[]
    }
    const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Manifest
    for (const [name, version] of Object.entries(dependencies))
      expect(components).toContainEqual(expect.objectContaining({ name, version }))
  })

  test('runs the first recipe of the README as pasted, with npx; cli/docs.test.ts runs all', async () => {
    writeFileSync(join(empty, 'questions.csv'), readmeQuestions())
    const first = blocksOf('README.md').find(
      ({ language, text, notRun }) =>
        language === 'sh' && notRun === undefined && text.includes('run questions.csv'),
    )
    const { code, stderr } = await runCommand('bash', ['-ec', first?.text ?? 'exit 9'], { cwd: empty })
    expect(code, stderr).toBe(0)
  }, 600_000)

  test("runs the library's first example; all compile with the shipped types alone", async () => {
    const blocks = blocksOf('docs/reference/library.md').filter(({ language }) => language === 'ts')
    const [program = '', ...others] = blocks.map(({ text }) => text)
    expect(program).toContain("from 'assist-harness'")
    expect(program.split('\n').length).toBeLessThanOrEqual(26)
    // Lines that must not compile are marked.
    const uses = readFileSync(new URL('uses-of-types.txt', import.meta.url), 'utf8')
    const compilers = { nodenext: 'nodenext', bundler: 'esnext' }
    for (const [moduleResolution, module] of Object.entries(compilers)) {
      writeFileSync(join(empty, 'example.ts'), `${program}\n${uses}`)
      const files = ['example.ts', ...others.map((_, index) => `other-${index}.ts`)]
      for (const [index, text] of others.entries()) writeFileSync(join(empty, `other-${index}.ts`), text)
      const own = { module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'], types: [] }
      const compilerOptions = { ...own, strict: true, skipLibCheck: true, exactOptionalPropertyTypes: true }
      writeFileSync(join(empty, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      const { status, stdout } = spawnSync(tsc, ['-p', '.', '--noEmit'], { cwd: empty, encoding: 'utf8' })
      expect([status, stdout], moduleResolution).toEqual([0, ''])
    }
    writeFileSync(join(empty, 'example.mjs'), program)
    const ran = await runCommand(process.execPath, ['example.mjs'], { cwd: empty })
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toMatch(/^a gap: /m)
    expect(ran.stdout).toMatch(/^passed /m)
  })
})

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
