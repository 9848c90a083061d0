// For those who run the service: the pace and the limit it met, the calls that count toward the quota, every figure of the run.
import { costOfAll } from '../../../domain/quota.ts'
import type { Summary } from '../../../domain/summary.ts'
import { accountLines } from '../../account.ts'
import { digits } from '../../../domain/text.ts'
import { describeFailing, describeQuota, shareSpan, nightlyUse } from '../../quota-words.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { limitSection } from './limit.ts'
import { sentence } from './links.ts'
import { paceChart } from './pace.ts'
import { paragraph, section } from './parts.ts'
import { wholePercent, withUnits } from './format.ts'
import { WORDS } from './words.ts'

export function operationSection(summary: Summary): SafeHtml {
  const words = WORDS.operations
  const { pacing, quota } = summary
  const limit = accountLines(summary).find(({ label }) => label === 'Limit')
  const refusals =
    pacing.rate429 === null
      ? words.nothingSent
      : words.refusals(pacing.rateLimited, quota.attempts, wholePercent(pacing.rate429))
  const whole = accountLines(summary).map((line) => [line.label, withUnits(sentence(line.words))])
  return section(
    { id: 'operations', title: WORDS.sections.operations },
    html`${paragraph(refusals)}${limit === undefined ? '' : paragraph(`${limit.label}: ${sentence(limit.words)}.`)}${paceChart(
      summary,
    )}${limitSection(pacing)}${quotaTable(summary)}${useTable(summary)}${table({ caption: words.account, rows: [words.accountHeader, ...whole], words: [1] })}`,
  )
}

/** The account, and what it assumes. */
export function quotaTable({ quota, run }: Pick<Summary, 'quota' | 'run'>): SafeHtml {
  const words = WORDS.operations
  const rows = Object.entries(words.quotaRows)
  const account = rows.map(([key, [name = '', meaning = '']]) => [name, amount(quota, key), meaning])
  const share =
    run.quota === null
      ? []
      : [words.shareRow(withUnits(shareSpan(quota, run.quota)), describeQuota(run.quota))]
  return html`${table({ caption: words.quota, rows: [words.quotaHeader, ...account, ...share], words: [2] })}${
    quota.notCounted > 0 ? paragraph(words.assumed) : ''
  }`
}

/** What asking this set again costs; nothing without an allowance, or of a run that has not come to its end. */
function useTable({ quota, run, state, turns }: Summary): SafeHtml {
  if (run.quota === null || state !== 'complete' || turns.notAsked > 0) return html``
  const words = WORDS.operations
  const { asked, calls, share, isOver } = nightlyUse(costOfAll(quota, turns.total), run.quota)
  const failing = describeFailing(quota, turns.total)
  const rows = [[asked, calls, withUnits(share)]]
  return html`${table({ caption: words.use(run.quota.period), rows: [words.useHeader, ...rows], words: [1, 2] })}${
    isOver ? paragraph(words.over(asked)) : ''
  }${failing === undefined ? '' : paragraph(words.failing(failing))}`
}

function amount(quota: Summary['quota'], key: string): string {
  switch (key) {
    case 'attempts':
    case 'certain':
    case 'possible':
    case 'notCounted':
      return digits(quota[key])
    default:
      return WORDS.between(quota.min, quota.max)
  }
}
