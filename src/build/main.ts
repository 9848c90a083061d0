// `npm run build`: everything that the package ships, made anew in dist.
import { chmodSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { PAGE_BUNDLE } from './page.ts'
import { buildProgram } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

rmSync(`${root}dist`, { recursive: true, force: true })
await buildProgram(root)
await build({ ...PAGE_BUNDLE, absWorkingDir: root })
chmodSync(`${root}dist/cli/main.js`, 0o755)
