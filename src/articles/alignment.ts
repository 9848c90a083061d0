// The words beside a value in the answer and in the source tell whether they are the same matter.
import { besideIn, nearnessOf, termsBeside } from './beside.ts'
import { gives, hasDigits, isBetween, isCode, isSameCount, isWeekday, type Known, says } from './borne-out.ts'
import { RANGE } from './fact-words.ts'
import { extractFacts, type Fact } from './facts.ts'
import { matterOf, type Passage } from './passages.ts'
import { columnAt, headOfRow, startOfCell } from './rows.ts'
import { isBare, isSameFact } from './same-fact.ts'
import type { Sentence } from './source.ts'
import type { Language } from '../text/words.ts'

/** A row that the question names, or a sentence beside this one, is meant with so much less certainty. */
const NEARBY = 0.7
/** Another value beside it counts this much of what a term as rare counts. */
const OTHER_VALUE = 0.6

export interface Place {
  readonly passage: Passage
  /** It is undefined where no single fact of the passage gives the value. */
  readonly fact: Fact | undefined
  /** Says how much of what stands beside the value of the answer stands here, too. */
  readonly weight: number
  readonly count: number
  /** In a table: how much of what stands over the row and the column is in the answer, as a weight. */
  readonly head: number | undefined
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
      const giving = passage.facts.filter((value) => says(value, this.#fact, { text, start }))
      if (giving.length > 0) return giving.map((value) => this.#placeIn(passage, value))
      return gives(passage, this.#fact) ? [this.#placeIn(passage, undefined)] : []
    })
  }

  /** The surest of the holders, beside what the source gives in its stead. */
  surest(holders: readonly Place[]): {
    readonly holder: Place | undefined
    readonly rival: Place | undefined
  } {
    const rivals = this.#rivals(holders)
    const heaviest = (places: readonly Place[]): Place | undefined =>
      places.toSorted((some, other) => other.weight - some.weight)[0]
    const pairs = holders.map((holder) => {
      if (holder.head === undefined) return { holder, rival: heaviest(rivals) }
      // Rows of one table say the same of all their values, so their heads tell them apart.
      const ofTable = rivals.filter((rival) => isInRowOrColumn(rival, holder))
      return { holder: withHead(holder), rival: heaviest(ofTable.map(withHead)) }
    })
    const leadOf = ({ holder, rival }: (typeof pairs)[number]): number => holder.weight - (rival?.weight ?? 0)
    const [first] = pairs.toSorted((some, other) => leadOf(other) - leadOf(some))
    return first ?? { holder: undefined, rival: heaviest(rivals) }
  }

  /** Other values of the source that are of its kind, but those that the answer states, too. */
  #rivals(holders: readonly Place[]): Place[] {
    const fact = this.#fact
    const { own, stated } = this.#known
    const isStated = (value: Fact): boolean =>
      hasDigits(this.#sentence.text, value) ||
      stated.some((other) => isSameFact(other, value) || (isBare(value) && isSameCount(other, value)))
    // The unit may stand over the column alone: "Days | 2".
    const columns = holders.flatMap(({ passage, fact: value, head }) =>
      head !== undefined && value !== undefined && isBare(value) ? columnAt(passage.text, value) : [],
    )
    return own.flatMap((passage) => {
      const giving = holders.flatMap((place) => (place.passage === passage && place.fact ? place.fact : []))
      const isOfColumn = (value: Fact): boolean =>
        passage.isRow && isBare(value) && columns.includes(columnAt(passage.text, value))
      return passage.facts
        .filter((value) => (isRival(fact, value) || isOfColumn(value)) && !isStated(value))
        .filter((value) => !giving.some((same) => areOneRange(passage.text, same, value)))
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
      if (passage.language !== answer.language && isBare(other) && Number(other.value) < 10) continue
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
    return { passage, fact: value, weight, count, head: this.#headOf(passage, value) }
  }

  /** The heads of row and column say what a value is for: "Repas du soir", "60–119 minutes", "3 zones". */
  #headOf({ text, isRow, language }: Passage, value: Fact | undefined): number | undefined {
    if (!isRow || (value !== undefined && startOfCell(text, value) === 0)) return undefined
    const column = value === undefined ? '' : columnAt(text, value)
    const held = this.#shareHeld(headOfRow(text), language) + this.#shareHeld(column, language)
    return held * this.#known.passages.maxWeight
  }

  /** So much of a head is in the sentence of the answer, or, with less certainty, beside it: from 0 to 1. */
  #shareHeld(head: string, language: Language | undefined): number {
    const { answer, askedTerms, stated, passages } = this.#known
    const { matter, facts } = this.#sentence
    const at = answer.sentences.indexOf(this.#sentence)
    const nearby = answer.sentences.slice(Math.max(0, at - 1), at + 2)
    const values = extractFacts(head, language).filter(({ kind }) => kind !== 'negation')
    let [held, total] = [0, 0]
    const add = (weight: number, isHeld: boolean, isNear: boolean): void => {
      total += weight
      held += isHeld ? weight : isNear ? NEARBY * weight : 0
    }
    for (const term of new Set(matterOf(head, values, language))) {
      const isNear = askedTerms.has(term) || nearby.some((other) => other.matter.has(term))
      add(passages.weightOf(term), matter.has(term), isNear)
    }
    for (const [index, value] of values.entries()) {
      const isIn = (some: Fact): boolean =>
        isSameFact(some, value) || isBetween(some, value, values[index + 1])
      add(passages.weightOfFact(value), facts.some(isIn), stated.some(isIn))
    }
    return total === 0 ? 0 : held / total
  }
}

const withHead = (place: Place): Place => ({ ...place, weight: place.weight + (place.head ?? 0) })

/** In a table, what else could be meant is in the same row or column; prose may always be. */
function isInRowOrColumn(rival: Place, { passage, fact }: Place): boolean {
  if (rival.head === undefined || rival.passage === passage || fact === undefined || rival.fact === undefined)
    return true
  const [column, own] = [columnAt(rival.passage.text, rival.fact), columnAt(passage.text, fact)]
  return rival.passage.section !== passage.section || column === own
}

/** The other end of a range is no other value. */
function areOneRange(text: string, some: Fact, other: Fact): boolean {
  const [first, second] = some.start < other.start ? [some, other] : [other, some]
  return first.start === second.start || IS_RANGE.test(text.slice(first.end, second.start))
}

const IS_RANGE = new RegExp(`^(?:${RANGE}| ?[–—] ?)$`, 'iu')

function isRival(fact: Fact, value: Fact): boolean {
  if (fact.kind !== value.kind || isWeekday(fact) !== isWeekday(value) || isSameFact(fact, value))
    return false
  if (fact.kind !== 'number') return true
  if (fact.unit !== value.unit || isCode(fact) !== isCode(value)) return false
  return !isCode(fact) || fact.value.replaceAll(/\d/g, '') === value.value.replaceAll(/\d/g, '')
}
