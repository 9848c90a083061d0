// What esbuild bundles: the program and the page.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type BuildOptions, type Metafile } from 'esbuild'
import { undiciClient, noDoubleByteEncodings, lazyStringWidth } from './plugins.ts'

/** Into dist/cli. It starts in half the time: Node reads a few files instead of hundreds. `root` ends with a slash. */
export async function buildProgram(root: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts', index: 'src/library/index.ts' },
    outdir: 'dist/cli',
    // Commands load their own chunks. All chunks are in one folder, so `../page` and `../../datasets` work from each.
    splitting: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // It contains WebAssembly, and a load test needs only one function of it, at its end.
    external: ['hdr-histogram-js'],
    // CommonJS packages load Node's modules with `require`, which ES modules do not define.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url)",
    },
    plugins: [undiciClient, noDoubleByteEncodings, lazyStringWidth],
    // A quarter less to read at each start. Identifiers are kept for readable stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  writeFileSync(`${root}dist/licences.txt`, collectLicences(Object.values(metafile.outputs), root))
}

/** The notices of the packages whose code is in the bundle. Throws Error for a package without a licence file. */
function collectLicences(outputs: readonly Metafile['outputs'][string][], root: string): string {
  const files = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )
  const folders = new Set(
    files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []),
  )
  const notices = [...folders].map((folder) => licenceNotice(join(root, folder)))
  return [...new Set(notices)].sort().join('\n')
}

function licenceNotice(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(text) as Record<'name' | 'version' | 'license', string>
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (file === undefined) throw new Error(`${name} has no licence file; the bundle must ship its notice`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

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
