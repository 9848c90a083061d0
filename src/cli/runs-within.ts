// A folder that holds runs in folders of their own is no run: a run of several targets has a folder for each.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { plural } from '../domain/digits.ts'
import { manifestAt, runFolder } from './run-folder.ts'
import { UsageError } from '../library/usage-error.ts'
import { isFile } from './is-file.ts'

const MOST_NAMED = 5

/** Names of the folders, in their order; none where the path is a run itself, or a file. */
function runsWithin(path: string): string[] {
  if (!existsSync(path) || isFile(path) || isRun(path)) return []
  return readdirSync(path)
    .filter((name) => isRun(join(path, name)))
    .toSorted()
}

const isRun = (path: string): boolean => existsSync(runFolder(path).manifest)

/** Throws UsageError. */
export function refuseFolderOfRuns(path: string): void {
  const names = runsWithin(path)
  const [first] = names
  if (first === undefined) return
  throw new UsageError(
    `${path} holds ${describeRuns(path, names)}: name one of them, like ${join(path, first)}`,
  )
}

/** Throws UsageError with the first few, for a command that takes one alone. */
export function refuseMoreThanOneRun(path: string, isMeant: (name: string) => boolean = () => true): void {
  const all = runsWithin(path)
  if (all.length === 0) return
  const others = all.filter(isMeant)
  const names = others.length === 0 ? all : others
  const first = names.slice(0, MOST_NAMED).map((name) => join(path, name))
  const list = [...first, ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ')
  throw new UsageError(
    `${path} holds no run of its own, but ${describeRuns(path, all)}: name one of them: ${list}`,
  )
}

/** Throws UsageError, for parts that are to be joined. */
export function refuseFoldersOfParts(path: string): void {
  const names = runsWithin(path)
  const [first] = names
  if (first === undefined) return
  const mend = isOfTargets(path, names)
    ? 'merge each alone, naming the folders of its parts'
    : 'name the folders of the parts themselves'
  const part = names.find((name) => manifestAt(join(path, name))?.shard !== undefined) ?? first
  throw new UsageError(`${path} holds ${describeRuns(path, names)}: ${mend}, like ${join(path, part)}`)
}

const describeRuns = (path: string, names: readonly string[]): string =>
  isOfTargets(path, names)
    ? 'runs of several targets'
    : `${plural(names.length, 'run')} in ${names.length === 1 ? 'a folder of its' : 'folders of their'} own`

/** `paths`: the runs to compare. Throws UsageError that says which ones belong together, where their names say it. */
export function refuseFoldersOfRuns(paths: readonly string[]): void {
  const within = paths.map((path) => ({ path, names: runsWithin(path) }))
  const holding = within.filter(({ names }) => names.length > 0)
  const [first, ...others] = holding
  if (first === undefined) return
  const named = first.names.filter((name) => others.every(({ names }) => names.includes(name)))
  // A run beside them, of one target, goes with the one of that target.
  const beside = within.flatMap(({ path, names }) => (names.length > 0 ? [] : (targetOf(path) ?? [])))
  const common = named.filter((name) => beside.every((target) => target === name))
  const [target] = common
  if (target === undefined || !holding.every(({ path, names }) => isOfTargets(path, names)))
    return refuseFolderOfRuns(first.path)
  const each = within.map(({ path, names }) => (names.length > 0 ? join(path, target) : path))
  const [baseline = '', ...candidates] = each
  if (new Set(each.map((path) => resolve(path))).size < each.length)
    return refuseMoreThanOneRun(first.path, (name) => !each.includes(join(first.path, name)))
  const rest =
    common.length === 1
      ? ''
      : `, and so each target of its own (${common.slice(0, MOST_NAMED).join(', ')}${common.length > MOST_NAMED ? ', …' : ''})`
  throw new UsageError(
    `${holding.map(({ path }) => path).join(' and ')} ${holding.length === 1 ? 'holds' : 'hold'} runs of several targets: ` +
      `compare ${baseline} with ${candidates.join(' and ')}${rest}`,
  )
}

const isOfTargets = (path: string, names: readonly string[]): boolean =>
  names.every((name) => targetOf(join(path, name)) === name)

const targetOf = (path: string): string | undefined => manifestAt(path)?.target.name
