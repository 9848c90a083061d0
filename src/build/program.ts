// The program as a bundle in dist/cli: it starts in half the time, as one file is read where there were hundreds.
import { writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { licencesOf } from './licences.ts'
import { onlyConnections, onlySingleBytes, patientWidths } from './trimming.ts'

/** `root` ends with a slash. */
export async function buildProgram(root: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts', index: 'src/library/index.ts' },
    outdir: 'dist/cli',
    // What a command alone needs stays in files of its own, beside the first: `../page` and `../../datasets` hold for all.
    splitting: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // A histogram that brings its WebAssembly, of which one
    // function is used at the end of a load test.
    external: ['hdr-histogram-js'],
    // CommonJS packages ask for Node's own modules by `require`, which a module has not.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url)",
    },
    plugins: [onlyConnections, onlySingleBytes, patientWidths],
    // A quarter less to read at each start; names stay, for who reads a stack.
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  writeFileSync(`${root}dist/licences.txt`, licencesOf(Object.values(metafile.outputs), root))
}
