// `npm run build`: rebuilds the program and the page's script in dist.
import { chmodSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildProgram, PAGE_BUNDLE } from './bundles.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// dist/types stays: `npm run build:package` builds the declarations, which takes longer.
for (const name of ['cli', 'page', 'licences.txt'])
  rmSync(`${root}dist/${name}`, { recursive: true, force: true })
await buildProgram(root)
await build({ ...PAGE_BUNDLE, absWorkingDir: root })
chmodSync(`${root}dist/cli/main.js`, 0o755)
