// What stands in the cells of a ledger beside its times: counts, and whether a row counts at all.

/** Whole calls from 0 on; undefined for anything else. `3.0` is 3. */
export function readCount(cell: string): number | undefined {
  const [, digits] = /^(\d{1,15})(?:[.,]0+)?$/.exec(cell.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const YES = ['true', 'yes', 'y', '1', 'x', 't', 'ja', 'wahr', 'counted', 'billed', 'billable']
const NO = ['false', 'no', 'n', '0', 'f', 'nein', 'falsch', 'notcounted', 'not counted', 'free']

/** An empty cell does not count; undefined for what is neither yes nor no. */
export function readCounted(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase()
  if (YES.includes(word)) return true
  return word === '' || NO.includes(word) ? false : undefined
}
