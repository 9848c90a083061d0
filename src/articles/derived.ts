// Values that an answer draws from others: sums, multiples, halves, the hours between two times.
import { groupBy } from '../domain/counts.ts'
import type { Known } from './borne-out.ts'
import { dayOf } from './derived-dates.ts'
import { firstNumber } from './fact-patterns.ts'
import type { Fact } from './facts.ts'
import { isBare, sizeOf } from './same-fact.ts'
import type { Sentence } from './source.ts'
import { CONCLUDES, DOUBLES, HALVES, TOTAL_BEFORE, TOTAL_BEHIND } from './support-words.ts'

/**
 * Tells whether a value is drawn from others, not from an article. Any sentence may count the hours between
 * its times. An answer may calculate with amounts, and with numbers of the question: sums, differences,
 * multiples, percentages ("70 less 50: you save 20"). A sentence that says so may do this with any value, and
 * double it. The rest is a claim: a wrong value is often the double of the right one.
 */
export function isDerived(fact: Fact, sentence: Sentence, { answer, asked, stated, own }: Known): boolean {
  const value = sizeOf(fact)
  if (value === undefined) return false
  const before = sentence.text.slice(0, fact.start - sentence.start).replaceAll('*', '')
  const behind = sentence.text.slice(fact.end - sentence.start).replaceAll('*', '')
  // A total of money is a sum of prices, and can be found.
  if (fact.kind !== 'amount' && (TOTAL_BEFORE.test(before) || TOTAL_BEHIND.test(behind))) return true
  const isValue = (size: number): boolean => Math.abs(size - value) < 1e-6 * Math.max(1, value)
  const sizesOf = (facts: readonly Fact[]): number[] => {
    // "I earn 2,500 net": the question need not name the currency.
    const isAsked = (other: Fact): boolean =>
      fact.kind === 'amount' && isBare(other) && Number(other.value) >= 10 && asked.includes(other)
    const sizes = facts.flatMap((other) =>
      isRelated(fact, other) || isAsked(other) ? (sizeOf(other) ?? []) : [],
    )
    return [...new Set(sizes)].filter((size) => size !== value)
  }
  const numbersOf = (facts: readonly Fact[]): number[] =>
    facts.map(({ digits }) => Number(firstNumber(digits))).filter((count) => count > 1)
  const countsOf = (facts: readonly Fact[]): number[] =>
    numbersOf(facts.filter((other) => other.kind === 'number' || other.kind === 'duration'))
  const isSum = (sizes: readonly number[], others: readonly number[]): boolean =>
    sizes.some((size) => others.some((other) => size !== other && isValue(Math.abs(size - other)))) ||
    sizes.some((size) => others.some((other) => size !== other && isValue(size + other)))
  const isMultiple = (sizes: readonly number[], counts: readonly number[]): boolean =>
    sizes.some((size) => counts.some((count) => isValue(size * count) || isValue(size / count)))

  const at = answer.sentences.indexOf(sentence)
  const near = answer.sentences.slice(Math.max(0, at - 1), at + 2).flatMap(({ facts }) => facts)
  const sizes = sizesOf(stated)
  const times = sizesOf([...asked, ...sentence.facts].filter(({ kind }) => kind === 'time'))
  const isBetween = (moments: readonly number[]): boolean =>
    moments.some((from) => moments.some((to) => isValue(to - from)))
  if (fact.kind === 'duration') {
    // "From 2 June to 20 June", "closed from 3 to 3:45".
    const dates = [...asked, ...sentence.facts].map(dayOf).filter((day) => !Number.isNaN(day))
    const ranges = own.map(({ facts }) => sizesOf(facts.filter(({ kind }) => kind === 'time')))
    if ([times, dates, ...ranges].some(isBetween)) return true
  }
  if (fact.kind === 'time' && isEnd(own, isValue)) return true
  // A week has seven nights.
  const nights = near.flatMap(({ unit, value: length }) => (unit === 's' ? Number(length) / 86_400 : []))
  const counts = [
    ...countsOf([...asked, ...near]).filter((count) => count !== Number(fact.value)),
    ...nights.filter((count) => count > 1 && count <= 31),
  ]
  // "500 of 8,000 rows are 6.25 %."
  const inSentence = countsOf([...asked, ...sentence.facts])
  const isShare = (part: number): boolean => inSentence.some((whole) => isValue((100 * part) / whole))
  if (fact.kind === 'percentage' && inSentence.some(isShare)) return true
  const inSource = sizesOf(own.flatMap(({ facts }) => facts))
  // "From 8 to 3" is seven hours, of which the first five are free.
  const hours = times.flatMap((time) => times.map((other) => Math.abs(time - other)))
  const inQuestion = [...sizesOf(asked), ...(fact.kind === 'duration' ? hours : [])]
  if (isSum(inQuestion, inSource)) return true
  // A number of the question is halved, multiplied by one beside it, or a share of it taken.
  const sharesOf = (facts: readonly Fact[]): number[] =>
    facts.flatMap((some) => (some.kind === 'percentage' ? Number(some.value) / 100 : []))
  const shares = sharesOf(stated)
  if (
    fact.kind === 'number' &&
    isMultiple(isBare(fact) ? numbersOf(asked) : sizesOf(asked), [2, ...counts, ...shares])
  )
    return true
  if (isShareOf(counts, sharesOf(asked), value, sentence)) return true
  // "92 spaces, 64 of them indoors and 28 outdoors", "two terms of three years: six years".
  const here = sizesOf(sentence.facts)
  if (here.some((size) => here.some((other) => size !== other && isValue(size + other)))) return true
  if (here.some((size) => countsOf(sentence.facts).some((count) => isValue(size * count)))) return true
  const isConcluded = CONCLUDES.test(sentence.text)
  if (isConcluded && isExample(fact, value, sentence)) return true
  const isAmount = fact.kind === 'amount'
  if (!isConcluded && !isAmount && inQuestion.length === 0) return false
  const products = sizes.flatMap((size) => counts.map((count) => size * count))
  if (isSum(sizes, sizes) || (isConcluded && isMultiple(sizes, [2, 12, ...countsOf(stated)]))) return true
  if (!isAmount) return false
  const isHalved = [...answer.sentences, ...own].some(({ text }) => HALVES.test(text))
  const isDoubled = answer.sentences.some(({ text }) => DOUBLES.test(text))
  // "100 points are worth €4": the answer's 340 points are worth €13.60.
  const rates = own.flatMap(({ facts }) =>
    numbersOf(facts.filter((some) => isBare(some) && some.digits.length < 10)).flatMap((count) =>
      sizesOf(facts).map((size) => size / count),
    ),
  )
  const sums = sizes.flatMap((size) => sizes.flatMap((other) => (other > size ? size + other : [])))
  const parts = shares.flatMap((share) => [share, 1 - share, 1 + share])
  const ofSource = sharesOf(own.flatMap(({ facts }) => facts))
  return (
    isMultiple(sizes, [...counts, ...parts, ...ofSource, ...(isHalved ? [2] : [])]) ||
    // "42p a mile and 5p for a passenger: 14.10 for 30 miles"; "4.60 and 1.40, less 0.30 with your own cup".
    isMultiple(sums, countsOf(asked)) ||
    isSum(sums, inSource) ||
    isMultiple(inSource, [...countsOf(asked), ...parts, ...(isDoubled ? [2] : [])]) ||
    countsOf(stated).some((count) => rates.some((rate) => isValue(count * rate))) ||
    // "You get 6 cents off. That makes 38": from 44, which only the source gives.
    (isConcluded && (isSum(sizes, inSource) || isSum(sizes, products)))
  )
}

