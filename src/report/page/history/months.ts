// Usage by month: a chart of each organization that has several, and the table of all, against the allowance where one is known.
import type { MonthOfUse } from '../../../domain/history.ts'
import { callsAMonth } from '../../../domain/quota.ts'
import { describeQuota } from '../../quota-words.ts'
import { digits } from '../../../domain/text.ts'
import { percent } from '../../numbers.ts'
import { columnsOverTime } from '../charts/columns.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { shorten, visible } from '../../visible.ts'
import { section } from '../overview/parts.ts'
import { HISTORY_WORDS } from './words.ts'

/** An allowance that is so many times what was used would press the columns flat. */
const FAR = 4
const MOST_MONTHS = 24

export function monthSection(months: readonly MonthOfUse[]): SafeHtml {
  const organizations = [...new Set(months.map(({ organization }) => organization))]
  return section(
    { id: 'months', title: HISTORY_WORDS.sections.months },
    html`<p>${HISTORY_WORDS.months.caption}</p>
      ${organizations.map((organization, place) =>
        monthsOf(
          organization,
          months.filter((one) => one.organization === organization).slice(-MOST_MONTHS),
          place + 1,
        ),
      )}`,
  )
}

function monthsOf(organization: string, months: readonly MonthOfUse[], number: number): SafeHtml {
  const words = HISTORY_WORDS.months
  const label = words.label(shorten(visible(organization), 80))
  const rows = months
    .map(({ month, min, max, runs, loads, quota, share }) => [
      month,
      span(min, max),
      digits(runs),
      digits(loads),
      quota === null ? '' : `${percent(share)} of ${describeQuota(quota)}`,
    ])
    .reverse()
  return html`<figure>
    <figcaption dir="auto">${label}</figcaption>
    ${months.length < 2 ? '' : monthChart(label, withGaps(months), number)}
    ${table({ caption: label, rows: [[...words.header], ...rows], isCaptionHidden: true })}
  </figure>`
}

function monthChart(label: string, months: readonly (MonthOfUse | string)[], number: number): SafeHtml {
  const words = HISTORY_WORDS.months
  const used = months.flatMap((one) => (typeof one === 'string' ? [] : [one]))
  const highest = used.reduce((high, { max }) => Math.max(high, max), 0)
  const quota = used.findLast((one) => one.quota !== null)?.quota ?? null
  const allowed = quota === null ? undefined : callsAMonth(quota)
  const every = Math.ceil(months.length / 4)
  const value = (of: (month: MonthOfUse) => number): number[] =>
    months.map((one) => (typeof one === 'string' ? 0 : of(one)))
  return columnsOverTime(
    `overview-months-${number}`,
    {
      label,
      description: used.map(({ month, min, max }) => `${month}: ${span(min, max)}`).join('; '),
    },
    {
      series: [
        { shade: 'kb', label: words.certain, values: value(({ min }) => min) },
        { shade: 'hatched', label: words.possible, values: value(({ min, max }) => max - min) },
      ],
      span: (column) => ({ from: (column + 0.15) / months.length, to: (column + 0.85) / months.length }),
      ticks: months.flatMap((one, place) =>
        place % every === 0
          ? [{ place: (place + 0.5) / months.length, label: typeof one === 'string' ? one : one.month }]
          : [],
      ),
      format: (calls) => (Number.isInteger(calls) ? digits(calls) : ''),
      labelWidth: 0.12,
      reference:
        quota === null || allowed === undefined || allowed > FAR * highest
          ? undefined
          : { value: allowed, label: words.allowance(describeQuota(quota)) },
    },
  )
}

const span = (min: number, max: number): string =>
  min === max ? digits(max) : `${digits(min)} to ${digits(max)}`

/** Months without any use stand between the others, by their names. */
function withGaps(months: readonly MonthOfUse[]): (MonthOfUse | string)[] {
  const all: (MonthOfUse | string)[] = []
  for (const one of months) {
    const before = all.at(-1)
    if (before !== undefined)
      for (
        let name = after(typeof before === 'string' ? before : before.month);
        name < one.month;
        name = after(name)
      )
        all.push(name)
    all.push(one)
  }
  return all
}

/** `2026-12` is followed by `2027-01`. */
function after(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}
