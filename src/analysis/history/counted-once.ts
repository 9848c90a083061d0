// Every call once: of a run that was copied the furthest folder stands, and what was joined stands in its whole.
import { compareTexts } from '../../domain/compare-texts.ts'
import type { LeftOut } from '../../domain/history/history.ts'
import { byStart, type RecordedRest, type RecordedRun } from './recorded-run.ts'
import { describeRest, isJoinedAlike, restOfPart, restOfWhole } from './since-joined.ts'

export interface CountedOnce {
  /** By start. */
  readonly runs: readonly RecordedRun[]
  readonly doubled: readonly LeftOut[]
  /** What folders that are left out asked after they were joined. */
  readonly rests: readonly RecordedRest[]
}

/** Takes what is left out. */
interface Gathered {
  readonly doubled: LeftOut[]
  readonly rests: RecordedRest[]
}

export function countedOnce(found: readonly RecordedRun[]): CountedOnce {
  const gathered: Gathered = { doubled: [], rests: [] }
  const { doubled, rests } = gathered
  const standing = withoutCopies(found, gathered)
  const here = new Set(standing.map(({ manifest }) => manifest.runId))
  const wholeOf = standingWholes(standing, here, gathered)
  const isLeftOut = new Set(doubled.map(({ folder }) => folder))
  const runs = standing.filter((run) => {
    if (isLeftOut.has(run.folder)) return false
    const whole = run.shard === null ? undefined : wholeOf.get(run.manifest.runId)
    if (whole === undefined) return true
    const rest = restOfPart(run, whole)
    if (rest !== undefined) rests.push(rest)
    doubled.push({ folder: run.folder, kind: 'part', reason: inWhole(run, whole, rest) })
    return false
  })
  return { runs, doubled, rests: rests.filter(({ usage }) => usage.quota.max > 0) }
}

function withoutCopies(found: readonly RecordedRun[], { doubled, rests }: Gathered): RecordedRun[] {
  const kept = new Map<string, RecordedRun>()
  for (const run of [...found].sort(furthestFirst)) {
    const { runId } = run.manifest
    const first = kept.get(runId)
    if (first === undefined) kept.set(runId, run)
    else if (isJoinedAlike(first, run))
      doubled.push({
        folder: run.folder,
        kind: 'copy',
        reason: `a copy of ${first.folder}: it has the same run id`,
      })
    else {
      const rest = restOfWhole(run)
      if (rest !== undefined) rests.push(rest)
      const reason = `joined of the same parts as ${first.folder}, when they had come less or further`
      doubled.push({ folder: run.folder, kind: 'part', reason: withRest(reason, rest) })
    }
  }
  return [...kept.values()].sort(byStart)
}

/** By the ids of the parts: the whole in which each stands. Where wholes share parts, one with most parts stands. */
function standingWholes(
  standing: readonly RecordedRun[],
  here: ReadonlySet<string>,
  { doubled, rests }: Gathered,
): ReadonlyMap<string, RecordedRun> {
  const wholeOf = new Map<string, RecordedRun>()
  const wholes = standing
    .filter(({ parts }) => parts.length > 0)
    .sort((some, other) => other.parts.length - some.parts.length || furthestFirst(some, other))
  for (const whole of wholes) {
    const shared = whole.parts.filter((id) => wholeOf.has(id))
    if (shared.length === 0) for (const id of whole.parts) wholeOf.set(id, whole)
    else {
      const rest = restOfWhole(whole)
      if (rest !== undefined) rests.push(rest)
      const reason = withRest(sharing(whole, shared, wholeOf, here), rest)
      doubled.push({ folder: whole.folder, kind: 'part', reason })
    }
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
function inWhole(
  { shard, manifest }: RecordedRun,
  { folder, manifest: joined }: RecordedRun,
  rest: RecordedRest | undefined,
): string {
  if (rest !== undefined && rest.usage.quota.max > 0)
    return `part ${shard} of ${folder}, asked further after it was joined: ${describeRest(rest)}, and its answers since in no figure; merge the parts anew`
  const wentOn =
    joined.endedAt !== null &&
    manifest.endedAt !== null &&
    Date.parse(manifest.endedAt) > Date.parse(joined.endedAt)
  return wentOn
    ? `part ${shard} of ${folder}, asked further after it was joined: what it asked since is not counted; merge the parts anew`
    : `part ${shard} of ${folder}, which has its figures`
}

const withRest = (reason: string, rest: RecordedRest | undefined): string =>
  rest === undefined || rest.usage.quota.max === 0 ? reason : `${reason}; ${describeRest(rest)}`

const furthestFirst = (some: RecordedRun, other: RecordedRun): number =>
  other.summary.quota.attempts - some.summary.quota.attempts ||
  endOf(other) - endOf(some) ||
  compareTexts(some.folder, other.folder)

/** A run that never ended is behind every one that has. */
const endOf = ({ manifest: { endedAt } }: RecordedRun): number => (endedAt === null ? 0 : Date.parse(endedAt))
