// Values that an answer draws from others: sums, multiples, halves, the hours between two times.
import { groupBy } from '../domain/counts.ts'
import { isWeekday, type Known } from './borne-out.ts'
import { firstNumber } from './fact-patterns.ts'
import type { Fact } from './facts.ts'
import { isBare, sizeOf } from './same-fact.ts'
import type { Sentence } from './source.ts'
import { CONCLUDES, DOUBLES, HALVES } from './support-words.ts'

/**
 * Tells whether a value is drawn from others, not from an article. Any sentence may count the hours between
 * its times. An answer may calculate with amounts, and with numbers of the question: sums, differences,
 * multiples, percentages ("70 less 50: you save 20"). A sentence that says so may do this with any value, and
 * double it. The rest is a claim: a wrong value is often the double of the right one.
 */
export function isDerived(fact: Fact, sentence: Sentence, { answer, asked, stated, own }: Known): boolean {
  const value = sizeOf(fact)
  const durations = [...stated, ...own.flatMap(({ facts }) => facts)].filter(
    ({ kind }) => kind === 'duration',
  )
  if (value === undefined)
    return isBesideAsked(fact, sentence, asked) || isCountedFrom(fact, asked, durations)
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
  if (fact.kind === 'duration' && times.some((time) => times.some((other) => isValue(time - other))))
    return true
  if (fact.kind === 'time' && isEnd(own, isValue)) return true
  const counts = countsOf([...asked, ...near]).filter((count) => count !== Number(fact.value))
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
  return (
    isMultiple(sizes, [...counts, ...parts, ...(isHalved ? [2] : [])]) ||
    // "42p a mile and 5p for a passenger: 14.10 for 30 miles"; "4.60 and 1.40, less 0.30 with your own cup".
    isMultiple(sums, countsOf(asked)) ||
    isSum(sums, inSource) ||
    isMultiple(inSource, [...countsOf(asked), ...parts, ...(isDoubled ? [2] : [])]) ||
    countsOf(stated).some((count) => rates.some((rate) => isValue(count * rate))) ||
    // "You get 6 cents off. That makes 38": from 44, which only the source gives.
    (isConcluded && (isSum(sizes, inSource) || isSum(sizes, products)))
  )
}

/** "At eleven, it takes 90 minutes": a section that says so says when it ends. */
const isEnd = (own: Known['own'], isValue: (size: number) => boolean): boolean =>
  [...groupBy(own, ({ section }) => section.heading).values()].some((passages) => {
    const sizesOf = (kind: Fact['kind']): number[] =>
      passages.flatMap(({ facts }) =>
        facts.flatMap((some) => (some.kind === kind && some.unit !== 'months' ? (sizeOf(some) ?? []) : [])),
      )
    const lengths = sizesOf('duration')
    return sizesOf('time').some((begin) => lengths.some((length) => isValue(begin + length)))
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

/** "Ten days before", "three years from the end of the year": counted from a date of the question. */
function isCountedFrom(fact: Fact, asked: readonly Fact[], durations: readonly Fact[]): boolean {
  const dayOf = ({ kind, value }: Fact): number =>
    kind === 'date' ? Date.parse(value.replace(/^--/, '2001-')) : NaN
  const day = dayOf(fact)
  if (Number.isNaN(day)) return false
  return asked.some((other) =>
    durations.some(({ unit, value }) => {
      if (unit !== 'months') return Math.abs(day - dayOf(other)) === Number(value) * 1000
      return [-1, 1].some((sign) => isEndOf(dayOf(other), sign * Number(value), day))
    }),
  )
}

/** A term of months may run to the day, or to the end of the month or the year. */
function isEndOf(from: number, months: number, day: number): boolean {
  const date = new Date(from)
  date.setUTCMonth(date.getUTCMonth() + months)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return [date.getTime(), Date.UTC(year, month + 1, 0), Date.UTC(year, 12, 0)].includes(day)
}

/** "May's overtime comes with June's pay"; "as the 25th is a Sunday, on the Friday before". */
function isBesideAsked(fact: Fact, { text, start }: Sentence, asked: readonly Fact[]): boolean {
  const monthOf = ({ kind, value }: Fact): number =>
    kind === 'date' ? Number(/^(?:\d{4}|-)-(\d\d)/.exec(value)?.[1]) : NaN
  const isMonth = /^--\d\d$/.test(fact.value)
  if (isMonth && asked.some((other) => [1, 11].includes(Math.abs(monthOf(other) - monthOf(fact)))))
    return true
  return isWeekday(fact) && asked.some(isWeekday) && BESIDE.test(text.slice(fact.end - start))
}
const BESIDE = new RegExp(
  '^,? (?:before|after|earlier|later|davor|danach|zuvor|vorher|darauf|précédent|suivant' +
    "|d'avant|d'après|anterior|siguiente)",
  'iu',
)

const ROUNDS = /rounded|gerundet|arrondi|redonde/iu

/** "My ticket was 7.90" names no currency. */
const isPrice = (fact: Fact): boolean => isBare(fact) && /\d[.,]\d\d$/.test(fact.digits)

const isRelated = (fact: Fact, other: Fact): boolean =>
  (fact.kind === 'amount' && (isPrice(other) || other.unit === '¤')) ||
  (fact.kind === other.kind && fact.unit === other.unit) ||
  (isBare(fact) && /^(?:19|20)\d\d$/.test(fact.value) && other.unit === 'months') ||
  (fact.kind === 'time' && other.kind === 'duration') ||
  (fact.kind === 'duration' && other.kind === 'time') ||
  (fact.kind === 'duration' && other.kind === 'duration')
