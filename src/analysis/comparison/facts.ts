// The facts of an answer, and which of them changed between two answers.
import { keyOf, type Reading, readingOf } from './facts/reading.ts'
import type { ChangedFacts, Fact } from './facts/rule.ts'

/**
 * Numbers, amounts, dates, times, durations, percentages, addresses, phone numbers, negations and names in capitals
 * of an answer in English or German, in the order of the text. Never throws; linear time.
 */
export const factsOf = (answer: string): Fact[] => factsIn(readingOf(answer))

export const factsIn = ({ found }: Reading): Fact[] => found.map(({ fact }) => fact)

/** The difference of two answers' facts as multisets, whatever their order: as often as one has a fact more than the other. */
export function changedFacts(before: string, after: string): ChangedFacts {
  if (before === after) return { lost: [], gained: [] }
  const [some, others] = [factsOf(before), factsOf(after)]
  return { lost: without(some, others), gained: without(others, some) }
}

/**
 * What one of two answers says and the other does not. A fact may be said more or less often, but for negations, of
 * which each turns its own sentence.
 */
export function changedSayings(before: Reading, after: Reading): ChangedFacts {
  const [some, others] = [factsIn(before), factsIn(after)]
  return { lost: unsaid(some, others), gained: unsaid(others, some) }
}

/** Whether the answer after says the same: no fact came or went. */
export function saysTheSame(before: string, after: string): boolean {
  if (before === after) return true
  const { lost, gained } = changedSayings(readingOf(before), readingOf(after))
  return lost.length === 0 && gained.length === 0
}

/** The facts that both have, once each. A negation alone says nothing that two answers could share. */
export function sharedFacts(some: readonly Fact[], others: readonly Fact[]): Fact[] {
  const known = new Set(others.map(keyOf))
  return once(some).filter((fact) => fact.kind !== 'negation' && known.has(keyOf(fact)))
}

/** Each fact where it stands first, but every negation. */
function once(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>()
  return facts.filter((fact) => {
    if (fact.kind === 'negation') return true
    const isNew = !seen.has(keyOf(fact))
    seen.add(keyOf(fact))
    return isNew
  })
}

/** The facts that the others lack. */
const unsaid = (facts: readonly Fact[], others: readonly Fact[]): Fact[] => without(once(facts), once(others))

function without(facts: readonly Fact[], others: readonly Fact[]): Fact[] {
  const left = new Map<string, number>()
  for (const fact of others) left.set(keyOf(fact), (left.get(keyOf(fact)) ?? 0) + 1)
  return facts.filter((fact) => {
    const count = left.get(keyOf(fact)) ?? 0
    if (count > 0) left.set(keyOf(fact), count - 1)
    return count === 0
  })
}
