// What was not answered as expected, by who can mend it: must-pass questions, wrong articles, the rest; and what wavers.
import type { RepeatedQuestion } from '../../../domain/repeats.ts'
import type { Summary } from '../../../domain/summary.ts'
import type { FailedTurn, SummaryDetails } from '../../../domain/summary-details.ts'
import { describeConfirmation, failedCount } from '../../must-pass.ts'
import { shorten } from '../../visible.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { questionId, questionLink, sentence } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { wholePercent } from './format.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 8
const MOST_SENTENCES = 3
const MOST_FLAKY = 200

export function failedSection(summary: Summary, details: SummaryDetails): SafeHtml {
  const words = WORDS.failed
  const { passed, notGraded } = summary.expectations
  const failed = failedCount(summary, details)
  const wrong = new Set(details.wrong.map(({ id }) => id))
  const others = details.failures.filter(({ id }) => !wrong.has(id))
  const lists = [
    mustPassList(summary, details),
    failureList('failed-wrong', words.wrong(wrong.size), details.wrong, wrong.size),
    failureList('failed-other', words.other(failed - wrong.size), others, failed - wrong.size),
  ]
  const none =
    passed === 0 && notGraded === 0 ? words.noExpectations : passed === 1 ? words.oneNone : words.none(passed)
  return section(
    { id: 'failed', title: `${WORDS.sections.failed} (${failed})` },
    html`${failed === 0 && summary.mustPass.length === 0 && (passed > 0 || notGraded === 0) ? paragraph(none) : ''}${
      notGraded > 0 ? paragraph(words.notGraded(notGraded)) : ''
    }${lists}`,
  )
}

function mustPassList({ mustPass }: Summary, { failures }: SummaryDetails): SafeHtml {
  const messages = new Map(failures.map(({ id, message }) => [id, message]))
  const items = mustPass.slice(0, MOST_ITEMS).map(
    (one) =>
      html`${questionLink(one.id, messages.get(one.id) ?? '')} ${questionId(one.id)}
        <small>${describeConfirmation(one)}</small>
        <ul class="under">
          <li dir="auto">${shorten(one.reason, 300)}</li>
        </ul>`,
  )
  return subsection('failed-must-pass', WORDS.failed.mustPass(mustPass.length), items, mustPass.length)
}

const failureList = (id: string, title: string, turns: readonly FailedTurn[], count: number): SafeHtml =>
  subsection(id, title, turns.slice(0, MOST_ITEMS).map(failureItem), count)

function subsection(id: string, title: string, items: readonly SafeHtml[], count: number): SafeHtml {
  if (count === 0) return html``
  return section(
    { id, title, level: 3 },
    foldedList({ items, count, shownAtOnce: SHOWN_AT_ONCE, rest: { list: 'failed' } }),
  )
}

const failureItem = ({ id, message, sentences }: FailedTurn): SafeHtml =>
  html`${questionLink(id, message)} ${questionId(id)}
    <ul class="under">
      ${sentences.slice(0, MOST_SENTENCES).map((one) => html`<li dir="auto">${shorten(one, 300)}</li>`)}
    </ul>`

/** Nothing where no question wavers. */
export function flakySection(flaky: readonly RepeatedQuestion[]): SafeHtml {
  if (flaky.length === 0) return html``
  const { caption, header } = WORDS.flaky
  const rows = flaky
    .slice(0, MOST_FLAKY)
    .map(({ id, asked, answered, passRate, groundingRate, agreement }) => [
      questionLink(id, ''),
      String(asked),
      String(answered),
      wholePercent(groundingRate),
      wholePercent(passRate),
      wholePercent(agreement),
    ])
  return section(
    { id: 'flaky', title: `${WORDS.sections.flaky} (${flaky.length})` },
    html`${foldedList({
      items: flaky.slice(0, MOST_ITEMS).map(({ id, passRate, groundingRate }) => {
        const facts = [
          ...(groundingRate === null ? [] : [`${header[3]} ${wholePercent(groundingRate)}`]),
          ...(passRate === null ? [] : [`${header[4]} ${wholePercent(passRate)}`]),
        ]
        return html`${questionLink(id, '')}
          <small>${sentence(facts.join(', ') || WORDS.flaky.differs)}</small>`
      }),
      count: flaky.length,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { list: 'flaky' },
    })}${dataBeside(WORDS.figuresBeside, { caption, rows: [header, ...rows] })}`,
  )
}
