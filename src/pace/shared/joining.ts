// What a process that joins others begins with, in words: what they know, not what their conductor once began with.
import { formatPace } from '../rate.ts'
import type { Status } from './protocol.ts'

export function describeJoining({ pace, learned }: Status): string {
  // A conductor that has heard nobody yet has no pace.
  const comes =
    pace > 0 ? `the pace, ${formatPace(pace)}, comes from the others` : 'the pace comes from the others'
  if (learned?.capacity === undefined) return `${comes}, who have not met the limit yet`
  const { capacity, sustained = capacity, atOnce } = learned
  const limit = atOnce === undefined ? `about ${formatPace(sustained)}` : `${atOnce} calls at once`
  return `${comes}, and so does what is known of the limit: ${limit}`
}
