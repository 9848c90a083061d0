// One module of the sources as a file that a process of the test's own imports; the build has no file for each.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { projectRoot } from './program.ts'

/** `source` counts from `src/`. Returns the address to import. */
export async function oneModule(source: string, folder: string): Promise<string> {
  const outfile = join(folder, source.replaceAll('/', '-').replace(/\.ts$/, '.mjs'))
  await build({
    entryPoints: [join(projectRoot, 'src', source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
  })
  return pathToFileURL(outfile).href
}
