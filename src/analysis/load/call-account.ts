// Every call of a load test in the quota account, those whose records are lost among them.
import type { AttemptResult } from '../../domain/attempt.ts'
import { usageClassOf } from '../quota.ts'
import type { Usage } from '../../domain/quota.ts'
import { accountOf } from '../turns.ts'

export interface CallAccount {
  begin(attempt: number): void
  /** `isKnown`: its intent was read. */
  settle(attempt: number, result: AttemptResult, isKnown: boolean): void
  /** A line that cannot be read, and may have been an intent. */
  readonly lose: () => void
  /** A sitting begins: what was lost before it stays lost. */
  sit(): void
  finish(): { readonly usage: Usage; readonly lost: number }
}

export function createCallAccount(): CallAccount {
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  let [begun, highest, unnumbered] = [0, 0, 0]

  return {
    begin: (attempt) => {
      begun += 1
      highest = Math.max(highest, attempt)
      // Attempts are numbered as they begin: this number tells of all before it.
      unnumbered = 0
      usage.possible += 1
    },
    settle: (attempt, result, isKnown) => {
      if (isKnown) usage.possible -= 1
      else begun += 1
      highest = Math.max(highest, attempt)
      usage[usageClassOf(result)] += 1
    },
    lose: () => {
      unnumbered += 1
    },
    sit: () => {
      highest += unnumbered
      unnumbered = 0
    },
    finish: () => {
      const lost = Math.max(0, highest + unnumbered - begun)
      return { usage: accountOf({ ...usage, possible: usage.possible + lost }), lost }
    },
  }
}
