// What a process that joins others begins with, in words: what they know, not what their conductor once began with.
import type { Learned } from '../learned.ts'
import { formatPace } from '../rate.ts'
import type { Status } from './protocol.ts'

/** A known rate is kept a little below. */
const KEPT_OF_RATE = 0.95

/** `perSecond`: the rate that this process was told to keep to. */
export function describeJoining({ pace, learned }: Status, perSecond: number | undefined): string {
  const limit = learned && describeLimit(learned)
  if (perSecond !== undefined && pace >= KEPT_OF_RATE * perSecond) {
    const found = limit === undefined ? 'have not met the limit yet' : `have found the limit: ${limit}`
    return `the pace, ${formatPace(pace)}, is that of --rate; the others ${found}`
  }
  // A conductor that has heard nobody yet has no pace.
  const comes =
    pace > 0 ? `the pace, ${formatPace(pace)}, comes from the others` : 'the pace comes from the others'
  return limit === undefined
    ? `${comes}, who have not met the limit yet`
    : `${comes}, and so does what is known of the limit: ${limit}`
}

function describeLimit({ capacity, sustained = capacity, atOnce }: Learned): string | undefined {
  if (sustained === undefined || capacity === undefined) return undefined
  return atOnce === undefined ? `about ${formatPace(sustained)}` : `${atOnce} calls at once`
}
