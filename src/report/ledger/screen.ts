// The ledger held against the account, on the screen.
import type { Reconciliation } from '../../domain/reconciliation.ts'
import { alignTable } from '../table.ts'
import { visible } from '../visible.ts'
import { LINE_WIDTH, wrap } from '../wrap.ts'
import { classRows, ledgerSentences, refusalSentences } from './words.ts'

/** Lines of plain text; the verdict first, then an assumption that did not hold. */
export function renderLedgerScreen(result: Reconciliation): string {
  const [header = [], ...rows] = classRows(result)
  const align = header.map((_, column) => (column === 0 || column === header.length - 1 ? 'left' : 'right'))
  return [
    'The ledger against the account:',
    ...paragraph(result.verdict.words),
    ...refusalSentences(result).flatMap(paragraph),
    '',
    ...alignTable([header, ...rows], align).map((line) => `  ${line}`),
    '',
    ...ledgerSentences(result).flatMap(paragraph),
    ...result.notes.flatMap((note) => paragraph(`Note: ${note}`)),
    '  Call by call: ledger.csv',
  ].join('\n')
}

const paragraph = (text: string): string[] =>
  wrap(visible(text), '', LINE_WIDTH - 4).map((line, place) => (place === 0 ? `  ${line}` : `    ${line}`))
