// Questions that got no answer: what kind of error, how many, which.
import type { Summary, SummaryDetails } from '../../../domain/summary.ts'
import { digits } from '../../../domain/text.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { isKeyRefused } from './key-refused.ts'
import { contextLostLine, filterLink, namedQuestion } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 8
/** Codes and statuses are the endpoint's: there may be any number of them. */
const MOST_KINDS = 12

export function errorSection(summary: Summary, details: SummaryDetails): SafeHtml {
  const { errors, turns } = summary
  const words = WORDS.errors
  const isStopped = isKeyRefused(summary)
  const { counts } = details
  const stopped = isStopped ? paragraph(words.keyRefused) : html``
  const also = html`${counts.skipped > 0 ? paragraph(words.skipped(counts.skipped)) : ''}${
    turns.contextLost > 0 ? contextLostLine(words.contextLost(turns.contextLost)) : ''
  }`
  const part = { id: 'errors', title: `${WORDS.sections.errors} (${digits(counts.errors)})` }
  if (errors.errors === 0)
    return section(
      part,
      html`${stopped}${paragraph(errors.asked === 0 ? `${WORDS.headline.nothingAsked}.` : isStopped ? words.noneBefore : words.none)}${also}`,
    )
  const items = details.errors.slice(0, MOST_ITEMS).map(
    ({ id, message, what }) =>
      html`${namedQuestion(id, message)}
        <ul class="under">
          <li dir="auto">${shorten(what, 300)}</li>
        </ul>`,
  )
  return section(
    part,
    html`${stopped}${errorTables(errors, (outcome) =>
      filterLink('outcome', outcome, words.outcomes[outcome] ?? outcome),
    )}${also}${foldedList({
      items,
      count: counts.errors,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { list: 'error', words: words.all(counts.errors) },
    })}`,
  )
}

/** A table for each way of telling errors apart: one error stands in each of them once at most. */
export function errorTables(
  { errors, byOutcome, byHttpStatus, byCode }: Summary['errors'],
  labelOf: (outcome: string) => string | SafeHtml,
): SafeHtml {
  const words = WORDS.errors
  const part = (
    caption: (count: number) => string,
    name: string,
    counts: Readonly<Record<string, number>>,
    label: (key: string) => string | SafeHtml,
  ): SafeHtml => {
    const rows = mostFirst(counts)
    const sum = rows.reduce((whole, [, count]) => whole + count, 0)
    if (sum === 0) return html``
    const rest = rows.slice(MOST_KINDS).reduce((whole, [, count]) => whole + count, 0)
    const shown = rows.slice(0, MOST_KINDS).map(([key, count]) => [label(key), digits(count)])
    return table({
      caption: caption(sum),
      rows: [[name, words.count], ...shown, ...(rest === 0 ? [] : [[words.rest, digits(rest)]])],
    })
  }
  return html`${part(() => words.by(errors), words.kind, byOutcome, labelOf)}${part(
    (count) =>
      words.byStatus(
        count,
        Object.keys(byHttpStatus).some((status) => status.startsWith('2')),
      ),
    words.status,
    byHttpStatus,
    (status) => shorten(status, 40),
  )}${part(words.byCode, words.code, byCode, (code) => shorten(code, 80))}`
}

/** What has none is told by its kind already. */
const mostFirst = (counts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(counts)
    .filter(([name]) => name !== 'none')
    .sort(([, some], [, other]) => other - some)
