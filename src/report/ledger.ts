// What the organization's usage export says of the account, in one sentence.
import { message } from '../domain/messages.ts'
import type { LedgerResult } from '../domain/quota.ts'

export const describeLedger = (ledger: LedgerResult): string =>
  message(`ledger-${ledger.verdict}`, ledger).text
