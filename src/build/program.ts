// How esbuild joins our own files: Node 20 takes about a millisecond to load a module, and a run needs 165
// before its first call. Packages stay in `node_modules`; what a command alone needs is a chunk.
import type { BuildOptions } from 'esbuild'

export const PROGRAM_BUNDLE: BuildOptions = {
  // `program` and `screen` for test/support/resident.mjs.
  entryPoints: ['src/cli/main.ts', 'src/cli/program.ts', 'src/cli/screen.ts', 'src/library/index.ts'],
  outbase: 'src',
  outdir: 'dist',
  // As deep as every source file that names a file of the package: library/ports.ts.
  chunkNames: 'chunks/[name]-[hash]',
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
