// What `draft` says of its set: first what to check by hand, then how much of the export it stands for.
import { type Draft, MASK_KINDS } from '../domain/draft.ts'
import { digits, listCounts, percent, plural, ratioOf } from '../domain/format.ts'
import { figuresOf, listOf, sectionOf, verdictOf, warnings } from './blocks.ts'
import type { Document, Figure, Item } from './document.ts'

export function draftDocument(draft: Draft): Document {
  return {
    title: [{ untrusted: draft.out }],
    facts: plural(draft.questions, 'question'),
    at: null,
    verdict: verdictOf('drafted', summaryOf(draft)),
    sections: [
      sectionOf(
        'overview',
        listOf('Check by hand', checksOf(draft)),
        figuresOf(...figuresFor(draft)),
        ...warnings(draft.warnings.map((text) => ({ text }))),
      ),
    ],
  }
}

/** Writes `200 questions for 2,310 of 2,904 tickets (80 %)`, for which they stand. */
const summaryOf = ({ questions, represented, read }: Draft): string =>
  `${plural(questions, 'question')} for ${digits(represented)} of ${plural(read, 'ticket')} ` +
  `(${percent(represented / read, 0)})`

function checksOf({ check }: Draft): Item[] {
  const counts = [
    [check.withMask, 'With a mask such as [name]: write something harmless.'],
    [check.shortened, 'Shortened: the whole text is in the column original.'],
    [check.severalQuestions, 'With several questions: keep one, or split them.'],
    [check.noQuestion, 'Without a question mark: write what is asked.'],
  ] as const
  return [
    { text: 'Names elsewhere in a text are not found. Read every message.' },
    ...counts.flatMap(([count, text]) => (count === 0 ? [] : [{ text, count }])),
    { text: 'Nothing is expected of the answers yet. Add what matters.' },
  ]
}

function figuresFor({ read, represented, headers, leftOut, masked }: Draft): Figure[] {
  const reasons = [
    ['without a text', leftOut.empty],
    ['only courtesy or quotes', leftOut.courtesy],
  ] as const
  const kinds = MASK_KINDS.map((kind) => [kind, masked[kind]] as const)
  const counted = (counts: readonly (readonly [string, number])[]) => ({
    value: digits(counts.reduce((sum, [, count]) => sum + count, 0)),
    note: listCounts(counts.filter(([, count]) => count > 0)),
  })
  return [
    {
      label: 'Stands for',
      value: percent(represented / read, 0),
      of: ratioOf(represented, read),
      note: { untrusted: `tickets, read from ${headers.join(' and ')}` },
    },
    { label: 'Left out', ...counted(reasons) },
    ...(leftOut.agentRows === 0
      ? []
      : [{ label: "Agents' rows left out", value: digits(leftOut.agentRows) }]),
    { label: 'Masked', ...counted(kinds) },
  ]
}
