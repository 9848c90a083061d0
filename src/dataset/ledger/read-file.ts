// What one file of a ledger comes to.
import { basename } from 'node:path'
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { LedgerFile } from '../../domain/reconciliation.ts'
import type { LedgerFacts } from './table.ts'

export interface ReadFile {
  readonly entries: LedgerEntry[]
  readonly file: LedgerFile
}

export const fileOf = (
  path: string,
  form: LedgerFile['form'],
  digest: string,
  facts: LedgerFacts,
): LedgerFile => ({
  name: basename(path),
  form,
  digest,
  ...facts,
})
