// Protects the figures of runs that version 0.1 recorded: every later version must report the same. See record.ts.
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { RECORDED_CASES } from './cases.ts'
import { readExpected, reckon } from './reckon.ts'

const scratch = temporaryFolder()

describe.concurrent('recorded runs', () => {
  it.each(RECORDED_CASES)('$name', async (recorded) => {
    expect(await reckon(recorded, scratch)).toEqual(readExpected(recorded))
  })
})
