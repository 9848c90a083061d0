// `npm run build`: the program, its declarations, and the page's script and style, into dist.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { declareWrittenOptions, WRITTEN_OPTIONS } from './declarations.ts'
import { PAGE_BUNDLE, WORKBENCH_BUNDLE } from './page.ts'
import { PROGRAM_BUNDLE } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const [dist, previous] = [join(root, 'dist'), join(root, 'dist.previous')]

rmSync(previous, { recursive: true, force: true })
if (existsSync(dist)) renameSync(dist, previous)
try {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'src/tsconfig.json'], { cwd: root, stdio: 'inherit' })
  writeFileSync(join(root, WRITTEN_OPTIONS), declareWrittenOptions())
  for (const bundle of [PROGRAM_BUNDLE, PAGE_BUNDLE, WORKBENCH_BUNDLE])
    await build({ ...bundle, absWorkingDir: root })
  chmodSync(join(dist, 'cli/main.js'), 0o755)
} catch (error) {
  // A type error leaves the program that was there: tests and commands would fail for another reason.
  rmSync(dist, { recursive: true, force: true })
  if (existsSync(previous)) renameSync(previous, dist)
  throw error
}
rmSync(previous, { recursive: true, force: true })