/** "From eleven, it takes 90 minutes", "90 minutes before we close at ten": its section says the other end. */
const isEnd = (own: Known['own'], isValue: (size: number) => boolean): boolean =>
  [...groupBy(own, ({ section }) => section.heading).values()].some((passages) => {
    const sizesOf = (kind: Fact['kind']): number[] =>
      passages.flatMap(({ facts }) =>
        facts.flatMap((some) => (some.kind === kind && some.unit !== 'months' ? (sizeOf(some) ?? []) : [])),
      )
    const lengths = sizesOf('duration')
    return sizesOf('time').some((begin) =>
      lengths.some((length) => isValue(begin + length) || isValue(begin - length)),
    )
  })

/** "27 days full time, at 60 % that is 16.2, rounded up 16.5." */
function isShareOf(counts: readonly number[], shares: readonly number[], value: number, { text }: Sentence) {
  const least = ROUNDS.test(text) && (2 * value) % 1 === 0 ? 0.5 : 1e-6 * Math.max(1, value)
  return counts.some((count) => shares.some((share) => Math.abs(share * count - value) < least))
}

/** "At 29p each, 20 kWh would be 5.80": the answer chose the 20. */
function isExample(fact: Fact, value: number, { facts }: Sentence): boolean {
  const paid = facts.flatMap((some) => (some.kind === 'amount' ? (sizeOf(some) ?? []) : []))
  const isPaid = (sum: number): boolean => paid.some((price) => Math.abs(sum / price - value) < 1e-6)
  return fact.kind === 'number' && !isBare(fact) && paid.some(isPaid)
}

const ROUNDS = /rounded|gerundet|arrondi|redonde/iu

/** "My ticket was 7.90" names no currency. */
const isPrice = (fact: Fact): boolean => isBare(fact) && /\d[.,]\d\d$/.test(fact.digits)

const isRelated = (fact: Fact, other: Fact): boolean =>
  (fact.kind === 'amount' && (isPrice(other) || other.unit === '¤')) ||
  (fact.kind === other.kind && fact.unit === other.unit) ||
  (isBare(fact) &&
    (other.kind === 'number' || (/^(?:19|20)\d\d$/.test(fact.value) && other.unit === 'months'))) ||
  (fact.kind === 'time' && other.kind === 'duration') ||
  (fact.kind === 'duration' && other.kind === 'time') ||
  (fact.kind === 'duration' && other.kind === 'duration')
