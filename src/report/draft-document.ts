// What `draft` says of its set: first what to check by hand, then how much of the export it stands for.
import { type Draft, MASK_KINDS } from '../domain/draft.ts'
import { digits, listCounts, percent, plural, ratioOf } from '../domain/format.ts'
import { figuresOf, listOf, sectionOf, tableOf, verdictOf, warnings } from './blocks.ts'
import type { Document, Figure, Item } from './document.ts'

export function draftDocument(draft: Draft): Document {
  const { out, questions, conversations } = draft
  return {
    title: [{ untrusted: out }],
    facts:
      questions === conversations
        ? plural(questions, 'question')
        : `${plural(questions, 'question')} in ${plural(conversations, 'conversation')}`,
    at: null,
    verdict: verdictOf('drafted', summaryOf(draft)),
    sections: [
      sectionOf(
        'overview',
        listOf('Check by hand', checksOf(draft)),
        figuresOf(...figuresFor(draft)),
        tableOf(
          'Columns',
          ['Header', 'Read as'],
          draft.files
            .flatMap(({ columns }) => columns)
            .map(({ header, column }) => [{ untrusted: header }, column]),
          { words: 2 },
        ),
        ...warnings(draft.warnings.map((text) => ({ text }))),
      ),
    ],
  }
}

/** Writes `200 questions for 2,310 of 2,904 tickets (80 %)`, for which they stand. */
function summaryOf({ questions, conversations, represented, read }: Draft): string {
  const made = plural(conversations, questions === conversations ? 'question' : 'conversation')
  const share = percent(represented / read, 0)
  return `${made} for ${digits(represented)} of ${plural(read, 'ticket')} (${share})`
}

function checksOf({ masked, withMask, statements }: Draft): Item[] {
  return [
    masked === null
      ? { text: 'Nothing was masked. The endpoint must not get personal data.', tone: 'warn' }
      : { text: 'Names elsewhere in a text are not found. Read every message.' },
    ...(withMask === 0
      ? []
      : [{ text: 'Questions with a mask such as [name]: write something harmless.', count: withMask }]),
    ...(statements === 0 ? [] : [{ text: 'Statements: write the question behind them.', count: statements }]),
    { text: 'Nothing is expected of the answers yet. Add what matters.' },
  ]
}

function figuresFor({ read, asking, represented, masked }: Draft): Figure[] {
  const counts = MASK_KINDS.map((kind) => [kind, masked?.[kind] ?? 0] as const).filter(
    ([, count]) => count > 0,
  )
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  return [
    {
      label: 'Stands for',
      value: percent(represented / read, 0),
      of: ratioOf(represented, read),
      note: 'tickets',
    },
    { label: 'Without a question', value: digits(read - asking), note: 'tickets' },
    ...(masked === null ? [] : [{ label: 'Masked', value: digits(total), note: listCounts(counts) }]),
  ]
}
