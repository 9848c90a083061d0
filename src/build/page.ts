// What esbuild bundles for a browser: script and style of the report page, and of the workbench.
import type { BuildOptions } from 'esbuild'

/** The page's script and its style, one bundle each. `target`: the oldest browsers that run it. */
export const PAGE_BUNDLE: BuildOptions = {
  entryPoints: ['src/page/main.tsx', 'src/page/page.css'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outdir: 'dist/page',
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome123', 'firefox125', 'safari17.5'],
  // The page holds its licences itself, because people mail it as a single file.
  banner: {
    js: '/* Preact, Copyright (c) 2015-present Jason Miller, MIT; parts of jsdiff, Copyright (c) 2009-2015 Kevin Decker, BSD-3-Clause */',
  },
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
}

/** Script and style of the workbench, which its server serves as they are. */
export const WORKBENCH_BUNDLE: BuildOptions = {
  ...PAGE_BUNDLE,
  entryPoints: [
    { in: 'src/workbench/client/main.tsx', out: 'client' },
    { in: 'src/workbench/client/workbench.css', out: 'client' },
  ],
  outdir: 'dist/workbench',
}
