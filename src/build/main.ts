// `npm run build`: compiles the program into dist, and bundles the page's script and style.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { PAGE_BUNDLE } from './page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

rmSync(join(root, 'dist'), { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', 'src/tsconfig.json'], { cwd: root, stdio: 'inherit' })
await build({ ...PAGE_BUNDLE, absWorkingDir: root })
chmodSync(join(root, 'dist/cli/main.js'), 0o755)
