// What esbuild bundles for a browser: script and style of the report page, and of the workbench.
import { readFileSync } from 'node:fs'
import type { BuildOptions } from 'esbuild'

/** Lists what the page bundles; `test/build/package.test.ts` compares it with what esbuild takes. */
export const PAGE_PACKAGES: readonly string[] = ['preact', 'diff']
export const WORKBENCH_PACKAGES: readonly string[] = [
  ...PAGE_PACKAGES,
  'd3-array',
  'd3-color',
  'd3-format',
  'd3-interpolate',
  'd3-path',
  'd3-scale',
  'd3-shape',
  'd3-time',
  'd3-time-format',
  'hono',
]

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
  banner: { js: licencesOf(PAGE_PACKAGES) },
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
}

export const WORKBENCH_BUNDLE: BuildOptions = {
  ...PAGE_BUNDLE,
  entryPoints: [
    { in: 'src/workbench/client/main.tsx', out: 'client' },
    { in: 'src/workbench/client/workbench.css', out: 'client' },
  ],
  outdir: 'dist/workbench',
  banner: { js: licencesOf(WORKBENCH_PACKAGES) },
}

function licencesOf(packages: readonly string[]): string {
  const byText = new Map<string, string[]>()
  for (const name of packages) {
    const file = new URL(`../../node_modules/${name}/LICENSE`, import.meta.url)
    const text = readFileSync(file, 'utf8').trim()
    byText.set(text, [...(byText.get(text) ?? []), name])
  }
  const parts = [...byText].map(([text, names]) => `${names.join(', ')}\n\n${text}`)
  return `/*\n${parts.join('\n\n---\n\n')}\n*/`
}
