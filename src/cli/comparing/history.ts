// Earlier runs that a comparison may learn from: which questions are flaky.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { countedOnce } from '../../analysis/history/counted-once.ts'
import type { JoinableRun } from '../../analysis/history/recorded-run.ts'
import { plural } from '../../domain/digits.ts'
import type { Manifest } from '../../domain/manifest.ts'
import { findRunFolders, type FoundFolders } from '../history/find-runs.ts'
import { readJoinable } from '../history/read-run.ts'
import { UsageError } from '../usage-error.ts'
import { openRun, type ComparedRun } from './compared-run.ts'

/** More would only cost time: what is flaky shows in fewer. */
const MOST_RUNS = 30

export interface History {
  /** Oldest first. */
  readonly runs: readonly ComparedRun[]
  readonly notes: readonly string[]
}

/**
 * `paths`: run folders, or folders of them, as deep as `history` looks. The runs that are compared, with their copies and parts, and
 * those that cannot be read, are passed over; so are later ones, and those of another organization than `newest`: another knowledge
 * base says nothing. A run counts once, as in a history. Throws UsageError where a path is no folder.
 */
export async function openHistory(
  paths: readonly string[],
  compared: readonly ComparedRun[],
  newest: ComparedRun,
): Promise<History> {
  if (paths.length === 0) return { runs: [], notes: [] }
  const { folders, closed } = searched(paths)
  const own = new Set(compared.flatMap(({ path }) => (existsSync(path) ? [realpathSync(path)] : [])))
  const ids = new Set(compared.flatMap(idsOf))
  const found: JoinableRun[] = []
  let [unreadable, elsewhere, inCompared] = [0, 0, 0]
  for (const folder of folders) {
    if (own.has(folder.path)) continue
    const run = await readJoinable(folder)
    if (run === undefined) unreadable += 1
    else if (ids.has(run.manifest.runId) || run.parts.some((id) => ids.has(id))) inCompared += 1
    else if (!isSameDesk(run.manifest, newest.manifest)) elsewhere += 1
    else found.push(run)
  }
  const standing = await openStanding(found, startOf(newest))
  const { runs } = standing
  const told = runs.length === 1 ? 'tells' : 'tell'
  return {
    runs,
    notes: [
      runs.length === 0
        ? 'history: no earlier run is there to tell which questions are flaky'
        : `history: ${plural(runs.length, 'earlier run')} ${told} which questions are flaky`,
      ...loneParts(standing.shards, newest),
      ...passedOver(unreadable + standing.unreadable, 'folder', ' without a run that can be read'),
      ...passedOver(elsewhere, 'run', ' of other organizations'),
      ...passedOver(
        inCompared + standing.doubled,
        'folder',
        ' whose answers another run has (parts of joined runs, copies)',
      ),
      ...passedOver(standing.later, 'run', ' begun after the candidate'),
      ...passedOver(standing.older, 'older run'),
      ...notSearched(closed),
    ],
  }
}

/** ISO 8601 in UTC, so that the order of texts is that of times. */
export const startOf = ({ manifest }: ComparedRun): string => manifest?.startedAt ?? ''

/** Under their own paths, each once. */
function searched(paths: readonly string[]): FoundFolders {
  const folders = new Map<string, FoundFolders['folders'][number]>()
  const closed: FoundFolders['closed'][number][] = []
  for (const path of paths) {
    if (!existsSync(path) || !statSync(path).isDirectory())
      throw new UsageError(`--history ${path} is no folder of a run, nor one of runs`)
    const found = findRunFolders(path)
    for (const folder of found.folders) {
      const real = realpathSync(folder.path)
      folders.set(real, { ...folder, path: real, name: real })
    }
    closed.push(...found.closed)
  }
  return { folders: [...folders.values()], closed }
}

const idsOf = ({ manifest }: ComparedRun): string[] =>
  manifest === undefined ? [] : [manifest.runId, ...(manifest.merged?.parts.map(({ runId }) => runId) ?? [])]

interface Standing {
  /** The last ones before the candidate, by start. */
  readonly runs: readonly ComparedRun[]
  /** Of those that are parts: which, like `1/2`. */
  readonly shards: readonly string[]
  readonly doubled: number
  readonly unreadable: number
  readonly later: number
  readonly older: number
}

/** A whole that cannot be opened leaves its place to its parts. */
async function openStanding(found: readonly JoinableRun[], before: string): Promise<Standing> {
  const opened = new Map<string, ComparedRun>()
  let known = found
  for (;;) {
    const { runs, doubled } = countedOnce(known)
    const earlier = runs.filter(({ manifest }) => manifest.startedAt < before)
    const taken = earlier.slice(-MOST_RUNS)
    const lost = new Set<string>()
    for (const { folder } of taken) {
      const run = opened.get(folder) ?? (await openReadable(folder))
      if (run === undefined) lost.add(folder)
      else opened.set(folder, run)
    }
    if (lost.size > 0) {
      known = known.filter(({ folder }) => !lost.has(folder))
      continue
    }
    const isTaken = new Set(taken.map(({ folder }) => folder))
    for (const [folder, run] of opened) if (!isTaken.has(folder)) run.close()
    return {
      runs: taken.flatMap(({ folder }) => opened.get(folder) ?? []),
      shards: taken.flatMap(({ shard }) => shard ?? []),
      doubled: doubled.length,
      unreadable: found.length - known.length,
      later: runs.length - earlier.length,
      older: earlier.length - taken.length,
    }
  }
}

async function openReadable(folder: string): Promise<ComparedRun | undefined> {
  try {
    return await openRun(folder)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** A sandbox has another port each time, and an organization that nobody named is called after its key, which is renewed. */
function isSameDesk({ target: some }: Manifest, other: Manifest | undefined): boolean {
  if (other === undefined) return false
  const { target } = other
  if (some.sandbox || target.sandbox) return some.sandbox === target.sandbox
  return some.organization === target.organization || some.baseUrl === target.baseUrl
}

/** Where shards are compared, earlier ones are what is wanted. */
function loneParts(shards: readonly string[], { manifest }: ComparedRun): string[] {
  if (shards.length === 0 || manifest?.shard !== undefined) return []
  const which = [...new Set(shards)].map((shard) => `shard ${shard}`).join(', ')
  const are = shards.length === 1 ? 'is a part of a run' : 'are parts of runs'
  return [`history: ${shards.length} of them ${are} whose whole is not there (${which})`]
}

const passedOver = (count: number, one: string, why = ''): string[] =>
  count === 0 ? [] : [`history: ${plural(count, one)}${why} passed over`]

function notSearched(closed: FoundFolders['closed']): string[] {
  const [first] = closed
  if (first === undefined) return []
  const more = closed.length > 1 ? `, and ${closed.length - 1} more like it` : ''
  return [`history: ${first.name} (${first.reason})${more}: passed over`]
}
