// What an earlier `report --ledger` found and left in the folder, as long as it is of the account as it stands.
import { existsSync, readFileSync } from 'node:fs'
import { reconciliationSchema, type LedgerResult, type Reconciliation } from '../../domain/reconciliation.ts'
import type { Usage } from '../../domain/usage.ts'
import type { RunFolder } from '../run-folder.ts'

export interface KeptReconciliation {
  /** Undefined where there is none that holds. */
  readonly result: Reconciliation | undefined
  /** Why one that is there does not hold. */
  readonly notes: readonly string[]
}

export function readKept(folder: RunFolder, account: Usage): KeptReconciliation {
  if (!existsSync(folder.ledger)) return { result: undefined, notes: [] }
  const kept = parse(folder.ledger)
  if (kept === undefined)
    return {
      result: undefined,
      notes: ['ledger.json cannot be read and was passed over; report --ledger writes it anew'],
    }
  if (isSame(kept.account, account)) return { result: kept, notes: [] }
  return {
    result: undefined,
    notes: [
      'ledger.json is of another account than this one (the run went on, or counts differently now); report --ledger writes it anew',
    ],
  }
}

export const compactOf = ({
  verdict,
  counted,
  files,
  unexplained,
  countedRefusals,
}: Reconciliation): LedgerResult => ({
  verdict,
  counted,
  files: files.map(({ name }) => name),
  unexplained: unexplained.own + unexplained.others,
  countedRefusals: countedRefusals.reduce((sum, one) => sum + one.counted, 0),
})

function parse(path: string): Reconciliation | undefined {
  try {
    return reconciliationSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

const isSame = (one: Usage, other: Usage): boolean =>
  one.certain === other.certain && one.possible === other.possible && one.notCounted === other.notCounted
