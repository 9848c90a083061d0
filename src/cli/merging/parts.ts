// The run folders that are to be joined: parts of one run each, done with, and none of them twice.
import { realpathSync } from 'node:fs'
import type { Manifest } from '../../domain/manifest.ts'
import { describePart, type Shard } from '../../domain/shard.ts'
import { refuseFoldersOfParts } from '../runs-within.ts'
import { holderOf } from '../folder-lock.ts'
import { refuseLoadTest } from '../load/refuse-load.ts'
import { readManifest, runFolder, type RunFolder } from '../run-folder.ts'
import { UsageError } from '../../library/usage-error.ts'

export interface Part {
  readonly folder: RunFolder
  readonly manifest: Manifest
  readonly shard: Shard
}

/** In the order of the parts. Throws UsageError for what is no part, or is still being asked. */
export function openParts(paths: readonly string[]): readonly [Part, ...Part[]] {
  const parts = paths.map((path) => openPart(path))
  const byNumber = new Map<string, Part>()
  for (const part of parts) {
    const name = describePart(part.shard)
    const other = byNumber.get(name)
    if (other !== undefined)
      throw new UsageError(
        `${other.folder.path} and ${part.folder.path} are both ${name}${howTwice(other, part)}: name one of them`,
      )
    byNumber.set(name, part)
  }
  const [first, ...rest] = parts.toSorted((a, b) => a.shard.index - b.shard.index)
  if (first === undefined) throw new UsageError('merge needs the run folders of all parts of one run')
  return [first, ...rest]
}

/** As far as any part knows it: one that took a changed set on with a sample does not. */
export const wholeOf = (parts: readonly Pick<Part, 'shard'>[]): Shard['whole'] =>
  parts.find(({ shard }) => shard.whole !== null)?.shard.whole ?? null

/** Numbers of the parts that are not there. */
export function missingOf(parts: readonly { readonly shard: Pick<Shard, 'index' | 'of'> }[]): number[] {
  const present = new Set(parts.map(({ shard }) => shard.index))
  const numbers = Array.from({ length: parts[0]?.shard.of ?? 0 }, (_, place) => place + 1)
  return numbers.filter((one) => !present.has(one))
}

function howTwice(one: Part, other: Part): string {
  if (realpathSync(one.folder.path) === realpathSync(other.folder.path)) return ''
  return one.manifest.runId === other.manifest.runId ? ', one a copy of the other' : ', asked twice'
}

function openPart(path: string): Part {
  const folder = runFolder(path)
  refuseFoldersOfParts(path)
  const manifest = readManifest(folder)
  refuseLoadTest(manifest, path, 'load tests are not joined; each has its own report')
  const { shard, merged, state } = manifest
  if (merged !== undefined)
    throw new UsageError(`${path} is joined already: name the folders of the parts that it was made of`)
  if (shard === undefined)
    throw new UsageError(`${path} is a whole run, asked without --shard: there is nothing to join it with`)
  const holder = holderOf(path)
  if (holder !== undefined)
    throw new UsageError(
      `${holder} is still asking ${describePart(shard)} (${path}): wait for it, or stop it`,
    )
  if (state === 'running')
    throw new UsageError(
      `${describePart(shard)} (${path}) did not come to its end: its process died, or its disk was full. Finish it with run --resume ${path}`,
    )
  return { folder, manifest, shard }
}
