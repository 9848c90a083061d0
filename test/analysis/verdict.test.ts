// One function decides what is printed and what the process exits with.
import { expect, test } from 'vitest'
import { createFiguresGatherer } from '../../src/analysis/figures.ts'
import { judge } from '../../src/analysis/verdict.ts'
import { worstExitCode, type Stop } from '../../src/domain/stop.ts'
import { makeTurn } from '../support/turns.ts'

const clean = createFiguresGatherer([])
clean.add(makeTurn(), { kind: 'none' })
const faulty = createFiguresGatherer([])
faulty.add(makeTurn({ outcome: 'timeout', result: { kind: 'timeout', message: 'm' } }), { kind: 'none' })

test.each<[Stop | undefined, string, number, RegExp]>([
  [{ kind: 'done' }, 'passed', 0, /every turn was answered/],
  [{ kind: 'keyRefused', httpStatus: 401, message: 'm' }, 'incomplete', 3, /refused the key \(401\): m/],
  [{ kind: 'keyRefused', httpStatus: 403, message: 'm' }, 'incomplete', 3, /scope/],
  [{ kind: 'keyRefused', httpStatus: 403, message: 'Refused. ' }, 'incomplete', 3, /: Refused; every/],
  [{ kind: 'budget', maxCalls: 7 }, 'incomplete', 4, /budget of 7/],
  [
    { kind: 'budget', maxCalls: 0 },
    'incomplete',
    4,
    /^--max-calls leaves no call, as the parts of a run share it: raise it, or make fewer parts; /,
  ],
  [
    { kind: 'budget', maxCalls: 5, part: { index: 2, of: 4 } },
    'incomplete',
    4,
    /^the call budget of 5, that of part 2 of 4, is used up; /,
  ],
  [
    { kind: 'budget', maxCalls: 9, part: { index: 2, of: 4, others: [3] } },
    'incomplete',
    4,
    /^the call budget of 9, that of parts 2, 3 of 4, is used up; /,
  ],
  [
    { kind: 'budget', maxCalls: 0, part: { index: 3, of: 4, others: [4] } },
    'incomplete',
    4,
    /^--max-calls leaves parts 3, 4 of 4 no call, /,
  ],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429', afterMs: 1_800_000 },
    'incomplete',
    4,
    /429\) for 30 min/,
  ],
  [
    { kind: 'gaveUp', over: 'failures', last: 'ECONNREFUSED', afterMs: 9000 },
    'incomplete',
    4,
    /9 s, last ECONN/,
  ],
  [{ kind: 'interrupted', signal: 'SIGINT' }, 'incomplete', 130, /SIGINT/],
  [{ kind: 'interrupted', signal: 'SIGTERM' }, 'incomplete', 143, /SIGTERM/],
  [{ kind: 'fault', message: 'no space left' }, 'incomplete', 5, /no space left/],
  [undefined, 'incomplete', 4, /the process ended before the run did/],
])('%j', (stop, verdict, exitCode, reason) => {
  expect(judge(stop, clean.finish(), [])).toEqual({
    verdict,
    exitCode,
    reason: expect.stringMatching(reason) as string,
  })
})

test('a run that is done fails for the gates that failed, in their words', () => {
  expect(judge({ kind: 'done' }, faulty.finish(), ['1 turn ended in an error', 'coverage is 5%'])).toEqual({
    verdict: 'failed',
    exitCode: 1,
    reason: '1 turn ended in an error; coverage is 5%',
  })
})

test.each([
  [[0, 0], 0],
  [[0, 1], 1],
  [[1, 4], 4],
  [[4, 3, 0], 3],
  [[3, 5], 5],
  [[130, 0], 130],
])('of %j the worst is %i', (codes, worst) => {
  expect(worstExitCode(codes)).toBe(worst)
})
