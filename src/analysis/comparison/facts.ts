// The facts of an answer, and which of them changed between two answers.
import { unifySigns } from '../grading/fold.ts'
import { RULES, trailing, type FactKind } from './fact-rules.ts'

export interface Fact {
  readonly kind: FactKind
  /** Normalised: two ways to write one fact have one value. */
  readonly value: string
  /** As the answer has it, but for white space and typographic signs. */
  readonly text: string
}

export interface ChangedFacts {
  /** What the answer before has and the one after has not, and the other way round. */
  readonly lost: readonly Fact[]
  readonly gained: readonly Fact[]
}

/** Stands for what a rule has read: no letter, digit, space or sign of any pattern. */
const READ = '\0'

/** By sentence: answers from one knowledge base share most of theirs. */
const factsBySentence = new Map<string, readonly Fact[]>()
const MOST_KNOWN = 20_000

/**
 * Numbers, amounts, dates, times, durations, percentages, addresses, phone numbers, negations and names in capitals
 * of an answer in English or German, in the order of the text. Never throws; linear time.
 */
export function factsOf(answer: string): Fact[] {
  // After a word of three letters, so that no abbreviation or number before a full stop is parted from what follows.
  const sentences = tidy(answer).split(/(?<=\p{Ll}{3}[.?!]) (?=\p{Lu})/u)
  return sentences.flatMap((sentence) => {
    const facts = factsBySentence.get(sentence) ?? readFacts(sentence)
    if (factsBySentence.size >= MOST_KNOWN) factsBySentence.clear()
    factsBySentence.set(sentence, facts)
    return facts
  })
}

function readFacts(sentence: string): Fact[] {
  const found: { readonly at: number; readonly fact: Fact }[] = []
  let text = sentence
  for (const { kind, pattern, read } of RULES)
    text = text.replace(pattern, (whole: string, ...more: unknown[]) => {
      const groups = more.slice(0, -2) as (string | undefined)[]
      const values = read([whole, ...groups])
      if (values === undefined) return whole
      const shown = values.length === 0 ? '' : withoutStop(whole)
      for (const value of values) found.push({ at: Number(more.at(-2)), fact: { kind, value, text: shown } })
      return READ.repeat(whole.length)
    })
  return found.sort((some, other) => some.at - other.at).map(({ fact }) => fact)
}

/** Without the signs at the end that belong to the sentence, or to the mark-up around it; "p.m." and "3.11." keep theirs. */
function withoutStop(text: string): string {
  const end = text.length - trailing(text)
  if (end === text.length || /(?:\d\.\d{1,2}|[ap]\. ?m)$/i.test(text.slice(Math.max(0, end - 5), end)))
    return text
  return text.slice(0, end)
}

/** One sign for all that look alike, one space for all white space but line breaks, none at the ends of lines. */
const tidy = (answer: string): string =>
  unifySigns(withDecimals(answer))
    .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim()

const DECIMALS: Readonly<Record<string, string>> = { '½': '.5', '¼': '.25', '¾': '.75' }

/** "1½" and "1 ½" to "1.5", "½" to "0.5": the Unicode forms would make "11/2" of the first. */
const withDecimals = (text: string): string =>
  text.replaceAll(
    /(\d?)(?:(?<=\d)[ \u00a0\u202f])?([½¼¾])/g,
    (_, digit: string, fraction: string) => `${digit || '0'}${DECIMALS[fraction] ?? ''}`,
  )

/** Two facts with one key are one fact. */
const keyOf = ({ kind, value }: Fact): string => `${kind} ${value}`

/**
 * What one of two answers says and the other does not. A fact may be said more or less often, but for negations, of
 * which each turns its own sentence.
 */
export function changedFacts(before: readonly Fact[], after: readonly Fact[]): ChangedFacts {
  const [some, others] = [once(before), once(after)]
  return { lost: without(some, others), gained: without(others, some) }
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

function without(facts: readonly Fact[], others: readonly Fact[]): Fact[] {
  const left = new Map<string, number>()
  for (const fact of others) left.set(keyOf(fact), (left.get(keyOf(fact)) ?? 0) + 1)
  return facts.filter((fact) => {
    const count = left.get(keyOf(fact)) ?? 0
    if (count > 0) left.set(keyOf(fact), count - 1)
    return count === 0
  })
}
