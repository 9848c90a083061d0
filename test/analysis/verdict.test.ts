// Protects the verdict of a run, its reason and its exit code, and the worst exit code of several targets.
import { expect, test } from 'vitest'
import { createFiguresCollector } from '../../src/analysis/figures.ts'
import { judgeRun, joinReasons } from '../../src/analysis/verdict.ts'
import { turnsFailed } from '../../src/analysis/messages.ts'
import { worstExitCode } from '../../src/cli/screen.ts'
import type { Stop } from '../../src/domain/stop.ts'
import { makeTurn } from '../support/turns.ts'

const collect = () =>
  createFiguresCollector({ groundedSources: [], passPolicy: 'all', quota: null, isWeighted: false })

const clean = collect()
clean.add([{ turn: makeTurn(), grade: { kind: 'none' } }])
const faulty = collect()
const late = makeTurn({ outcome: 'timeout', result: { kind: 'timeout', message: 'm' } })
faulty.add([{ turn: late, grade: { kind: 'none' } }])

test.each<[Stop | undefined, string, number, RegExp]>([
  [{ kind: 'done' }, 'done', 0, /^1 of 1 answered$/],
  [{ kind: 'keyRefused', httpStatus: 401, message: 'm' }, 'incomplete', 3, /rejected the key \(401\): m/],
  [{ kind: 'keyRefused', httpStatus: 403, message: 'm' }, 'incomplete', 3, /scope/],
  [{ kind: 'keyRefused', httpStatus: 403, message: 'Refused. ' }, 'incomplete', 3, /: Refused$/],
  [{ kind: 'budget', maxCalls: 7 }, 'incomplete', 4, /budget of 7/],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429', afterMs: 1_800_000 },
    'incomplete',
    4,
    /only 429s for 30 min/,
  ],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429 QUOTA', code: 'QUOTA', afterMs: 60_000, isFirst: true },
    'incomplete',
    4,
    /only 429s for 1 min, each with QUOTA/,
  ],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429', afterMs: 60_000, isFirst: true, namedMs: 7_200_000 },
    'incomplete',
    4,
    /to wait 2 h, longer than the 1 min that a session waits for its first answer \(429\)/,
  ],
  [
    { kind: 'gaveUp', over: 'refusals', last: '429', afterMs: 12_000, namedMs: 12_040 },
    'incomplete',
    4,
    /to wait 12 s, longer than --give-up-after allows \(429\)/,
  ],
  [
    { kind: 'budget', maxCalls: 7, last: '429 QUOTA' },
    'incomplete',
    4,
    /budget of 7 .*last call failed \(429 QUOTA\)/,
  ],
  [
    { kind: 'gaveUp', over: 'failures', last: 'ECONNREFUSED', afterMs: 9000 },
    'incomplete',
    4,
    /9 s: the endpoint is unreachable or down \(last: ECONN/,
  ],
  [{ kind: 'interrupted', signal: 'SIGINT' }, 'incomplete', 130, /SIGINT/],
  [{ kind: 'interrupted', signal: 'SIGTERM' }, 'incomplete', 143, /SIGTERM/],
  [{ kind: 'fault', message: 'no space left' }, 'incomplete', 5, /no space left/],
  [undefined, 'incomplete', 4, /the process ended before the run did/],
])('%j', (stop, verdict, exitCode, reason) => {
  const { reasons, ...judged } = judgeRun(stop, clean.finish(), [], false)
  expect(judged).toEqual({ verdict, exitCode })
  expect(joinReasons(reasons)).toMatch(reason)
})

test('a complete run fails with the reasons of its failed gates', () => {
  const failed = [turnsFailed(1)]
  expect(judgeRun({ kind: 'done' }, faulty.finish(), failed, false)).toEqual({
    verdict: 'failed',
    exitCode: 1,
    reasons: failed,
  })
})

const met = collect()
met.add([{ turn: makeTurn(), grade: { kind: 'passed' } }])

// Without a gate of the user's, a run that fails nothing is done.
test.each([
  ['a threshold', clean, 'every gate passed'],
  ['an expectation', met, 'every question was answered; every expectation was met'],
])('a run passes by %s', (_, figures, reason) => {
  const { verdict, reasons } = judgeRun({ kind: 'done' }, figures.finish(), [], true)
  expect([verdict, joinReasons(reasons)]).toEqual(['passed', reason])
})

test('questions without an outcome are counted only where there are some', () => {
  const unsent = clean.finish(3)
  expect(joinReasons(judgeRun({ kind: 'budget', maxCalls: 7 }, unsent, [], false).reasons)).toMatch(
    /questions without an outcome: 2$/,
  )
})

test.each([
  [[0, 0], 0],
  [[0, 1], 1],
  [[1, 4], 4],
  [[4, 3, 0], 3],
  [[3, 5], 5],
  [[130, 0], 130],
])('the worst exit code of %j is %i', (codes, worst) => {
  expect(worstExitCode(codes)).toBe(worst)
})
