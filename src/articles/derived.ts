// Values that an answer draws from others: sums, multiples, halves, the hours between two times.
import type { Known } from './borne-out.ts'
import { firstNumber } from './fact-patterns.ts'
import type { Fact } from './facts.ts'
import { isBare } from './same-fact.ts'
import type { Sentence } from './source.ts'
import { CONCLUDES, HALVES } from './support-words.ts'

/**
 * Tells whether a value is drawn from others, not from an article. A sentence that says so may draw a sum, a
 * difference, a multiple, a year later. Any sentence may share out an amount of its own ("132 euro for a
 * dozen lessons, 11 euro each"), multiply one by a number of the question, halve one where a half is spoken
 * of, and count the hours between its times. The rest is a claim: a wrong value is often the double of the
 * right one.
 */
export function isDerived(fact: Fact, sentence: Sentence, { answer, asked, stated, own }: Known): boolean {
  const value = sizeOf(fact)
  if (value === undefined) return false
  const isValue = (size: number): boolean => Math.abs(size - value) < 1e-6 * Math.max(1, value)
  const sizesOf = (facts: readonly Fact[]): number[] =>
    facts.flatMap((other) => (other !== fact && isRelated(fact, other) ? (sizeOf(other) ?? []) : []))
  const countsOf = (facts: readonly Fact[]): number[] =>
    facts.filter(isBare).flatMap(({ value: count }) => (Number(count) > 1 ? Number(count) : []))
  const isMultiple = (sizes: readonly number[], counts: readonly number[]): boolean =>
    sizes.some((size) => counts.some((count) => isValue(size * count) || isValue(size / count)))

  const times = sizesOf(sentence.facts.filter(({ kind }) => kind === 'time'))
  if (fact.kind === 'duration' && times.some((time) => times.some((other) => isValue(time - other))))
    return true
  if (CONCLUDES.test(sentence.text)) {
    const sizes = sizesOf(stated)
    // "You get 6 cents off. That makes 38": from 44, which only the source gives, beside the 6 cents.
    const isFromSource = own.some(({ facts }) => {
      const inPassage = fact.kind === 'amount' ? sizesOf(facts) : []
      const isStated = (size: number): boolean => sizes.includes(size)
      return inPassage.some(
        (size) => isStated(size) && inPassage.some((other) => isValue(Math.abs(other - size))),
      )
    })
    if (isFromSource) return true
    const isSum = sizes.some((size, index) =>
      sizes.some((other, at) => at !== index && (isValue(size + other) || isValue(size - other))),
    )
    if (isSum || isMultiple(sizes, [2, 12, ...countsOf(stated)])) return true
  }
  if (fact.kind !== 'amount') return false
  const inSource = sizesOf(own.flatMap(({ facts }) => facts))
  const inQuestion = asked.map(({ digits }) => Number(firstNumber(digits))).filter((count) => count > 1)
  const isHalved = [...answer.sentences, ...own].some(({ text }) => HALVES.test(text))
  return (
    isMultiple(sizesOf(sentence.facts), countsOf(sentence.facts)) ||
    isMultiple(inSource, inQuestion) ||
    (isHalved && sizesOf(stated).some((size) => isValue(size / 2)))
  )
}

const isRelated = (fact: Fact, other: Fact): boolean =>
  (fact.kind === other.kind && fact.unit === other.unit) ||
  (isBare(fact) && /^(?:19|20)\d\d$/.test(fact.value) && other.unit === 'months') ||
  (fact.kind === 'time' && other.kind === 'duration') ||
  (fact.kind === 'duration' && other.kind === 'time') ||
  (fact.kind === 'duration' && other.kind === 'duration')

/** Times and durations are counted in days, or in years. */
export function sizeOf({ kind, value, unit }: Fact): number | undefined {
  const [hour, minute] = kind === 'time' ? value.split(':').map(Number) : []
  if (hour !== undefined) return hour / 24 + (minute ?? 0) / 1440
  const number = Number(value) / (unit === 's' ? 86_400 : unit === 'months' ? 12 : 1)
  return Number.isFinite(number) ? number : undefined
}
