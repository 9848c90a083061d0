// What `rehearse` says: what to mend before the edit is published, then what it changes.
import { sectionName } from '../domain/articles.ts'
import { digits, plural } from '../domain/format.ts'
import type { Affected, Effect, Rehearsal, ReplacedValue } from '../domain/rehearsal.ts'
import { figuresOf, listOf, sectionOf, tableOf, verdictOf } from './blocks.ts'
import type { Block, Document, Item, Text } from './document.ts'

export function rehearsalDocument(rehearsal: Rehearsal): Document {
  const { run, questions, affected, values, moved, edited } = rehearsal
  return {
    title: ['Rehearsal of ', { untrusted: run }],
    facts: `${plural(questions, 'answered question')}, ${plural(edited.length, 'edited article')}, no call`,
    at: null,
    verdict: verdictOf('rehearsed', summaryOf(rehearsal)),
    sections: [
      sectionOf(
        'overview',
        listOf('Other articles that still give the old value', stillOld(values)),
        ...LISTS.map(({ effect, isBeside = false, title, tone }): Block => {
          const items = affected
            .filter((one) => one.effect === effect && (one.isBeside ?? false) === isBeside)
            .map((found) => itemOf(found, tone))
          return listOf(title, items, { total: items.length })
        }),
        listOf(
          'Articles that lose questions',
          moved.map(({ from, to, questions: lost }): Item => ({
            text: [{ untrusted: from.title }, ' → ', to === null ? 'no article' : { untrusted: to.title }],
            count: lost.length,
            details: lost.map(({ message }) => ({ untrusted: message })),
          })),
        ),
        figuresOf(
          { label: 'Affected', value: digits(affected.length), of: `of ${digits(questions)}` },
          { label: 'Values replaced', value: digits(values.length) },
        ),
        tableOf(
          'Edited articles',
          ['Article', '', 'Questions affected'],
          edited.map(({ title, kind, affected: count }) => [{ untrusted: title }, kind, digits(count)]),
          { words: 2 },
        ),
        tableOf(
          'Replaced values',
          ['Old', 'New', 'Section'],
          values.map(({ old, now, section }) => [
            { untrusted: old },
            now === null ? 'removed' : { untrusted: now },
            { untrusted: sectionName(section) },
          ]),
          { words: 3, isMinor: true },
        ),
      ),
    ],
  }
}

const LISTS: readonly {
  readonly effect: Effect
  readonly isBeside?: boolean
  readonly title: string
  readonly tone: Item['tone']
}[] = [
  { effect: 'outdated', title: 'Answers that will be out of date', tone: 'warn' },
  { effect: 'lost', title: 'Answers that lose their article', tone: 'warn' },
  { effect: 'moved', title: 'Questions that another article fits better', tone: 'warn' },
  { effect: 'changed', title: 'Answers that will change', tone: undefined },
  {
    effect: 'changed',
    isBeside: true,
    title: 'Answers whose section is edited beside what they say',
    tone: 'muted',
  },
  { effect: 'weaker', title: 'Answers whose article fits the question less', tone: undefined },
  { effect: 'closes', title: 'Gaps that become answerable', tone: 'good' },
  { effect: 'mayClose', title: 'Gaps to ask again', tone: undefined },
  { effect: 'follows', title: 'Asked after one of these', tone: undefined },
  { effect: 'fragile', title: 'Answers that any edit may change: their article hardly fits', tone: 'muted' },
]

function summaryOf({ affected, values, edited }: Rehearsal): string {
  if (edited.length === 0) return 'the articles are the same: nothing was edited'
  const count = (...effects: readonly Effect[]): number =>
    affected.filter(({ effect }) => effects.includes(effect)).length
  const old = new Set(values.flatMap(({ elsewhere }) => elsewhere.map(({ article }) => article))).size
  const parts = [
    `${plural(count('outdated', 'lost', 'moved', 'changed', 'weaker', 'follows'), 'answer')} may change`,
    `${plural(count('closes'), 'gap')} may close`,
    ...(old === 0 ? [] : [`${plural(old, 'other article')} may still give an old value`]),
  ]
  return parts.join(', ')
}

function stillOld(values: readonly ReplacedValue[]): Item[] {
  return values
    .filter(({ elsewhere }) => elsewhere.length > 0)
    .map(({ old, now, section, elsewhere }) => ({
      text: [{ untrusted: old }, ...(now === null ? [' (removed)'] : [' → ', { untrusted: now }])],
      count: elsewhere.length,
      details: [
        ['in ', { untrusted: sectionName(section) }],
        ...elsewhere.map((other): Text => [
          { untrusted: sectionName(other) },
          other.isSameMatter ? ': ' : ' (another matter?): ',
          { untrusted: other.text },
        ]),
      ],
      tone: elsewhere.some(({ isSameMatter }) => isSameMatter) ? 'warn' : 'muted',
    }))
}

function itemOf({ message, before, after, values }: Affected, tone: Item['tone']): Item {
  const isOther = after !== null && after.article !== before?.article
  return {
    text: { untrusted: message },
    details: [
      ...values.map(({ old, now }): Text => [
        { untrusted: old },
        ...(now === null ? [' (no longer there)'] : [' → ', { untrusted: now }]),
      ]),
      ...(before === null ? [] : [{ untrusted: sectionName(before) }]),
      ...(isOther ? [['→ ', { untrusted: sectionName(after) }] as const] : []),
    ],
    ...(tone && { tone }),
  }
}
