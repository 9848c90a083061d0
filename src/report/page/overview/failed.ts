// What was not answered as expected, by who can mend it: must-pass questions, wrong articles, the rest; and what wavers.
import type { RepeatedQuestion } from '../../../domain/repeats.ts'
import type { Summary, FailedTurn, SummaryDetails } from '../../../domain/summary.ts'
import { failedCount } from '../../must-pass.ts'
import { digits } from '../../../domain/text.ts'
import { tellAnswerOnce } from '../../told-once.ts'
import { shorten } from '../../visible.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { namedQuestion, questionLink, sentence } from './links.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { wholePercent } from './format.ts'
import { WORDS } from './words.ts'

const SHOWN_AT_ONCE = 8
const MOST_SENTENCES = 3
const MOST_FLAKY = 200

export function failedSection(summary: Summary, details: SummaryDetails): SafeHtml {
  const words = WORDS.failed
  const { notGraded, notAsked = 0 } = summary.expectations
  const unjudged = notGraded + notAsked
  const { counts } = details
  const { failed, forgiven, wrong } = counts
  const passed = counts.judged - failed
  const wrongIds = new Set(details.wrong.map(({ id }) => id))
  const others = details.failures.filter(({ id }) => !wrongIds.has(id))
  const other = failedCount(details) - wrong
  const lists = [
    mustPassList(summary, details),
    failureList('failed-wrong', words.wrong(wrong), details.wrong, wrong, failed),
    failureList('failed-other', words.other(other), others, other, failed),
  ]
  const none =
    passed === 0 && unjudged === 0 ? words.noExpectations : passed === 1 ? words.oneNone : words.none(passed)
  return section(
    { id: 'failed', title: `${WORDS.sections.failed} (${digits(failed)})` },
    html`${failed === 0 && summary.mustPass.length === 0 && (passed > 0 || unjudged === 0) ? paragraph(none) : ''}${
      notGraded > 0 ? paragraph(words.notGraded(notGraded)) : ''
    }${notAsked > 0 ? paragraph(words.notAsked(notAsked)) : ''}${forgiven > 0 ? paragraph(words.forgiven(forgiven)) : ''}${lists}`,
  )
}

function mustPassList({ mustPass }: Summary, { counts, failures, messages }: SummaryDetails): SafeHtml {
  const known = new Map(failures.map((one) => [one.id, one]))
  const items = mustPass
    .slice(0, MOST_ITEMS)
    .map(
      (one) =>
        html`${namedQuestion(one.id, known.get(one.id)?.message ?? messages?.get(one.id) ?? '')}
        ${sentenceList(known.get(one.id)?.sentences ?? [one.reason])}`,
    )
  return subsection(
    'failed-must-pass',
    WORDS.failed.mustPass(mustPass.length),
    items,
    mustPass.length,
    counts.failed,
  )
}

const failureList = (
  id: string,
  title: string,
  turns: readonly FailedTurn[],
  count: number,
  all: number,
): SafeHtml => subsection(id, title, turns.slice(0, MOST_ITEMS).map(failureItem), count, all)

/** `all`: that the list of conversations holds: it does not tell the parts apart. */
function subsection(
  id: string,
  title: string,
  items: readonly SafeHtml[],
  count: number,
  all: number,
): SafeHtml {
  if (count === 0) return html``
  return section(
    { id, title, level: 3 },
    foldedList({
      items,
      count,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { list: 'failed', words: WORDS.failed.all(all) },
    }),
  )
}

const failureItem = ({ id, message, sentences }: FailedTurn): SafeHtml =>
  html`${namedQuestion(id, message)} ${sentenceList(sentences)}`

function sentenceList(sentences: readonly string[]): SafeHtml {
  const left = sentences.length - MOST_SENTENCES
  const shown = tellAnswerOnce(sentences.slice(0, MOST_SENTENCES))
  return html`<ul class="under">
    ${shown.map((one) => html`<li dir="auto">${shorten(one, 300)}</li>`)}${
      left > 0 ? html`<li>${WORDS.failed.further(left)}</li>` : ''
    }
  </ul>`
}

/** Nothing where no question wavers. */
export function flakySection(
  flaky: readonly RepeatedQuestion[],
  { counts: { flaky: count }, messages }: Pick<SummaryDetails, 'counts' | 'messages'>,
  hasMoved: boolean,
): SafeHtml {
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
    { id: 'flaky', title: `${WORDS.sections.flaky} (${digits(count)})` },
    html`${foldedList({
      items: flaky.slice(0, MOST_ITEMS).map(({ id, passRate, groundingRate }) => {
        const facts = [
          ...(groundingRate === null ? [] : [`${header[3]} ${wholePercent(groundingRate)}`]),
          ...(passRate === null ? [] : [`${header[4]} ${wholePercent(passRate)}`]),
        ]
        return html`${namedQuestion(id, messages?.get(id) ?? '')}
          <small>${sentence(facts.join(', ') || WORDS.flaky.differs)}</small>`
      }),
      count,
      shownAtOnce: SHOWN_AT_ONCE,
      rest: { list: 'flaky', words: hasMoved ? WORDS.flaky.withMoved : WORDS.inList },
    })}${dataBeside(WORDS.figuresBeside, { caption, rows: [header, ...rows] })}${
      count > MOST_FLAKY ? paragraph(WORDS.more(count - MOST_FLAKY, WORDS.inFile('summary.json'))) : ''
    }`,
  )
}
