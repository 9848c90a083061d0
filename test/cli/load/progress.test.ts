// The live view of a load test: nothing of it is lost on a narrow terminal.
import { expect, test } from 'vitest'
import { drawLoad } from '../../../src/cli/load/progress.ts'
import { renderLoadLine, renderLoadLive } from '../../../src/report/load-live.ts'

const snapshot = {
  elapsedMs: 65_000,
  plannedMs: 300_000,
  offeredRate: 20,
  threadRate: 19.5,
  callRate: 31,
  inFlight: 120,
  p50: 800,
  p95: 2400,
  calls: 1850,
  refused: 240,
  dropped: 17,
  answered: 1600,
  errors: 9,
  coverage: 0.63,
}

test('a line for each time where they fit, all of it in more lines where they do not', () => {
  expect(drawLoad(snapshot, 120)).toEqual(renderLoadLive(snapshot, 120))
  const narrow = drawLoad(snapshot, 59)
  expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(59)
  expect(narrow.join(' ')).toBe(renderLoadLine(snapshot))
})
