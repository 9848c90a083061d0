// For those who run the service: the pace and the limit it met, the calls that count toward the quota, every figure of the run.
import type { Summary } from '../../../domain/summary.ts'
import { accountLines } from '../../account.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { sentence } from './links.ts'
import { paceChart } from './pace.ts'
import { paragraph, section } from './parts.ts'
import { wholePercent } from './format.ts'
import { WORDS } from './words.ts'

export function operationSection(summary: Summary): SafeHtml {
  const words = WORDS.operations
  const { pacing, quota, run } = summary
  const limit = accountLines(summary).find(({ label }) => label === 'Limit')
  const refusals =
    pacing.rate429 === null
      ? words.nothingSent
      : words.refusals(pacing.rateLimited, quota.attempts, wholePercent(pacing.rate429))
  const rows = Object.entries(words.quotaRows)
  const account = rows.map(([key, [name = '', meaning = '']]) => [name, amount(quota, key), meaning])
  const whole = accountLines(summary).map((line) => [line.label, sentence(line.words)])
  return section(
    { id: 'operations', title: WORDS.sections.operations },
    html`${paragraph(refusals)}${limit === undefined ? '' : paragraph(`${limit.label}: ${sentence(limit.words)}.`)}${paceChart(
      summary,
    )}${table({ caption: words.quota, rows: [words.quotaHeader, ...account], words: [2] })}${
      quota.notCounted > 0 && !run.countRejected ? paragraph(words.assumed) : ''
    }${table({ caption: words.account, rows: [words.accountHeader, ...whole], words: [1] })}`,
  )
}

function amount(quota: Summary['quota'], key: string): string {
  switch (key) {
    case 'attempts':
    case 'certain':
    case 'possible':
    case 'notCounted':
      return String(quota[key])
    default:
      return WORDS.between(quota.min, quota.max)
  }
}
