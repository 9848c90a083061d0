// The notices of the packages whose code is in the bundle; their licences ask that they go with it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** `root` ends with a slash. Throws for a package that brings no licence, so that none goes out without. */
export function licencesOf(outputs: readonly Metafile['outputs'][string][], root: string): string {
  const files = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )
  const folders = new Set(
    files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []),
  )
  const notices = [...folders].map((folder) => noticeOf(join(root, folder)))
  return [...new Set(notices)].sort().join('\n')
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license: string
  }
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (file === undefined) throw new Error(`${name} brings no licence; its notice must go with the bundle`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
