// Protects the verdict of a run, its reason and its exit code, and the worst exit code of several targets.
import { expect, test } from 'vitest'
import { createFigures } from '../../src/analysis/figures/figures.ts'
import { verdictOfRun, joinReasons } from '../../src/analysis/judging/verdict.ts'
import { worstExitCode } from '../../src/cli/screen.ts'
import type { Stop } from '../../src/domain/stop.ts'
import type { AnsweredTurn } from '../../src/domain/turn.ts'
import { makeTurn } from '../support/recorded.ts'

function figuresOf(...turns: readonly AnsweredTurn[]) {
  const figures = createFigures({ groundedSources: [], passPolicy: 'all', quota: null, isWeighted: false })
  for (const turn of turns) figures.add([turn])
  return figures.finish().overall
}

test.each<[Stop | undefined, string, number, RegExp]>([
  [{ kind: 'keyRefused', httpStatus: 403, message: 'Refused. ' }, 'incomplete', 3, /: Refused$/],
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
])('%j', (stop, verdict, exitCode, reason) => {
  const { reasons, ...judged } = verdictOfRun(stop, figuresOf(makeTurn()), [], false)
  expect(judged).toEqual({ verdict, exitCode })
  expect(joinReasons(reasons)).toMatch(reason)
})

test('an answer without its context meets no expectation', () => {
  const figures = figuresOf(
    makeTurn({ grade: 'passed' }),
    makeTurn({ grade: 'notGraded', contextLost: true }),
  )
  const { reasons } = verdictOfRun({ kind: 'done' }, figures, [], true)
  expect(joinReasons(reasons)).toBe('every gate passed')
})

test.each([
  [[0, 0], 0],
  [[0, 1], 1],
  [[0, 2], 2],
  [[1, 4], 4],
  [[4, 3, 0], 3],
  [[3, 5], 5],
  [[130, 0], 130],
])('the worst exit code of %j is %i', (codes, worst) => {
  expect(worstExitCode(codes)).toBe(worst)
})
