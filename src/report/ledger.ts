// What the organization's usage export says of the account, in one sentence.
import { digits } from '../domain/text.ts'
import type { LedgerResult } from '../domain/quota.ts'

export function describeLedger({ matchedBy, counted, others, min, max, verdict, by }: LedgerResult): string {
  const interval = min === max ? digits(min) : `${digits(min)} to ${digits(max)}`
  const what =
    matchedBy === 'id'
      ? `${digits(counted)} calls with an id of this run (${digits(others)} others in its time)`
      : `${digits(counted)} calls in the run's time, without an id of this run`
  const where = {
    within: `within the account (${interval})`,
    below: `${digits(by)} below the account (${interval}): not every answered call is in it`,
    above: `${digits(by)} above the account (${interval}): ${matchedBy === 'id' ? 'refused calls are counted, too' : 'other traffic, or refused calls that are counted'}`,
  }[verdict]
  return `${what}: ${where}`
}
