// Questions that got no answer: what kind of error, how many, which.
import type { Summary } from '../../../domain/summary.ts'
import type { SummaryDetails } from '../../../domain/summary-details.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { filterLink, questionId, questionLink } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 8
/** Codes and statuses are the endpoint's: there may be any number of them. */
const MOST_KINDS = 12

export function errorSection({ errors, turns }: Summary, details: SummaryDetails): SafeHtml {
  const words = WORDS.errors
  const also = html`${turns.skipped > 0 ? paragraph(words.skipped(turns.skipped)) : ''}${
    turns.contextLost > 0 ? paragraph(words.contextLost(turns.contextLost)) : ''
  }`
  const part = { id: 'errors', title: `${WORDS.sections.errors} (${errors.errors + turns.skipped})` }
  if (errors.errors === 0)
    return section(
      part,
      html`${paragraph(errors.asked === 0 ? `${WORDS.headline.nothingAsked}.` : words.none)}${also}`,
    )
  const items = details.errors.slice(0, MOST_ITEMS).map(
    ({ id, message, what }) =>
      html`${questionLink(id, message)} ${questionId(id)}
        <ul class="under">
          <li dir="auto">${shorten(what, 300)}</li>
        </ul>`,
  )
  return section(
    part,
    html`${table({ caption: words.by, rows: [[words.kind, words.count], ...kindRows(errors)] })}${also}${foldedList(
      {
        items,
        count: errors.errors,
        shownAtOnce: SHOWN_AT_ONCE,
        rest: { list: 'error' },
      },
    )}`,
  )
}

function kindRows({
  byOutcome,
  byHttpStatus,
  byCode,
}: Summary['errors']): (readonly (string | SafeHtml)[])[] {
  const words = WORDS.errors
  return [
    ...mostFirst(byOutcome).map(([outcome, count]) => [
      filterLink('outcome', outcome, words.outcomes[outcome] ?? outcome),
      String(count),
    ]),
    ...mostFirst(byHttpStatus).map(([status, count]) => [
      words.httpStatus(shorten(status, 40)),
      String(count),
    ]),
    ...mostFirst(byCode).map(([code, count]) => [words.code(shorten(code, 80)), String(count)]),
  ]
}

/** What has none is told by its kind already. */
const mostFirst = (counts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(counts)
    .filter(([name]) => name !== 'none')
    .sort(([, some], [, other]) => other - some)
    .slice(0, MOST_KINDS)
