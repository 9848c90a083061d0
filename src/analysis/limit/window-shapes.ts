// The kinds of limit that have a window, each as what it needs to be fitted.
import type { LimitVariant } from '../../domain/limit.ts'
import type { Calls } from './calls.ts'
import type { Opening } from './closures.ts'
import { fixedLevels } from './fixed-levels.ts'
import { logLevels, logOfAllLevels, type Levels } from './levels.ts'
import * as turning from './turning-levels.ts'

export interface WindowShape {
  readonly kind: 'fixed-window' | 'sliding-window'
  readonly variant: LimitVariant
  readonly parameters: number
  /** Only windows of the clock are so, and only round ones. */
  readonly roundOnly?: boolean
  /** A window is at least this part of the longest time closed. */
  readonly leastOfClosure: number
  readonly fill: (calls: Calls, windowMs: number, levels: Levels) => void
  /** The same with other times at which windows may turn. */
  readonly moved?: readonly WindowShape[]
}

const sliding = { kind: 'sliding-window', leastOfClosure: 1 } as const
const fixed = { kind: 'fixed-window', leastOfClosure: 1 } as const
/** Parts of the doubt about an opening, to either side. */
const MOVES = [-0.45, -0.2, 0.2, 0.45]

/** `openings`: times at which windows that keep no clock may have turned. */
export function windowShapes(calls: Calls, openings: readonly Opening[]): WindowShape[] {
  const clockPhase = (windowMs: number): number => windowMs - (calls.wallAtZero % windowMs)
  return [
    { ...sliding, variant: 'log', parameters: 2, fill: logLevels },
    {
      ...fixed,
      variant: 'clock',
      parameters: 2,
      roundOnly: true,
      fill: (some, ms, into) => fixedLevels(some, ms, clockPhase(ms), into),
    },
    { ...fixed, variant: 'first-call', parameters: 2, fill: turning.firstCallLevels },
    ...openings.map(({ at, doubtMs }) => ({
      ...turningAt(at),
      moved: MOVES.map((part) => turningAt(at + part * doubtMs)),
    })),
    {
      ...sliding,
      variant: 'counter',
      parameters: 2.5,
      roundOnly: true,
      leastOfClosure: 0.5,
      fill: (some, ms, into) => turning.counterLevels(some, ms, clockPhase(ms), into),
    },
    { ...sliding, variant: 'log-of-all', parameters: 3, fill: logOfAllLevels },
  ]
}

const turningAt = (at: number): WindowShape => ({
  ...fixed,
  variant: 'free',
  parameters: 3,
  fill: (some, ms, into) => fixedLevels(some, ms, at, into),
})
