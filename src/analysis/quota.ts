// The quota account: the class of each call, what attempts cost by class, those among them whose records the journals have lost.
import { type AttemptResult, isAmbiguous } from '../domain/attempt.ts'
import type { JournalRecord } from '../domain/journal.ts'
import { type Quota, shareOfQuota, type Usage } from '../domain/quota.ts'
import type { Figures } from '../domain/summary.ts'

export type UsageClass = 'certain' | 'possible' | 'notCounted'

/**
 * `certain`: a 2xx status arrived, whatever became of the body. `possible`: ambiguous, or an intent without a recorded
 * result (`undefined`). `notCounted`: never reached the endpoint, or refused before the assistant (3xx, 4xx, 429); that
 * refusals are not counted is an assumption.
 */
export function usageClassOf(result: AttemptResult | undefined): UsageClass {
  if (result === undefined) return 'possible'
  const status = 'httpStatus' in result ? result.httpStatus : undefined
  if (status !== undefined && status >= 200 && status < 300) return 'certain'
  return isAmbiguous(result) ? 'possible' : 'notCounted'
}

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

/** All attempts of a run, a load test or a search in the quota account, also those whose intent is lost. */
export function createCallAccount() {
  const usage = { certain: 0, possible: 0, notCounted: 0 }
  const inFlight = new Set<number>()
  let [highest, known, strays, unreadable] = [0, 0, 0, 0]
  /** Attempts are numbered as they begin: a number that no record has belongs to an attempt whose intent is lost. */
  const see = (attempt: number): void => {
    highest = Math.max(highest, attempt)
    known += 1
  }
  return {
    inFlight: inFlight as ReadonlySet<number>,
    add: (record: JournalRecord): void => {
      if (record.kind === 'intent') {
        see(record.attempt)
        usage.possible += 1
        inFlight.add(record.attempt)
      }
      if (record.kind !== 'result') return
      if (inFlight.delete(record.attempt)) usage.possible -= 1
      else {
        see(record.attempt)
        strays += 1
      }
      usage[usageClassOf(record.result)] += 1
    },
    /** A line that cannot be read, and may have been an intent. */
    lose: (): void => {
      unreadable += 1
    },
    /** `lost`: without any record, so they count as possible. `strays`: with a result and no intent. */
    finish: () => {
      const lost = Math.max(unreadable, highest - known)
      const account = accountOf({ ...usage, possible: usage.possible + lost })
      return { usage: account, attempts: known + lost, lost, strays }
    },
  }
}
