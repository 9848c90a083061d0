// Finds conversations of a set that ask the same, for `validate`: each costs a call and says nothing new.
import { distance } from 'fastest-levenshtein'
import type { AlikeConversations, Question } from '../domain/question.ts'
import { compareTexts } from '../domain/text.ts'
import { foldText } from '../domain/fold-text.ts'
import { findContradictions } from './contradictions.ts'
import { tokensOf } from './grading/similarity.ts'
import { groupBy } from './turns.ts'

/** Words that change nothing in what is asked. */
const FILLERS: ReadonlySet<string> = new Set(
  `can could do does did is are will would i we me my our your you to for of in on please hi hello thanks
  bitte hallo danke ich wir man mein meine meinen meinem unser unsere kann können könnte ein eine einen der
  die das`.split(/\s+/),
)

interface Conversation {
  readonly turns: readonly Question[]
}

/**
 * Conversations with equal or nearly equal messages. Nearly equal: the same words in the same order, but for
 * fillers, punctuation and at most one letter; numbers are equal. Finds most of them: texts are compared with
 * their neighbours in two orders, by their beginnings and by their ends (Hernández and Stolfo 1995, the
 * sorted neighbourhood). Near-linear: `joinNearEqual` of drafts finds more, but its time grows with the
 * square of the questions that differ in one word, of which generated sets have 100,000.
 */
export function findAlike(conversations: readonly Conversation[]): AlikeConversations[] {
  const keys = new Set(conversations.map(keyOf))
  const leaders = new Map<string, string>()
  const leaderOf = (key: string): string => {
    const leader = leaders.get(key)
    return leader === undefined ? key : leaderOf(leader)
  }
  for (const [one, other] of [...neighbours(keys, same), ...neighbours(keys, reverse)])
    if (isNear(one, other) && leaderOf(one) !== leaderOf(other)) leaders.set(leaderOf(other), leaderOf(one))
  return [...groupBy(conversations, (conversation) => leaderOf(keyOf(conversation))).values()]
    .filter((group) => group.length > 1)
    .map(describe)
}

const keyOf = ({ turns }: Conversation): string => {
  const words = turns.map(({ message }) =>
    tokensOf(message)
      .filter((word) => !FILLERS.has(word))
      .join(' '),
  )
  // A message of fillers alone counts as it is written.
  return words.join('').trim() === '' ? textOf(turns) : words.join('\n')
}

const textOf = (turns: readonly Question[]): string =>
  turns.map(({ message }) => foldText(message)).join('\n')

const same = (text: string): string => text
const reverse = (text: string): string => Array.from(text).toReversed().join('')

function neighbours(keys: Iterable<string>, orderOf: (key: string) => string): [string, string][] {
  const sorted = Array.from(keys, (key) => ({ key, order: orderOf(key) }))
    .sort((a, b) => compareTexts(a.order, b.order))
    .map(({ key }) => key)
  return sorted.slice(1).map((key, index) => [sorted[index] ?? '', key])
}

const MIN_LENGTH = 8

const isNear = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= MIN_LENGTH &&
  Math.abs(one.length - other.length) <= 1 &&
  one.replaceAll(/\P{N}/gu, '') === other.replaceAll(/\P{N}/gu, '') &&
  distance(one, other) <= 1

function describe(group: readonly Conversation[]): AlikeConversations {
  const equals = [...groupBy(group, ({ turns }) => textOf(turns)).values()]
  return {
    isEqual: equals.length === 1,
    questions: group.flatMap(({ turns: [first] }) =>
      first === undefined
        ? []
        : [{ id: first.id, file: first.file, line: first.line, message: first.message }],
    ),
    contradictions: equals.flatMap((some) =>
      some[0].turns.flatMap((_, turn) => findContradictions(some.flatMap(({ turns }) => turns[turn] ?? []))),
    ),
  }
}
