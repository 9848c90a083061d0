// Values that an answer draws from others: sums, multiples, shares, tariffs, the time between two moments.
import { isWeekday, type Known } from './borne-out.ts'
import { dayOf } from './derived-dates.ts'
import { numbersIn } from './fact-patterns.ts'
import type { Fact } from './facts.ts'
import { countsNothing, DATA, isBare, isInterval, sizeOf } from './same-fact.ts'
import type { Passage } from './passages.ts'
import type { Sentence } from './source.ts'
import { concludes, DOUBLES, HALVES, HEDGE_BEFORE, ROUNDS } from './support-words.ts'

interface Operand {
  readonly size: number
  /** The source is named where neither question nor answer gives the value. */
  readonly from: 'question' | 'answer' | 'source'
}

/** A value that others give by chance has as many neighbours that they give: at most this share of them. */
const MAX_CHANCE = 0.25
const MAX_CHANCE_CONCLUDED = 0.5
const NEIGHBOURS = [-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6]
/** Of more, nearly every value can be drawn. */
const MAX_OPERANDS = 20
const MAX_ADDED = 8
const MAX_COUNTS = 6

/**
 * Tells whether a value is drawn from others, not from an article. A few values give many by chance, so one
 * counts only where the same calculations do not give its neighbours, too.
 */
export function isDerived(fact: Fact, sentence: Sentence, known: Known, isLed: boolean): boolean {
  const size = sizeOf(fact)
  if (size === undefined || size <= 0) return false
  const { text, start, facts } = sentence
  // "On two days, Tuesday and Thursday."
  const days = facts.filter(isWeekday).length
  if (days > 1 && countsOf(fact).includes(days)) return true
  const before = text.slice(0, fact.start - start).replaceAll('*', '')
  const behind = text.slice(fact.end - start).replaceAll('*', '')
  const last = facts.findLast(({ kind, end }) => kind === fact.kind && end <= fact.start)
  const clause = text.slice((last?.end ?? start) - start, fact.start - start)
  const isConcluded = concludes(clause, behind, known.answer.language)
  const written = Number(numbersIn(fact.digits)[0]) || 1
  const least = (HEDGE_BEFORE.test(before) || ROUNDS.test(before) ? 0.05 : 1e-6) * size
  const step = Math.max(fact.kind === 'time' ? 1 / 96 : (stepOf(written) * size) / written, 2 * least)
  const maxChance = isConcluded || fact.kind === 'time' ? MAX_CHANCE_CONCLUDED : MAX_CHANCE
  const calculation = new Calculation(fact, size, isConcluded, isLed, sentence, known)
  return [...calculation.results.values()].some((results) => {
    const isDrawn = (value: number): boolean => results.some((other) => Math.abs(other - value) <= least)
    if (!isDrawn(size)) return false
    const around = NEIGHBOURS.map((times) => size + times * step).filter((value) => value > 0)
    return around.filter(isDrawn).length <= maxChance * around.length
  })
}

/** Is 10 for 70 and 0.1 for 17.90: no more than a fifth of the number, and no less than 1 of a whole one. */
function stepOf(written: number): number {
  let step = 10 ** Math.floor(Math.log10(written))
  while (
    (step > written / 5 && (step > 1 || !Number.isInteger(written))) ||
    Math.abs(written / step - Math.round(written / step)) > 1e-6
  )
    step /= 10
  return step
}

class Calculation {
  readonly #fact: Fact
  readonly #known: Known
  readonly #isConcluded: boolean
  /** The question has values, with which the answer may calculate. */
  readonly #isCase: boolean
  /** Lists what can be drawn in one way, such as by a sum of two, or by a product with one of the source. */
  readonly results = new Map<string, number[]>()

