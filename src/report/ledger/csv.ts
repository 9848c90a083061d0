// `ledger.csv`: attempt by attempt and row by row, what stands on either side and what it means.
import type { LedgerEntry } from '../../domain/ledger.ts'
import { LEDGER_COLUMNS } from '../../domain/ledger-columns.ts'
import type { ReconciledCall } from '../../domain/reconciliation.ts'
import { renderSpreadsheet } from '../spreadsheet.ts'

/** The file's text in pieces. `files`: the names of the ledger's files. */
export function renderLedgerCsv(
  calls: Iterable<ReconciledCall>,
  files: readonly string[],
): Generator<string> {
  const rows = function* (): Generator<string[]> {
    for (const one of calls) yield cellsOf(one, files)
  }
  return renderSpreadsheet(LEDGER_COLUMNS, rows(), { excel: undefined })
}

function cellsOf(one: ReconciledCall, files: readonly string[]): string[] {
  const { call, entry, method, sureness, count, kind } = one
  return [
    meaningOf(one),
    method ?? '',
    sureness ?? '',
    text(call?.attempt),
    call?.usage ?? '',
    call?.questionId ?? '',
    text(call?.repeat),
    timeOf(call?.from),
    timeOf(call?.until),
    call?.came ?? '',
    call?.returnedId ?? call?.sentId ?? '',
    call?.refs.join(' ') ?? '',
    entry === undefined ? '' : (files[entry.file] ?? ''),
    text(entry?.line),
    timeOf(entry?.at),
    entry === undefined ? '' : String(count),
    entry?.status ?? '',
    ...namesOf(entry, kind),
  ]
}

/** Who else talked to the assistant is nobody's business in the folder of a run: the line leads there. */
const namesOf = (entry: LedgerEntry | undefined, kind: ReconciledCall['kind']): string[] =>
  kind === 'others' || kind === 'total' ? ['', ''] : [entry?.conversationId ?? '', entry?.endUserRef ?? '']

function meaningOf({ kind, call }: ReconciledCall): string {
  switch (kind) {
    case 'matched':
      if (call?.usage === 'certain') return 'counted, as the account says'
      return call?.usage === 'possible' ? 'counted, after all' : 'counted, though taken as not counted'
    case 'unmatched':
      if (call?.usage === 'certain') return 'answered, but not counted'
      return call?.usage === 'possible' ? 'not counted, after all' : 'not counted, as the account says'
    case 'inTotals':
      return 'compared as a total'
    case 'own':
      return "counted with this run's id, but no attempt explains it"
    case 'others':
      return "counted in the run's time by others, or unknown"
    case 'total':
      return 'a total'
    case 'elsewhere':
      return 'counted at another time'
  }
}

const text = (number: number | undefined): string => (number === undefined ? '' : String(number))

const timeOf = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toISOString())
