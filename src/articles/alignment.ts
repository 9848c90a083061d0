// The words beside a value in the answer and in the source tell whether they are the same matter.
import { besideIn, nearnessOf, termsBeside } from './beside.ts'
import { gives, givesRange, hasDigits, isBetween, isCode, isWeekday, type Known, says } from './borne-out.ts'
import type { Fact } from './facts.ts'
import type { Passage } from './passages.ts'
import { columnAt, isHead } from './rows.ts'
import { isBare, isHowOften, isSameFact } from './same-fact.ts'
import type { Sentence } from './source.ts'

/** Another value beside it counts this much of what a term as rare counts. */
const OTHER_VALUE = 0.6

export interface Place {
  readonly passage: Passage
  /** It is undefined where no single fact of the passage gives the value. */
  readonly fact: Fact | undefined
  /** Says how much of what stands beside the value of the answer stands here, too. */
  readonly weight: number
  readonly count: number
}

/** A value of an answer, held against each value of the source by what stands beside it. */
export class Alignment {
  readonly #fact: Fact
  readonly #sentence: Sentence
  readonly #known: Known
  readonly #beside: Map<string, number>
  readonly #others: readonly Fact[]

  constructor(fact: Fact, sentence: Sentence, known: Known) {
    this.#fact = fact
    this.#sentence = sentence
    this.#known = known
    const { text, start, matter, facts } = sentence
    const place = { start: fact.start - start, end: fact.end - start }
    const terms = termsBeside(text, place, known.answer.language)
    this.#beside = new Map([...terms].filter(([term]) => matter.has(term)))
    const others = facts.filter(
      (other) => other.kind !== 'negation' && !isSameFact(fact, other) && !isSameFact(other, fact),
    )
    // One that is said twice says no more.
    this.#others = [
      ...new Map(others.map((other) => [`${other.kind} ${other.value} ${other.unit}`, other])).values(),
    ]
  }

  /** All that stands beside the value, as a weight. */
  get all(): number {
    const { passages } = this.#known
    let all = this.#others.reduce((sum, other) => sum + OTHER_VALUE * passages.weightOfFact(other), 0)
    for (const [term, near] of this.#beside) if (passages.has(term)) all += near * passages.weightOf(term)
    return all
  }

  /** Where the source gives the value. */
  holders(): Place[] {
    const { text, start } = this.#sentence
    return this.#known.own.flatMap((passage) => {
      if (!givesRange(passage, this.#fact, this.#sentence)) return []
      const giving = passage.facts.filter((value) => says(value, this.#fact, { text, start }))
      if (giving.length > 0) return giving.map((value) => this.#placeIn(passage, value))
      return gives(passage, this.#fact) ? [this.#placeIn(passage, undefined)] : []
    })
  }

  /** Other values of the source that are of its kind, but those that the answer states, too. */
  rivals(holders: readonly Place[]): Place[] {
    const fact = this.#fact
    const { own, stated } = this.#known
    const isStated = (value: Fact): boolean =>
      hasDigits(this.#sentence.text, value) || stated.some((other) => isSameFact(other, value))
    // The unit may stand over the column alone: "Days | 2".
    const columns = holders.flatMap(({ passage, fact: value }) =>
      passage.isRow && value !== undefined && isBare(value) ? columnAt(passage.text, value) : [],
    )
    return own.flatMap((passage) => {
      if (isHead(passage.text)) return []
      const isOfColumn = (value: Fact): boolean =>
        passage.isRow && isBare(value) && columns.includes(columnAt(passage.text, value))
      return passage.facts
        .filter(
          (value) =>
            !holders.some((holder) => holder.passage === passage && holder.fact?.start === value.start),
        )
        .filter((value) => (isRival(fact, value) || isOfColumn(value)) && !isStated(value))
        .map((value) => this.#placeIn(passage, value))
    })
  }

  #placeIn(passage: Passage, value: Fact | undefined): Place {
    const { answer, passages } = this.#known
    const there = besideIn(passage, value)
    let [weight, count] = [0, 0]
    for (const [term, near] of this.#beside) {
      const nearThere = there.get(term)
      if (nearThere === undefined) continue
      count += 1
      weight += near * nearThere * passages.weightOf(term)
    }
    for (const other of this.#others) {
      // Without words in common, a small number beside another says nothing.
      const isAlone = count === 0 || passage.language !== answer.language
      if (isAlone && isBare(other) && Number(other.value) < 10) continue
      const near = passage.facts.map((some, at) =>
        some !== value && (isSameFact(other, some) || isBetween(other, some, passage.facts[at + 1]))
          ? nearnessOf(passage, some, value)
          : 0,
      )
      const nearest = Math.max(0, ...near)
      if (nearest === 0) continue
      count += 1
      weight += nearest * OTHER_VALUE * passages.weightOfFact(other)
    }
    return { passage, fact: value, weight, count }
  }
}

function isRival(fact: Fact, value: Fact): boolean {
  if (fact.kind !== value.kind || isWeekday(fact) !== isWeekday(value) || isSameFact(fact, value))
    return false
  if (fact.kind === 'duration') return isHowOften(fact) === isHowOften(value)
  if (fact.kind !== 'number') return true
  if (fact.unit !== value.unit || isCode(fact) !== isCode(value)) return false
  return !isCode(fact) || fact.value.replaceAll(/\d/g, '') === value.value.replaceAll(/\d/g, '')
}

export const heaviest = (places: readonly Place[]): Place | undefined =>
  places.toSorted((some, other) => other.weight - some.weight)[0]
