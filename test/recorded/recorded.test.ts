// Protects the figures of recorded runs: make.ts recorded those of this version, and versions/ holds some that
// 0.2 and 0.3 wrote. See record.ts.
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { RECORDED_CASES } from './cases.ts'
import { readExpected, runCase } from './run-case.ts'

const scratch = temporaryFolder()

describe.concurrent('recorded runs', () => {
  it.each(RECORDED_CASES)('$name', async (recorded) => {
    expect(await runCase(recorded, scratch)).toEqual(readExpected(recorded))
  })
})
