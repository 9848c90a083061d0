// The report page's own script and style as one bundle each, for browsers of the last years.
import type { BuildOptions } from 'esbuild'

export const PAGE_BUNDLE: BuildOptions = {
  entryPoints: ['src/page/main.tsx', 'src/page/page.css'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outdir: 'dist/page',
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome123', 'firefox125', 'safari17.5'],
  // The licence of what is in it stands in the page itself: a page is mailed alone.
  banner: {
    js: '/* Preact, Copyright (c) 2015-present Jason Miller, MIT; parts of jsdiff, Copyright (c) 2009-2015 Kevin Decker, BSD-3-Clause */',
  },
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
}
