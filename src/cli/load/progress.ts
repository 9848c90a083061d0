// How far a load test is: what the gatherer makes of the records so far, on two lines of a terminal or in one.
import type { LoadGatherer } from '../../analysis/load/gather.ts'
import { renderLoadLine, renderLoadLive } from '../../report/load-live.ts'
import type { Progress } from '../progress.ts'

export const createLoadProgress = (gatherer: LoadGatherer): Progress => ({
  note: (record) => gatherer.add(record),
  describe: (now) => renderLoadLine(gatherer.live(now)),
  draw: (now, columns) => renderLoadLive(gatherer.live(now), columns),
})
