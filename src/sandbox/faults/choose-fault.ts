// Which fault strikes a call: the first in the list whose conditions all hold.
import type { Draw } from '../random.ts'
import type { Fault } from './fault.ts'

export interface StruckCall {
  /** From 1, in the order of arrival. */
  readonly number: number
  readonly message: string
  readonly organization: string
}

export function chooseFault(faults: readonly Fault[], call: StruckCall, draw: Draw): Fault | undefined {
  return faults.find(({ when, kind }, index) => {
    if (when.organization !== undefined && when.organization !== call.organization) return false
    if (when.calls !== undefined && !when.calls.includes(call.number)) return false
    if (when.every !== undefined && call.number % when.every !== 0) return false
    if (when.message !== undefined && !when.message.test(call.message)) return false
    return when.rate === undefined || draw(`fault:${index}:${kind}`, call.number) < when.rate
  })
}