  constructor(
    fact: Fact,
    size: number,
    isConcluded: boolean,
    isLed: boolean,
    { facts }: Sentence,
    known: Known,
  ) {
    this.#fact = fact
    this.#known = known
    this.#isConcluded = isConcluded
    this.#isCase = !isLed && known.asked.some((some) => some.kind !== 'negation' && !isInterval(some))
    if (fact.kind === 'time') this.#addMoments()
    const sizes = this.#operands((some, from) => (this.#isAddable(some, from) ? [sizeOf(some) ?? 0] : []))
    const others = fact.kind === 'time' ? [] : sizes.filter((other) => other.size !== size)
    const inSentence = new Set(facts.filter((some) => this.#isAddable(some, 'answer')).map(sizeOf))
    for (const x of others)
      for (const y of others) {
        if (x === y) continue
        this.#add('sum', [x.size + y.size], x, y)
        this.#add('difference', [x.size - y.size], x, y)
        if (inSentence.has(x.size) && inSentence.has(y.size))
          this.#store('sum of one sentence', [x.size + y.size])
      }
    if (isConcluded) this.#addTotals()
    if (fact.kind === 'percentage' || isBare(fact)) this.#addShares()
    if (fact.kind === 'duration' && fact.unit === 's') this.#addSpans()
    if (fact.kind === 'duration' && fact.unit === 'months') this.#addYears()
    const counts = this.#counts()
    if (fact.kind !== 'percentage') this.#addProducts(others, counts)
    if (fact.kind === 'amount') this.#addPrices(others, counts)
  }

  #store(way: string, values: readonly number[]): void {
    const results = this.results.get(way) ?? []
    results.push(...values)
    this.results.set(way, results)
  }

  /** The likelier it is that the value is calculated, the more of the operands may be of the source. */
  #add(way: string, values: readonly number[], ...operands: readonly Operand[]): void {
    const { kind } = this.#fact
    const isAsked = operands.some(({ from }) => from === 'question')
    const sources = operands.filter(({ from }) => from === 'source').length
    const isLikely = isAsked || this.#isConcluded || this.#isCase || kind === 'time'
    // Nobody calculates a time limit from the article alone.
    const isOpen = isLikely && (kind !== 'duration' || isAsked || this.#isCase)
    const maxSources = isAsked && kind === 'amount' ? 2 : isOpen ? 1 : 0
    if (sources > maxSources || !(isLikely || kind === 'amount')) return
    if (operands.length > 2 && !this.#isConcluded && (sources > 0 || !(isAsked || kind === 'amount'))) return
    this.#store(`${way} ${operands.length} ${sources}`, values)
  }

  #operands(read: (some: Fact, from: Operand['from']) => readonly number[]): Operand[] {
    const { answer, asked, own } = this.#known
    const found = new Map<number, Operand>()
    for (const [from, facts] of [
      ['question', asked],
      ['answer', answer.sentences.flatMap((sentence) => sentence.facts)],
      ['source', own.flatMap((passage) => passage.facts)],
    ] as const)
      for (const some of facts)
        for (const size of some === this.#fact ? [] : read(some, from))
          if (size > 0 && !found.has(size) && found.size < MAX_OPERANDS) found.set(size, { size, from })
    return [...found.values()]
  }

  /** "Rooms for 60, 18 and 30 people" seat 108 together: the sum of values that stand in a row. */
  #addTotals(): void {
    for (const { facts } of this.#known.own) {
      const sizes = facts.filter((some) => this.#isAddable(some, 'source')).map((some) => sizeOf(some) ?? 0)
      for (const from of sizes.keys()) {
        let sum = 0
        this.#store(
          'total',
          sizes.slice(from).map((size) => (sum += size)),
        )
      }
    }
  }

  /** What a value may be multiplied by. */
  #counts(): Operand[] {
    const { answer, own } = this.#known
    const counts = this.#operands((some) =>
      isInterval(some) && !this.#isConcluded ? [] : countsOf(some).filter((count) => count !== 1),
    )
    const isHalved = [...answer.sentences, ...own].some(({ text }) => HALVES.test(text) || DOUBLES.test(text))
    return isHalved ? [...counts, { size: 2, from: 'answer' }] : counts
  }

  /** "It begins at eleven and takes 90 minutes"; half past four may be 4:30 or 16:30. */
  #addMoments(): void {
    const lengths = this.#operands((some) => (some.unit === 's' ? [sizeOf(some) ?? 0] : []))
    for (const x of this.#operands(clockOf))
      for (const y of lengths.filter(({ size }) => size < 1)) {
        this.#add('later', [x.size + y.size, (x.size + y.size) % 0.5], x, y)
        this.#add('earlier', [x.size - y.size, (x.size - y.size) % 0.5], x, y)
      }
  }

  /** "From 2 June to 20 June", "closed from 3 to 3:45". */
  #addSpans(): void {
    const { answer, asked, own } = this.#known
    const stated = [...asked, ...answer.sentences.flatMap(({ facts }) => facts)]
    const timesOf = ({ facts }: Passage): Fact[] => facts.filter(({ kind }) => kind === 'time')
    const ranges = [stated, ...own.map(timesOf)].map((facts) => facts.flatMap(clockOf))
    const dayIn = (some: Fact): number => dayOf({ ...some, value: some.value.replace(/^\d{4}/, '-') })
    // With the years, or without those that only one of two days has; the last day counts, or not.
    const [days, daysOfYear] = [dayOf, dayIn].map((read) =>
      stated.map(read).filter((day) => !Number.isNaN(day)),
    )
    for (const [at, moments] of [days ?? [], daysOfYear ?? [], ...ranges].entries())
      for (const from of moments)
        this.#store(
          `span ${at}`,
          moments.flatMap((to) => [to - from, to - from + (at < 2 ? 1 : 0.5)]),
        )
  }

  /** "41 years younger": from 1978 to 2019. */
  #addYears(): void {
    const years = this.#known.stated.flatMap(({ kind, value }) =>
      (kind === 'number' || kind === 'date') && /^(?:19|20)\d\d(?:-|$)/.test(value)
        ? Number(value.slice(0, 4))
        : [],
    )
    for (const from of years)
      this.#store(
        'years',
        years.map((to) => to - from),
      )
  }

  /** "500 of 8,000 rows are 6.25 %." */
  #addShares(): void {
    const numbers = this.#operands((some, from) =>
      some.kind === 'number' && from !== 'source' ? countsOf(some) : [],
    )
    const whole = this.#fact.kind === 'percentage' ? 100 : 1
    for (const x of numbers) for (const y of numbers) this.#add('share', [(whole * x.size) / y.size], x, y)
  }

  #addProducts(sizes: readonly Operand[], counts: readonly Operand[]): void {
    for (const x of sizes)
      for (const k of counts) {
        const product = x.size * k.size
        this.#add('product', [product, x.size / k.size], x, k)
        for (const y of sizes)
          if (x !== y)
            this.#add('both', [product + y.size, product - y.size, (x.size + y.size) * k.size], x, k, y)
        for (const l of counts)
          if (k !== l) this.#add('product', [product * l.size, product / l.size], x, k, l)
      }
  }

  #addPrices(sizes: readonly Operand[], counts: readonly Operand[]): void {
    // The sum of several, and of these and one of the article: lunch and coffee, less 20 cents.
    const added = sizes.filter(({ from }) => from !== 'source').slice(0, MAX_ADDED)
    const sums = Array.from({ length: 2 ** added.length }, (_, bits) =>
      added.reduce((sum, { size }, at) => (bits & (1 << at) ? sum + size : sum), 0),
    )
    this.#store('sum of all', sums)
    const isLikely = this.#isConcluded || this.#isCase
    for (const { size, from } of sizes)
      if (from === 'source')
        this.#store(
          'sum and one',
          sums.flatMap((sum, bits) => (isLikely || (bits & (bits - 1)) > 0 ? [sum + size, sum - size] : [])),
        )
    // So much for the first ones and so much for each more; so much for these and so much for those.
    const numbers = counts.filter(({ from, size }) => from !== 'source' && size > 1).slice(0, MAX_COUNTS)
    for (const x of sizes)
      for (const y of sizes)
        for (const n of x === y ? [] : numbers)
          for (const m of numbers) {
            if (n.size > m.size) this.#add('more', [x.size + (n.size - m.size) * y.size], x, y, n, m)
            this.#add('tariff', [n.size * x.size + m.size * y.size], x, y, n, m)
          }
  }

  /** "I earn 2,500 net": the question need not name the currency, and neither does "my ticket was 7.90". */
  #isAddable(other: Fact, from: Operand['from']): boolean {
    const fact = this.#fact
    if (isInterval(other)) return false
    if (fact.kind === other.kind && (fact.unit === other.unit || fact.kind === 'amount')) return true
    if (DATA.includes(fact.unit) && DATA.includes(other.unit)) return true
    if (isBare(fact)) return other.kind === 'number' || other.kind === 'duration'
    const isPrice = /\d[.,]\d\d$/.test(other.digits) || (from === 'question' && Number(other.value) >= 10)
    return fact.kind === 'amount' && isBare(other) && isPrice
  }
}

/** Is in days; "11.30" and "until eleven" may be times. */
function clockOf(fact: Fact): number[] {
  if (fact.kind === 'time') return [sizeOf(fact) ?? 0]
  const [, hour, minute = '0'] =
    /^([01]?\d|2[0-3])(?:[.:]([0-5]\d))?$/.exec(isBare(fact) ? fact.digits : '') ?? []
  return hour === undefined || (minute === '0' && !countsNothing(fact))
    ? []
    : [Number(hour) / 24 + Number(minute) / 1440]
}

/** A duration counts its hours, days, weeks, months or years; a percentage is a share, and what it leaves. */
function countsOf({ kind, unit, value, digits }: Fact): number[] {
  const number = Number(value)
  const counts =
    kind === 'duration'
      ? (unit === 's' ? [3600, 86_400, 604_800] : [1, 12])
          .map((each) => number / each)
          .filter((count) => Number.isInteger(count))
      : kind === 'percentage'
        ? [number / 100, 1 - number / 100, 1 + number / 100]
        : kind === 'number'
          ? [unit === '' ? number : Number(numbersIn(digits)[0])]
          : []
  return counts.filter((count) => !Number.isNaN(count))
}
