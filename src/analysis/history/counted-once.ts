// Every call once: of a run that was copied the furthest folder stands, and what was joined stands in its whole.
import { compareTexts } from '../../domain/compare-texts.ts'
import { digits } from '../../domain/digits.ts'
import type { LeftOut } from '../../domain/history/history.ts'
import { byStart, type JoinableRun, type RecordedRest } from './recorded-run.ts'
import { describeRest, holdsAsItIs, isJoinedAlike, restOfPart, restOfWhole } from './since-joined.ts'

export interface CountedOnce<R> {
  /** By start. */
  readonly runs: readonly R[]
  readonly doubled: readonly LeftOut[]
  /** What folders that are left out asked after they were joined. */
  readonly rests: readonly RecordedRest[]
}

/** Takes what is left out. */
interface Gathered {
  readonly doubled: LeftOut[]
  readonly rests: RecordedRest[]
}

export function countedOnce<R extends JoinableRun>(found: readonly R[]): CountedOnce<R> {
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
    doubled.push({
      folder: run.folder,
      kind: 'part',
      reason: inWhole(run, whole, rest, asItIs(run, whole, found)),
    })
    return false
  })
  return { runs, doubled, rests: rests.filter(({ usage }) => usage.quota.max > 0) }
}

function withoutCopies<R extends JoinableRun>(found: readonly R[], { doubled, rests }: Gathered): R[] {
  const kept = new Map<string, R>()
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
      const reason = `joined of the same parts as ${first.folder}, when they had come less or further: ${first.folder} stands, as ${whyFurther(first, run)}`
      doubled.push({ folder: run.folder, kind: 'part', reason: withRest(reason, rest) })
    }
  }
  return [...kept.values()].sort(byStart)
}

/** By the ids of the parts: the whole in which each stands. Where wholes share parts, one with most parts stands. */
function standingWholes(
  standing: readonly JoinableRun[],
  here: ReadonlySet<string>,
  { doubled, rests }: Gathered,
): ReadonlyMap<string, JoinableRun> {
  const wholeOf = new Map<string, JoinableRun>()
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
  { parts }: JoinableRun,
  shared: readonly string[],
  wholeOf: ReadonlyMap<string, JoinableRun>,
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

/** Another folder of the whole, left out, that holds the part as it is now: to join it anew would make the same. */
const asItIs = (
  part: JoinableRun,
  whole: JoinableRun,
  found: readonly JoinableRun[],
): JoinableRun | undefined =>
  found.find(
    (other) =>
      other.folder !== whole.folder &&
      other.manifest.runId === whole.manifest.runId &&
      holdsAsItIs(other, part),
  )

/** A joined run ends when the last of its parts does: a part that ends later went on after it was joined. */
function inWhole(
  { shard, manifest }: JoinableRun,
  { folder, manifest: joined }: JoinableRun,
  rest: RecordedRest | undefined,
  anew: JoinableRun | undefined,
): string {
  const further = `part ${shard} of ${folder}, asked further after it was joined`
  if (rest !== undefined && rest.usage.quota.max > 0)
    return anew === undefined
      ? `${further}: ${describeRest(rest)}, and its answers since in no figure; merge the parts anew`
      : `${further}: ${describeRest(rest)}, and its answers since stand in ${anew.folder}, which is left out`
  const wentOn =
    joined.endedAt !== null &&
    manifest.endedAt !== null &&
    Date.parse(manifest.endedAt) > Date.parse(joined.endedAt)
  if (!wentOn) return `part ${shard} of ${folder}, which has its figures`
  return anew === undefined
    ? `${further}: what it asked since is not counted; merge the parts anew`
    : `${further}: what it asked since is not counted, and stands in ${anew.folder}, which is left out`
}

const withRest = (reason: string, rest: RecordedRest | undefined): string =>
  rest === undefined || rest.usage.quota.max === 0 ? reason : `${reason}; ${describeRest(rest)}`

const furthestFirst = (some: JoinableRun, other: JoinableRun): number =>
  other.summary.quota.attempts - some.summary.quota.attempts ||
  endOf(other) - endOf(some) ||
  compareTexts(some.folder, other.folder)

/** Why `furthestFirst` has put the one before the other. */
function whyFurther(first: JoinableRun, other: JoinableRun): string {
  const [most, fewer] = [first.summary.quota.attempts, other.summary.quota.attempts]
  if (most > fewer) return `more calls were sent for it (${digits(most)} instead of ${digits(fewer)})`
  if (endOf(first) > endOf(other)) return 'it was ended later'
  return 'both went equally far, and its name comes first'
}

/** A run that never ended is behind every one that has. */
const endOf = ({ manifest: { endedAt } }: JoinableRun): number => (endedAt === null ? 0 : Date.parse(endedAt))
