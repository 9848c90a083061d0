// The facts of an answer, and which of them changed between two answers.
import { unifySigns } from '../grading/fold.ts'
import { finderOf } from './facts/find.ts'
import type { Fact } from './facts/rule.ts'
import { RULES } from './facts/rules.ts'

const finder = finderOf(RULES)

/**
 * Numbers, amounts, dates, times, durations, percentages, addresses, phone numbers, negations and names in capitals
 * of an answer in English or German, in the order of the text. Never throws; linear time.
 */
export const factsOf = (answer: string): Fact[] => finder(tidy(answer))

/** One sign for all that look alike, one space for all white space but line breaks, none at the ends of lines. */
const tidy = (answer: string): string =>
  unifySigns(answer)
    .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()

export interface ChangedFacts {
  /** As often as the answer before has a fact more than the one after, and the other way round; in their order. */
  readonly lost: readonly Fact[]
  readonly gained: readonly Fact[]
}

/** The difference of two answers' facts as multisets, whatever their order. */
export function changedFacts(before: string, after: string): ChangedFacts {
  if (before === after) return { lost: [], gained: [] }
  const [some, others] = [factsOf(before), factsOf(after)]
  return { lost: without(some, others), gained: without(others, some) }
}

/**
 * What one of two answers says and the other does not. A fact may be said more or less often, but for negations, of
 * which each turns its own sentence.
 */
export function changedSayings(before: readonly Fact[], after: readonly Fact[]): ChangedFacts {
  return { lost: unsaid(before, after), gained: unsaid(after, before) }
}

/** Whether the answer after says the same: no fact came or went. */
export function saysTheSame(before: string, after: string): boolean {
  if (before === after) return true
  const { lost, gained } = changedSayings(factsOf(before), factsOf(after))
  return lost.length === 0 && gained.length === 0
}

/** The facts that both have, once each. A negation alone says nothing that two answers could share. */
export function sharedFacts(some: readonly Fact[], others: readonly Fact[]): Fact[] {
  const known = new Set(others.map(keyOf))
  return once(some).filter((fact) => fact.kind !== 'negation' && known.has(keyOf(fact)))
}

const keyOf = ({ kind, value }: Fact): string => `${kind} ${value}`

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
