// Earlier runs that a comparison may learn from: which questions are flaky.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { plural } from '../../domain/digits.ts'
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
 * `paths`: run folders, or folders of them. The runs that are compared, and those that cannot be read, are passed over; so are later
 * ones, and those of another organization than `newest`: another knowledge base says nothing. Throws UsageError where a path is no folder.
 */
export async function openHistory(
  paths: readonly string[],
  compared: readonly ComparedRun[],
  newest: ComparedRun,
): Promise<History> {
  const own = new Set(compared.flatMap(({ path }) => (existsSync(path) ? [realpathSync(path)] : [])))
  const folders = new Set(paths.flatMap(runFolders).map((path) => realpathSync(path)))
  const runs: ComparedRun[] = []
  let [unreadable, elsewhere, later] = [0, 0, 0]
  for (const folder of folders) {
    if (own.has(folder)) continue
    const run = await openRun(folder).catch((error: unknown) => {
      if (error instanceof UsageError) return undefined
      throw error
    })
    if (run === undefined) unreadable += 1
    else if (!isSameDesk(run, newest)) elsewhere += 1
    else if (startOf(run) >= startOf(newest)) later += 1
    else {
      runs.push(run)
      continue
    }
    run?.close()
  }
  const inOrder = runs.sort((some, other) => (startOf(some) < startOf(other) ? -1 : 1))
  const taken = inOrder.slice(-MOST_RUNS)
  for (const run of inOrder.slice(0, -MOST_RUNS)) run.close()
  const passedOver = (count: number, one: string, why = ''): string[] =>
    count === 0 ? [] : [`history: ${plural(count, one)}${why} passed over`]
  const told = taken.length === 1 ? 'tells' : 'tell'
  return {
    runs: taken,
    notes: [
      ...(taken.length === 0
        ? []
        : [`history: ${plural(taken.length, 'earlier run')} ${told} which questions are flaky`]),
      ...passedOver(unreadable, 'folder', ' without a run that can be read'),
      ...passedOver(elsewhere, 'run', ' of other organizations'),
      ...passedOver(later, 'run', ' begun after the candidate'),
      ...passedOver(inOrder.length - taken.length, 'older run'),
    ],
  }
}

/** A sandbox has another port each time, and an organization that nobody named is called after its key, which is renewed. */
function isSameDesk({ manifest: some }: ComparedRun, { manifest: other }: ComparedRun): boolean {
  if (some === undefined || other === undefined) return false
  if (some.target.sandbox || other.target.sandbox) return some.target.sandbox === other.target.sandbox
  return (
    some.target.organization === other.target.organization || some.target.baseUrl === other.target.baseUrl
  )
}

/** ISO 8601 in UTC, so that the order of texts is that of times. */
export const startOf = ({ manifest }: ComparedRun): string => manifest?.startedAt ?? ''

function runFolders(path: string): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new UsageError(`--history ${path} is no folder of a run, nor one of runs`)
  if (existsSync(join(path, 'run.json'))) return [path]
  return readdirSync(path)
    .map((name) => join(path, name))
    .filter((folder) => existsSync(join(folder, 'run.json')))
}
