// `npm run build`: everything that the package ships, made anew in dist.
import { chmodSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { PAGE_BUNDLE } from './page.ts'
import { buildProgram } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// The declarations beside them take longer, and are made for the package alone.
for (const made of ['cli', 'page', 'licences.txt'])
  rmSync(`${root}dist/${made}`, { recursive: true, force: true })
await buildProgram(root)
await build({ ...PAGE_BUNDLE, absWorkingDir: root })
chmodSync(`${root}dist/cli/main.js`, 0o755)
