// The live view of a load test: nothing of it is lost on a narrow terminal.
import { expect, test } from 'vitest'
import { drawLoad } from '../../../src/cli/load/progress.ts'
import { renderLoadLine, renderLoadLive } from '../../../src/report/load-live.ts'

const snapshot = {
  elapsedMs: 65_000,
  plannedMs: 300_000,
  isWarmUp: false,
  offeredRate: 20,
  threadRate: 19.5,
  callRate: 31,
  inFlight: 120,
  waiting: 3,
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

test.each([59, 79, 119])('so too in a pause: %i columns', (columns) => {
  const toAskAgain = { calls: 1240, pausedUntil: Date.UTC(2026, 10, 22, 16, 5, 19) }
  const paused = { ...snapshot, toAskAgain }
  const lines = drawLoad(paused, columns)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
  expect(lines.join(' ')).toContain('refused: 1,240 calls wait, none goes before 16:05:19Z')
  if (columns === 119) expect(lines).toEqual(renderLoadLive(paused, columns))
})
