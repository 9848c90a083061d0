// The facts of an answer, and which of them changed between two answers.
import { unifySigns } from '../grading/fold.ts'
import { addressRules, phoneRule } from './facts/addresses.ts'
import { dateRules } from './facts/dates.ts'
import { durationRules } from './facts/durations.ts'
import { numberRules, quantityRules } from './facts/quantities.ts'
import type { Fact, FactRule } from './facts/rule.ts'
import { timeRules } from './facts/times.ts'
import { wordingRules } from './facts/wording.ts'

/** Each rule sees what the ones before it left: a date is no three numbers. */
const RULES: readonly FactRule[] = [
  ...addressRules,
  ...dateRules,
  ...timeRules,
  phoneRule,
  ...quantityRules,
  ...durationRules,
  ...wordingRules,
  ...numberRules,
]

/** Stands for what a rule has read: no letter, digit, space or sign of any pattern. */
const READ = '\0'

/**
 * Numbers, amounts, dates, times, durations, percentages, addresses, phone numbers, negations and names in capitals
 * of an answer in English or German, in the order of the text. Never throws; linear time.
 */
export function factsOf(answer: string): Fact[] {
  const found: { readonly at: number; readonly fact: Fact }[] = []
  let text = unifySigns(answer)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()
  for (const { kind, pattern, read } of RULES) {
    text = text.replaceAll(pattern, (whole: string, ...rest: (string | number | undefined)[]) => {
      // The groups, then the offset and the text.
      const at = rest.find((part) => typeof part === 'number') ?? 0
      const values = read([whole, ...rest.filter((part) => typeof part !== 'number')])
      if (values === undefined) return whole
      for (const value of values) found.push({ at, fact: { kind, value, text: whole } })
      return READ.repeat(whole.length)
    })
  }
  return found.sort((some, other) => some.at - other.at).map(({ fact }) => fact)
}

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
 * Whether the answer after says the same: no fact came or went. A fact may be said more or less often, but for
 * negations, of which each turns its own sentence.
 */
export function saysTheSame(before: string, after: string): boolean {
  if (before === after) return true
  const [some, others] = [factsOf(before), factsOf(after)]
  const known = new Set(some.map(keyOf))
  const now = new Set(others.map(keyOf))
  return (
    known.size === now.size &&
    [...known].every((key) => now.has(key)) &&
    negations(some) === negations(others)
  )
}

const keyOf = ({ kind, value }: Fact): string => `${kind} ${value}`
const negations = (facts: readonly Fact[]): number => facts.filter(({ kind }) => kind === 'negation').length

function without(facts: readonly Fact[], others: readonly Fact[]): Fact[] {
  const left = new Map<string, number>()
  for (const fact of others) left.set(keyOf(fact), (left.get(keyOf(fact)) ?? 0) + 1)
  return facts.filter((fact) => {
    const count = left.get(keyOf(fact)) ?? 0
    if (count > 0) left.set(keyOf(fact), count - 1)
    return count === 0
  })
}
