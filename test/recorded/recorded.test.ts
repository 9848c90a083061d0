// Protects the figures of runs that version 0.1 recorded: every later version must report the same. See
// record.ts.
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
