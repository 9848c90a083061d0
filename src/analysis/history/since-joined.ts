// What a folder asked after its calls were joined into another run: those calls stand nowhere else.
import { digits, plural } from '../../domain/digits.ts'
import type { UsageRange } from '../../domain/usage.ts'
import type { JoinableRun, RecordedRest } from './recorded-run.ts'

/** Of a part; undefined where the whole does not say what it had cost. */
export function restOfPart(part: JoinableRun, whole: JoinableRun): RecordedRest | undefined {
  const joined = whole.usageOfParts?.get(part.manifest.runId)
  // Its whole counts in the month of its own start, and so does what its parts asked further.
  return joined === undefined ? undefined : { ...restOf(part, joined), manifest: whole.manifest }
}

/** Of a joined run; undefined where it does not say what its parts had cost. */
export function restOfWhole(whole: JoinableRun): RecordedRest | undefined {
  const joined = { min: 0, max: 0 }
  for (const id of whole.parts) {
    const usage = whole.usageOfParts?.get(id)
    if (usage === undefined) return undefined
    joined.min += usage.min
    joined.max += usage.max
  }
  return restOf(whole, joined)
}

/** Whether two runs of the same parts were joined when these had come equally far: one may be a copy of the other. */
export const isJoinedAlike = (some: JoinableRun, other: JoinableRun): boolean =>
  some.parts.every((id) => {
    const [one, another] = [some, other].map(({ usageOfParts }) => usageOfParts?.get(id))
    return one?.min === another?.min && one?.max === another?.max
  })

/** Whether a run was joined when the part had come as far as it has now. */
export function holdsAsItIs({ usageOfParts }: JoinableRun, part: JoinableRun): boolean {
  const joined = usageOfParts?.get(part.manifest.runId)
  return joined?.min === part.summary.quota.min && joined.max === part.summary.quota.max
}

/** In words, as the end of a reason. */
export function describeRest({ usage: { quota } }: RecordedRest): string {
  const { min, max } = quota
  return `${min === max ? '' : `${digits(min)} to `}${plural(max, 'call')} that it made since count in the months`
}

function restOf({ folder, manifest, summary }: JoinableRun, joined: UsageRange): RecordedRest {
  const since = (bound: keyof UsageRange): number => Math.max(0, summary.quota[bound] - joined[bound])
  const [min, max] = [since('min'), since('max')]
  // What was possible when it was joined may be certain by now.
  return { folder, manifest, usage: { run: summary.run, quota: { min, max: Math.max(min, max) } } }
}
