// Memory of large inputs: by default V8 lets the heap grow to several times what is in use.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** Makes frequent garbage collection worth its time: so many bytes of input are about 10,000 turns. */
const LARGE = 2 ** 22

export function limitHeapGrowth(paths: readonly string[]): void {
  if (paths.reduce((sum, path) => sum + bytesOf(path), 0) < LARGE) return
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--semi-space-growth-factor=1')
}

function bytesOf(path: string): number {
  const stat = existsSync(path) ? statSync(path) : undefined
  if (stat?.isDirectory() !== true) return stat?.size ?? 0
  const journals = readdirSync(path).filter((name) => name.endsWith('.ndjson'))
  return journals.reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
}
