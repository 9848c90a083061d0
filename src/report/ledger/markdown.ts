// The section of `summary.md` that holds the ledger against the account.
import type { Reconciliation } from '../../domain/reconciliation.ts'
import { plain, table } from '../markdown.ts'
import { classRows, ledgerSentences, refusalSentences } from './words.ts'

const MOST_NOTES = 10

export function ledgerSection(result: Reconciliation): string[] {
  const [header = [], ...rows] = classRows(result)
  const items = [
    ...ledgerSentences(result),
    ...result.notes.slice(0, MOST_NOTES).map((note) => `Note: ${note}`),
  ]
  return [
    '### The ledger against the account',
    '',
    plain(result.verdict.words, 400),
    '',
    ...refusalSentences(result).flatMap((line) => [`**${plain(line, 300)}**`, '']),
    ...table([header, ...rows]),
    ...items.map((line) => `- ${plain(line, 300)}`),
    '',
    'Call by call: `ledger.csv`.',
    '',
  ]
}
