// Classifies the difference between two answers: words, facts, or everything.
import { extractFacts, type Fact } from '../../articles/facts.ts'
import { isInterval, isSameHour } from '../../articles/same-fact.ts'
import type { AnswerKind } from '../../domain/changes.ts'
import { countEach } from '../../domain/counts.ts'
import { foldText } from '../../text/fold.ts'
import { tokenF1, tokensOf } from '../grading/similarity.ts'

/**
 * Less similar answers with no fact in common are different answers. One pair in 50 of sections from two
 * shipped articles reaches this, and so do most rewordings ("Ask your manager to approve the request", "Your
 * manager has to sign off on it first": 0.4).
 */
const MIN_SIMILARITY = 0.25

export interface AnswerChange {
  readonly kind: AnswerKind
  /** Token F1, 0 to 1, as for `min_similarity`, but 0 if one of the texts has no words. */
  readonly similarity: number
  readonly lost: readonly Fact[]
  readonly gained: readonly Fact[]
}

const SAME: AnswerChange = { kind: 'same', similarity: 1, lost: [], gained: [] }

/**
 * `same` ignores case, white space and typographic signs. An `otherAnswer` (few words and no fact in common,
 * or one is empty) lists no facts, for all of them are other facts. Never throws; linear time.
 */
export function compareAnswers(before: string, after: string): AnswerChange {
  if (before === after) return SAME
  const [foldedBefore, foldedAfter] = [foldText(before), foldText(after)]
  if (foldedBefore === foldedAfter) return SAME
  const [oldWords, newWords] = [tokensOf(before, foldedBefore), tokensOf(after, foldedAfter)]
  // SQuAD's F1 treats texts without words as equal, but 👍 and 👎 differ.
  const similarity = oldWords.length === 0 || newWords.length === 0 ? 0 : tokenF1(oldWords, newWords)
  // Most rewordings keep sentences. Where the others agree, so do the answers, and reading facts is slow.
  if (similarity >= MIN_SIMILARITY && compareFacts(...withoutShared(before, after)).isSame)
    return { kind: 'rephrased', similarity, lost: [], gained: [] }
  const { old, now, lost, gained, isSame } = compareFacts(before, after)
  if (similarity < MIN_SIMILARITY && haveNothingInCommon(old, now))
    return { kind: 'otherAnswer', similarity, lost: [], gained: [] }
  return { kind: isSame ? 'rephrased' : 'factsChanged', similarity, lost, gained }
}

function compareFacts(before: string, after: string) {
  // "Each month" and "once a month" say the same.
  const factsIn = (text: string) => withoutRepeats(extractFacts(text).filter((fact) => !isInterval(fact)))
  const [old, now] = [factsIn(before), factsIn(after)]
  const [missing, added] = [missingFrom(old, now), missingFrom(now, old)]
  const others = (facts: readonly Fact[], known: readonly Fact[]): Fact[] =>
    byText(facts.filter((fact) => !known.some((other) => isSameHour(fact, other))))
  const [lost, gained] = [others(missing, added), others(added, missing)]
  return { old, now, lost, gained, isSame: lost.length === 0 && gained.length === 0 }
}

function withoutShared(before: string, after: string): readonly [string, string] {
  const left = countEach(sentencesOf(after))
  const removed = sentencesOf(before).filter((sentence) => {
    const count = left.get(sentence) ?? 0
    if (count > 0) left.set(sentence, count - 1)
    return count === 0
  })
  const added = [...left].flatMap(([sentence, count]) => Array<string>(count).fill(sentence))
  return [removed.join('\n'), added.join('\n')]
}

const sentencesOf = (text: string): string[] => text.split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)

const keyOf = ({ kind, value, unit }: Fact): string => `${kind} ${value} ${unit}`

/** Removes repeated facts, except negations: each negates its own sentence. */
function withoutRepeats(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>()
  return facts.filter((fact) => {
    const isNew = fact.kind === 'negation' || !seen.has(keyOf(fact))
    seen.add(keyOf(fact))
    return isNew
  })
}

/** Matches facts with the same text first, so that of two negations the one that is missing is reported. */
function missingFrom(facts: readonly Fact[], others: readonly Fact[]): Fact[] {
  const left = countEach(others.map(keyOf))
  const texts = new Set(others.map(({ text }) => text))
  const sameFirst = facts.toSorted((a, b) => Number(texts.has(b.text)) - Number(texts.has(a.text)))
  const lost = new Set(
    sameFirst.filter((fact) => {
      const count = left.get(keyOf(fact)) ?? 0
      left.set(keyOf(fact), count - 1)
      return count <= 0
    }),
  )
  return facts.filter((fact) => lost.has(fact))
}

/** One text may hold two facts ("2 to 3 days"), and several sentences may hold one negation. */
const byText = (facts: readonly Fact[]): Fact[] => [
  ...new Map(facts.map((fact) => [`${fact.kind} ${fact.text}`, fact])).values(),
]

/** Ignores a number up to 12 that is shared alone, for many texts contain one, and shared negations. */
function haveNothingInCommon(some: readonly Fact[], others: readonly Fact[]): boolean {
  const known = new Set(others.map(keyOf))
  const shared = some.filter((fact) => fact.kind !== 'negation' && known.has(keyOf(fact)))
  const [first] = shared
  if (first === undefined) return true
  const isSmall = first.kind === 'number' && /^\d{1,2}$/.test(first.value) && Number(first.value) <= 12
  return shared.length === 1 && isSmall
}
