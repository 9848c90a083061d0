// What the columns of a ledger are called, as far as one can guess.
import type { LedgerRole } from '../../domain/ledger.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Beside one of these, a column of hours is the other half of its time. */
export const DATE_NAMES = words('date day datum tag usagedate')
export const HOUR_NAMES = words('time hour uhrzeit stunde zeit')

/** By `columnKey`, the likeliest first. */
export const LEDGER_NAMES: Readonly<Record<LedgerRole, readonly string[]>> = {
  time: words(`
    timestamp createdat created datetime calledat occurredat eventtime requestedat receivedat recordedat loggedat
    startedat usagetime calltime requesttime starttime at ts when time periodstart start period bucket hour date
    day usagedate createdon createdtime zeitstempel zeitpunkt datum zeit
  `),
  conversation: words('conversationid conversation threadid thread sessionid session chatid'),
  user: words('enduserref enduser enduserid userref externaluser user userid requester'),
  // Amounts and usage may be tokens or money: those must be named.
  count: words(
    'counted count units calls callcount requests requestcount quantity numberofcalls anzahl menge',
  ),
  status: words('status outcome result state httpstatus statuscode'),
  counted: words('counted iscounted billable billed charged'),
}
