// Protects the call rate of a load test's progress.
import { expect, test } from 'vitest'
import { createLoadCounts } from '../../../src/analysis/load/counts.ts'
import { loadManifest, loadRecords } from '../../support/load-journal.ts'
import { START } from '../../support/recorded.ts'

test('the rate of calls covers the last seconds', () => {
  const live = createLoadCounts(loadManifest())
  live.add({ kind: 'pace', at: START, pace: null, cause: 'start' })
  const records = loadRecords({ respond: () => ({ serviceMs: 100 }) })
  expect(live.snapshot(START)).toMatchObject({ elapsedMs: 0, plannedMs: 60_000, callRate: null })
  // 20 per second for a minute, read every second; then nothing.
  for (let second = 1; second <= 70; second += 1) {
    const [from, to] = [START + 1000 * (second - 1), START + 1000 * second]
    for (const record of records)
      if (record.kind !== 'question' && record.at > from && record.at <= to) live.add(record)
    const { elapsedMs, callRate } = live.snapshot(to)
    expect(elapsedMs).toBe(1000 * second)
    if (second > 1 && second < 60) expect(Math.abs((callRate ?? 0) - 20)).toBeLessThanOrEqual(2)
    if (second > 66) expect(callRate).toBe(0)
  }
})
