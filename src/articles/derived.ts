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
export function isDerived(fact: Fact, sentence: Sentence, known: Known): boolean {
  const value = sizeOf(fact)
  if (value === undefined) return false
  const calculation = new Calculation(fact, value, sentence, known)
  return (
    calculation.isTotal() || calculation.isSpan() || calculation.isOfQuestion() || calculation.isOfAnswer()
  )
}

class Calculation {
  readonly #fact: Fact
  readonly #value: number
  readonly #sentence: Sentence
  readonly #known: Known
  /** Are the counts that may stand beside the value: of the question, and of the sentences around it. */
  readonly #counts: readonly number[]
  readonly #shares: readonly number[]
  readonly #inSource: readonly number[]

  constructor(fact: Fact, value: number, sentence: Sentence, known: Known) {
    this.#fact = fact
    this.#value = value
    this.#sentence = sentence
    this.#known = known
    const { answer, asked, stated, own } = known
    const at = answer.sentences.indexOf(sentence)
    const near = answer.sentences.slice(Math.max(0, at - 1), at + 2).flatMap(({ facts }) => facts)
    // A week has seven nights.
    const nights = near.flatMap(({ unit, value: length }) => (unit === 's' ? Number(length) / 86_400 : []))
    this.#counts = [
      ...countsOf([...asked, ...near]).filter((count) => count !== Number(fact.value)),
      ...nights.filter((count) => count > 1 && count <= 31),
    ]
    this.#shares = sharesOf(stated)
    this.#inSource = this.#sizesOf(own.flatMap(({ facts }) => facts))
  }

  /** A total of money is a sum of prices, and can be found. */
  isTotal(): boolean {
    const { text, start } = this.#sentence
    const before = text.slice(0, this.#fact.start - start).replaceAll('*', '')
    const behind = text.slice(this.#fact.end - start).replaceAll('*', '')
    return this.#fact.kind !== 'amount' && (TOTAL_BEFORE.test(before) || TOTAL_BEHIND.test(behind))
  }

  /** "From 2 June to 20 June", "closed from 3 to 3:45"; a time that is so long before or after another. */
  isSpan(): boolean {
    const { asked, own } = this.#known
    if (this.#fact.kind === 'time') return this.#isEnd()
    if (this.#fact.kind !== 'duration') return false
    const dates = [...asked, ...this.#sentence.facts].map(dayOf).filter((day) => !Number.isNaN(day))
    const ranges = own.map(({ facts }) => this.#sizesOf(facts.filter(({ kind }) => kind === 'time')))
    return [this.#times(), dates, ...ranges].some((moments) =>
      moments.some((from) => moments.some((to) => this.#isValue(to - from))),
    )
  }

  /** A number of the question is halved, multiplied, added to one of the source, or a share of it taken. */
  isOfQuestion(): boolean {
    const { asked } = this.#known
    const { kind } = this.#fact
    // "500 of 8,000 rows are 6.25 %."
    const inSentence = countsOf([...asked, ...this.#sentence.facts])
    const isShare = (part: number) => inSentence.some((whole) => this.#isValue((100 * part) / whole))
    if (kind === 'percentage' && inSentence.some(isShare)) return true
    if (this.#isSum(this.#inQuestion(), this.#inSource)) return true
    const numbers = isBare(this.#fact) ? numbersOf(asked) : this.#sizesOf(asked)
    if (kind === 'number' && this.#isMultiple(numbers, [2, ...this.#counts, ...this.#shares])) return true
    return isShareOf(this.#counts, sharesOf(asked), this.#value, this.#sentence)
  }

  isOfAnswer(): boolean {
    const { facts, text } = this.#sentence
    const { stated } = this.#known
    // "92 spaces, 64 of them indoors and 28 outdoors", "two terms of three years: six years".
    const here = this.#sizesOf(facts)
    if (here.some((size) => here.some((other) => size !== other && this.#isValue(size + other)))) return true
    if (here.some((size) => countsOf(facts).some((count) => this.#isValue(size * count)))) return true
    const isConcluded = CONCLUDES.test(text)
    if (isConcluded && isExample(this.#fact, this.#value, this.#sentence)) return true
    const isAmount = this.#fact.kind === 'amount'
    if (!isConcluded && !isAmount && this.#inQuestion().length === 0) return false
    const sizes = this.#sizesOf(stated)
    if (this.#isSum(sizes, sizes)) return true
    if (isConcluded && this.#isMultiple(sizes, [2, 12, ...countsOf(stated)])) return true
    return isAmount && this.#isOfPrices(sizes, isConcluded)
  }

  #isOfPrices(sizes: readonly number[], isConcluded: boolean): boolean {
    const { answer, asked, stated, own } = this.#known
    const halves = [...answer.sentences, ...own].some(({ text }) => HALVES.test(text)) ? [2] : []
    const doubles = answer.sentences.some(({ text }) => DOUBLES.test(text)) ? [2] : []
    // "100 points are worth €4": the answer's 340 points are worth €13.60.
    const rates = own.flatMap(({ facts }) =>
      numbersOf(facts.filter((some) => isBare(some) && some.digits.length < 10)).flatMap((count) =>
        this.#sizesOf(facts).map((size) => size / count),
      ),
    )
    const sums = sizes.flatMap((size) => sizes.flatMap((other) => (other > size ? size + other : [])))
    const products = sizes.flatMap((size) => this.#counts.map((count) => size * count))
    const parts = this.#shares.flatMap((share) => [share, 1 - share, 1 + share])
    const ofSource = sharesOf(own.flatMap(({ facts }) => facts))
    return (
      this.#isMultiple(sizes, [...this.#counts, ...parts, ...ofSource, ...halves]) ||
      // "42p a mile and 5p for a passenger: 14.10 for 30 miles"; "4.60 and 1.40, less 0.30 with your cup".
      this.#isMultiple(sums, countsOf(asked)) ||
      this.#isSum(sums, this.#inSource) ||
      this.#isMultiple(this.#inSource, [...countsOf(asked), ...parts, ...doubles]) ||
      countsOf(stated).some((count) => rates.some((rate) => this.#isValue(count * rate))) ||
      // "You get 6 cents off. That makes 38": from 44, which only the source gives.
      (isConcluded && (this.#isSum(sizes, this.#inSource) || this.#isSum(sizes, products)))
    )
  }

  /** "It begins at eleven and takes 90 minutes", "90 minutes before we close": its section says the end. */
  #isEnd(): boolean {
    const sections = groupBy(this.#known.own, ({ section }) => section.heading)
    return [...sections.values()].some((passages) => {
      const facts = passages.flatMap((passage) => passage.facts).filter(({ unit }) => unit !== 'months')
      const sizesOfKind = (wanted: Fact['kind']): number[] =>
        facts.flatMap((some) => (some.kind === wanted ? (sizeOf(some) ?? []) : []))
      const lengths = sizesOfKind('duration')
      return sizesOfKind('time').some((begin) =>
        lengths.some((length) => this.#isValue(begin + length) || this.#isValue(begin - length)),
      )
    })
  }

  #times(): number[] {
    const facts = [...this.#known.asked, ...this.#sentence.facts]
    return this.#sizesOf(facts.filter(({ kind }) => kind === 'time'))
  }

  /** "From 8 to 3" is seven hours, of which the first five are free. */
  #inQuestion(): number[] {
    const times = this.#fact.kind === 'duration' ? this.#times() : []
    const hours = times.flatMap((time) => times.map((other) => Math.abs(time - other)))
    return [...this.#sizesOf(this.#known.asked), ...hours]
  }

  /** Lists the sizes of values that can be added to this one. */
  #sizesOf(facts: readonly Fact[]): number[] {
    // "I earn 2,500 net": the question need not name the currency.
    const isAsked = (other: Fact): boolean =>
      this.#fact.kind === 'amount' &&
      isBare(other) &&
      Number(other.value) >= 10 &&
      this.#known.asked.includes(other)
    const sizes = facts.flatMap((other) =>
      isRelated(this.#fact, other) || isAsked(other) ? (sizeOf(other) ?? []) : [],
    )
    return [...new Set(sizes)].filter((size) => size !== this.#value)
  }

  #isValue(size: number): boolean {
    return Math.abs(size - this.#value) < 1e-6 * Math.max(1, this.#value)
  }

  #isSum(sizes: readonly number[], others: readonly number[]): boolean {
    const isOf = (size: number, other: number): boolean =>
      size !== other && (this.#isValue(Math.abs(size - other)) || this.#isValue(size + other))
    return sizes.some((size) => others.some((other) => isOf(size, other)))
  }

  #isMultiple(sizes: readonly number[], counts: readonly number[]): boolean {
    return sizes.some((size) =>
      counts.some((count) => this.#isValue(size * count) || this.#isValue(size / count)),
    )
  }
}

const numbersOf = (facts: readonly Fact[]): number[] =>
  facts.map(({ digits }) => Number(firstNumber(digits))).filter((count) => count > 1)
const countsOf = (facts: readonly Fact[]): number[] =>
  numbersOf(facts.filter((other) => other.kind === 'number' || other.kind === 'duration'))
const sharesOf = (facts: readonly Fact[]): number[] =>
  facts.flatMap((some) => (some.kind === 'percentage' ? Number(some.value) / 100 : []))

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
