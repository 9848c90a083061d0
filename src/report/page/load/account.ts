// What the load test counts toward the quota, and all its figures as the other reports have them.
import type { LoadReport } from '../../../domain/load.ts'
import { loadLines } from '../../load-account.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { limitSection } from '../overview/limit.ts'
import { sentence } from '../overview/links.ts'
import { quotaTable } from '../overview/operations.ts'
import { paragraph, section } from '../overview/parts.ts'
import { LOAD_WORDS } from './words.ts'

export function accountSection(report: LoadReport): SafeHtml {
  const rows = loadLines(report).map(({ label, words }) => [label, sentence(words)])
  return section(
    { id: 'operations', title: LOAD_WORDS.sections.operations },
    html`${limitSection({ finding: report.limit, limit: null })}${quotaTable(report)}${table({
      caption: LOAD_WORDS.account,
      rows: [LOAD_WORDS.accountHeader, ...rows],
      words: [1],
    })}${paragraph(LOAD_WORDS.turnsWhere)}`,
  )
}
