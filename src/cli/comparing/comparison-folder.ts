// Where a comparison is written unless it was said: beside the runs, in a folder of its own.
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** `reports/2026-11-20T12-31-05Z-compare-nightly`, after the last candidate, with a number behind it where that is taken. */
export function comparisonFolder(paths: readonly string[], now: Date): string {
  const time = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const name = basename(resolve(paths.at(-1) ?? '')).replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
  const path = join('reports', `${time}-compare-${name.slice(0, 60)}`)
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${path}-${number}`
    if (!existsSync(candidate)) return candidate
  }
}
