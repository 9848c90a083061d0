// How far a load test is: what the gatherer makes of the records so far, in place on a terminal or in one line.
import type { LiveGatherer } from '../../analysis/load/live-gatherer.ts'
import type { LoadSnapshot } from '../../domain/load/load-snapshot.ts'
import { renderLoadLine, renderLoadLive } from '../../report/load-live.ts'
import { wrap } from '../../report/wrap.ts'
import type { Progress } from '../progress.ts'

export const createLoadProgress = (gatherer: LiveGatherer): Progress => ({
  note: (record) => gatherer.add(record),
  describe: (now) => renderLoadLine(gatherer.live(now)),
  draw: (now, columns) => drawLoad(gatherer.live(now), columns),
})

/** A line for each time that figures are of, where they fit; on a narrow terminal as many as it takes: what would be cut off is what fails. */
export function drawLoad(snapshot: LoadSnapshot, columns: number): readonly string[] {
  const whole = renderLoadLive(snapshot, Number.POSITIVE_INFINITY)
  return whole.every((line) => line.length <= columns) ? whole : wrap(renderLoadLine(snapshot), '', columns)
}
