// Every call once: of a run that was copied the furthest folder stands, and what was joined stands in its whole.
import { compareTexts } from '../../domain/compare-texts.ts'
import type { LeftOut } from '../../domain/history/history.ts'
import { byStart, type RecordedRun } from './recorded-run.ts'

export interface CountedOnce {
  /** By start. */
  readonly runs: readonly RecordedRun[]
  readonly doubled: readonly LeftOut[]
}

export function countedOnce(found: readonly RecordedRun[]): CountedOnce {
  const doubled: LeftOut[] = []
  const standing = withoutCopies(found, doubled)
  const here = new Set(standing.map(({ manifest }) => manifest.runId))
  const wholeOf = standingWholes(standing, here, doubled)
  const isLeftOut = new Set(doubled.map(({ folder }) => folder))
  const runs = standing.filter((run) => {
    if (isLeftOut.has(run.folder)) return false
    const whole = run.shard === null ? undefined : wholeOf.get(run.manifest.runId)
    if (whole !== undefined) doubled.push({ folder: run.folder, kind: 'part', reason: inWhole(run, whole) })
    return whole === undefined
  })
  return { runs, doubled }
}

function withoutCopies(found: readonly RecordedRun[], doubled: LeftOut[]): RecordedRun[] {
  const kept = new Map<string, RecordedRun>()
  for (const run of [...found].sort(furthestFirst)) {
    const { runId } = run.manifest
    const first = kept.get(runId)
    if (first === undefined) kept.set(runId, run)
    else
      doubled.push({
        folder: run.folder,
        kind: 'copy',
        reason: `a copy of ${first.folder}: it has the same run id`,
      })
  }
  return [...kept.values()].sort(byStart)
}

/** By the ids of the parts: the whole in which each stands. Where wholes share parts, one with most parts stands. */
function standingWholes(
  standing: readonly RecordedRun[],
  here: ReadonlySet<string>,
  doubled: LeftOut[],
): ReadonlyMap<string, RecordedRun> {
  const wholeOf = new Map<string, RecordedRun>()
  const wholes = standing
    .filter(({ parts }) => parts.length > 0)
    .sort((some, other) => other.parts.length - some.parts.length || furthestFirst(some, other))
  for (const whole of wholes) {
    const shared = whole.parts.filter((id) => wholeOf.has(id))
    if (shared.length === 0) for (const id of whole.parts) wholeOf.set(id, whole)
    else doubled.push({ folder: whole.folder, kind: 'part', reason: sharing(whole, shared, wholeOf, here) })
  }
  return wholeOf
}

function sharing(
  { parts }: RecordedRun,
  shared: readonly string[],
  wholeOf: ReadonlyMap<string, RecordedRun>,
  here: ReadonlySet<string>,
): string {
  const where = [...new Set(shared.flatMap((id) => wholeOf.get(id)?.folder ?? []))].sort(compareTexts)
  const inThem = where.join(', ')
  if (shared.length === parts.length) return `joined of parts that all stand in ${inThem}, too`
  const lost = parts.filter((id) => !wholeOf.has(id) && !here.has(id)).length
  const others =
    lost === 0
      ? 'its other parts stand alone'
      : `calls of ${lost} of its other parts are not counted, as their folders are not here`
  return `joined of parts some of which stand in ${inThem}, too: left out, so that no call counts twice; ${others}`
}

/** A joined run ends when the last of its parts does: a part that ends later went on after it was joined. */
function inWhole({ shard, manifest }: RecordedRun, { folder, manifest: joined }: RecordedRun): string {
  const wentOn =
    joined.endedAt !== null &&
    manifest.endedAt !== null &&
    Date.parse(manifest.endedAt) > Date.parse(joined.endedAt)
  return wentOn
    ? `part ${shard} of ${folder}, asked further after it was joined: what it asked since is not counted; merge the parts anew`
    : `part ${shard} of ${folder}, which has its figures`
}

const furthestFirst = (some: RecordedRun, other: RecordedRun): number =>
  other.summary.quota.attempts - some.summary.quota.attempts ||
  endOf(other) - endOf(some) ||
  compareTexts(some.folder, other.folder)

/** A run that never ended is behind every one that has. */
const endOf = ({ manifest: { endedAt } }: RecordedRun): number => (endedAt === null ? 0 : Date.parse(endedAt))
