// The quota account: what attempts cost by class, those among them whose records the journals have lost.
import type { AttemptResult } from '../domain/attempt.ts'
import { type Quota, shareOfQuota, type Usage } from '../domain/quota.ts'
import { type UsageClass, usageClassOf } from './quota.ts'
import type { Figures } from '../domain/summary.ts'

/** The classes' counts as an account; usage lies in [min, max]. */
export function accountOf({ certain, possible, notCounted }: Readonly<Record<UsageClass, number>>): Usage {
  return {
    attempts: certain + possible + notCounted,
    certain,
    possible,
    notCounted,
    min: certain,
    max: certain + possible,
  }
}

/** With the share of the allowance that may be used up. */
export function accountWithin(
  classes: Readonly<Record<UsageClass, number>>,
  quota: Quota | null,
): Figures['quota'] {
  const account = accountOf(classes)
  return { ...account, shareOfQuota: shareOfQuota(account.max, quota) }
}

/** Attempts are numbered as they begin: a number tells of all before it. */
export function createAttemptNumbers() {
  let [highest, unnumbered, known] = [0, 0, 0]
  return {
    /** Of an attempt that is accounted for. */
    count: (): void => {
      known += 1
    },
    intent: (attempt: number): void => {
      highest = Math.max(highest, attempt)
      unnumbered = 0
    },
    /** Of a result: attempts that were begun after its own may have ended before it. */
    result: (attempt: number): void => {
      unnumbered = Math.max(0, unnumbered - Math.max(0, attempt - highest))
      highest = Math.max(highest, attempt)
    },
    /** A line that cannot be read, and may have been an intent. */
    lose: (): void => {
      unnumbered += 1
    },
    /** A session begins: what was lost before it stays lost. */
    session: (): void => {
      highest += unnumbered
      unnumbered = 0
    },
    finish: () => {
      const begun = highest + unnumbered
      return { begun, lost: Math.max(0, begun - known) }
    },
  }
}

/** The calls of a load test or a search in the quota account. */
export function createCallAccount() {
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const numbers = createAttemptNumbers()
  return {
    begin: (attempt: number): void => {
      numbers.intent(attempt)
      numbers.count()
      usage.possible += 1
    },
    /** `isKnown`: its intent was read. */
    settle: (attempt: number, result: AttemptResult, isKnown: boolean): void => {
      numbers.result(attempt)
      if (isKnown) usage.possible -= 1
      else numbers.count()
      usage[usageClassOf(result)] += 1
    },
    lose: numbers.lose,
    session: numbers.session,
    finish: (): { readonly usage: Usage; readonly lost: number } => {
      const { lost } = numbers.finish()
      return { usage: accountOf({ ...usage, possible: usage.possible + lost }), lost }
    },
  }
}
