// Protects the figures of recorded runs: make.ts recorded those of this version, and versions/ holds some that
// 0.2 and 0.3 wrote. See record.ts.
import { describe, expect, it } from 'vitest'
import { METRICS } from '../../src/analysis/judging/threshold.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { RECORDED_CASES } from './cases.ts'
import { readExpected, runCase } from './run-case.ts'

const scratch = temporaryFolder()
const summaries: unknown[] = []

describe.concurrent('recorded runs', () => {
  it.each(RECORDED_CASES)('$name', async (recorded) => {
    const files = await runCase(recorded, scratch, (report, file) => {
      if (file === 'summary.json') summaries.push(report)
    })
    expect(files).toEqual(readExpected(recorded))
  })
})

// A figure that nothing fills is null for ever, and no other test misses it. No recorded set has weights:
// scenarios/weights.yaml pins them.
it('each figure of a run has a value in one of them', () => {
  const valueAt = (report: unknown, path: readonly string[]): unknown =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], report)
  const empty = METRICS.filter(({ path }) => !path.includes('weighted')).filter(({ path }) =>
    summaries.every((report) => (valueAt(report, path) ?? null) === null),
  )
  expect(empty.map(({ name }) => name)).toEqual([])
})
