// How esbuild joins our own files: Node 20 takes about half a millisecond to load a module, and a run needs
// 165 before its first call. Packages stay in `node_modules`; what a command alone needs is a chunk.
import { dirname, join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'

/**
 * Lets every late import share the code that a run needs before its first call. esbuild makes a chunk for
 * each set of entries that share a file, and a late import is an entry: a run would load 54 chunks, not 18.
 */
const joined: Plugin = {
  name: 'joined',
  setup: (build) => {
    const needed = join(build.initialOptions.absWorkingDir ?? '', 'src/library/run.ts')
    build.onResolve({ filter: /^\./ }, ({ kind, importer, path, resolveDir }) =>
      kind === 'dynamic-import' && !/cli.(main|program)/.test(importer)
        ? { path: join(resolveDir, path), namespace: 'late' }
        : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
      const [run, late] = [needed, path].map((file) => JSON.stringify(file))
      return {
        contents: `export * as neededByRun from ${run}; export * from ${late}`,
        resolveDir: dirname(path),
      }
    })
  },
}

export const PROGRAM_BUNDLE: BuildOptions = {
  // `program` and `screen` for test/support/resident.mjs.
  entryPoints: ['src/cli/main.ts', 'src/cli/program.ts', 'src/cli/screen.ts', 'src/library/index.ts'],
  outbase: 'src',
  outdir: 'dist',
  // As deep as every source file that names a file of the package: library/ports.ts.
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [joined],
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  sourcemap: true,
  sourcesContent: false,
  charset: 'utf8',
  logLevel: 'warning',
}
