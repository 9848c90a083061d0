// A changed file that changed no question of the run that goes on: what is said of it, and of the whole where the run is a part.
import { digits } from '../../domain/digits.ts'
import { describePart, describeWholeSize, type Shard } from '../../domain/shard.ts'

/** Half a sentence, of a run that goes on with the set as it was recorded. */
export function describeStanding(before: Shard | undefined, now: Shard | undefined): string {
  const change = describeOther(before, now)
  if (change === undefined) return 'but none of its questions: going on'
  return (
    `but no question of ${change}: going on as a part of the set as it was; ` +
    '--accept-changes makes it one of the set as it is now, and merge joins parts of one set alone'
  )
}

/** Half a sentence, of a run that takes the file on as it is now. */
export function describeTakenOn(before: Shard | undefined, now: Shard | undefined): string {
  const change = describeOther(before, now)
  return `but ${change === undefined ? 'none of its questions' : `no question of ${change}`}: taken on as it is now`
}

/** Undefined where the whole is as it was, or that is not known. */
function describeOther(before: Shard | undefined, now: Shard | undefined): string | undefined {
  const [was, is] = [before?.whole ?? null, now?.whole ?? null]
  if (before === undefined || was === null || is === null || isSameWhole(was, is)) return undefined
  const isAsLarge = was.questions === is.questions && was.threads === is.threads
  const sizes = `${describeWholeSize(is)} now, and had ${digits(was.questions)} in ${digits(was.threads)}`
  return `${describePart(before)}${isAsLarge ? '' : ` (the whole has ${sizes})`}`
}

type Whole = NonNullable<Shard['whole']>

/** Parts that were begun before there was a digest of the content know the ids alone. */
const isSameWhole = (was: Whole, is: Whole): boolean =>
  was.content === undefined ? was.digest === is.digest : was.content === is.content
