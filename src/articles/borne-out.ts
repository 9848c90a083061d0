// A sentence bears out a fact by one of its own, rounded, in a range, or by its digits alone.
import { extractFacts, type Fact } from './facts.ts'
import type { Passage, Passages } from './passages.ts'
import { isBare, isClose, isSameFact, sizeOf } from './same-fact.ts'
import type { ReadAnswer, Sentence } from './source.ts'
import { A_UNIT, ANY_MONTH, END_OF_MONTH, HEDGE_BEFORE } from './support-words.ts'

export interface Known {
  readonly answer: ReadAnswer
  readonly asked: readonly Fact[]
  /** The answer may draw other facts from these. */
  readonly stated: readonly Fact[]
  /** The likely source consists of these sentences, or else the nearest article. */
  readonly own: readonly Passage[]
  readonly isSure: boolean
  readonly passages: Passages
}

/** Tells whether a passage gives the fact's value in other ways than a fact of its own. */
export function gives({ facts, text }: Passage, fact: Fact): boolean {
  if (hasDigits(text, fact) || isInRange(fact, facts)) return true
  // "Please allow a week" gives seven days.
  if (fact.kind === 'duration')
    return Array.from(text.matchAll(A_UNIT), ([, unit]) => extractFacts(`1 ${unit}`)).some((found) =>
      found.some((known) => isSameFact(fact, known)),
    )
  if (isWeekday(fact)) {
    // "Monday to Friday" holds a Wednesday, but not "Monday to Wednesday".
    if (ENDS_RANGE.test(fact.before)) return false
    const days = facts.filter(isWeekday)
    return days.some((from, index) => {
      const to = days[index + 1]
      const isRange = /^ ?(?:-|–|to|through|bis|au?|à|al?) ?$/.test(text.slice(from.end, to?.start))
      return isRange && to !== undefined && from.value <= fact.value && fact.value <= to.value
    })
  }
  // "In December it is the 18th" gives 18 December, "by the 5th of the following month" any 5th.
  const [, month, day] = /-(\d\d)-(\d\d)$/.exec(fact.kind === 'date' ? fact.value : '') ?? []
  return (
    (isEndOfMonth(fact) &&
      END_OF_MONTH.test(text) &&
      facts.some((known) => known.value.endsWith(`-${month}`))) ||
    ((ANY_MONTH.test(text) ||
      facts.some(({ kind, value }) => kind === 'date' && value.endsWith(`-${month}`))) &&
      facts.some((known) => isBare(known) && Number(known.value) === Number(day)))
  )
}

/** "The last day of the month, June 30." */
function isEndOfMonth({ kind, value }: Fact): boolean {
  const [, month, day] = /-(\d\d)-(\d\d)$/.exec(kind === 'date' ? value : '') ?? []
  return month !== undefined && new Date(Date.UTC(2000, Number(month), 0)).getUTCDate() === Number(day)
}

const ENDS_RANGE = /^(?:to|through|until|bis|à|au|al?)$/u

/** "10 to 19 people" is two facts of one place: twelve people are among them. */
const isInRange = (fact: Fact, facts: readonly Fact[]): boolean =>
  (fact.kind === 'number' || fact.kind === 'duration') &&
  facts.some((from, index) => isBetween(fact, from, facts[index + 1]))

export const isBetween = (fact: Fact, from: Fact, to: Fact | undefined): boolean =>
  to !== undefined &&
  from.start === to.start &&
  fact.kind === from.kind &&
  fact.unit === from.unit &&
  Number(from.value) <= Number(fact.value) &&
  Number(fact.value) <= Number(to.value)

/** The number of a list item is none of its text. */
const ITEM_NUMBER = /^\s*\d{1,2}[.)]\s/u

/** Finds the digits of a number, as a part of a longer value, too: "page_size=7". */
export function hasDigits(text: string, { kind, digits }: Fact): boolean {
  const [number] = /^\d{1,9}$/.exec(digits.replace(/(?:st|nd|rd|th|\.)$/, '')) ?? []
  if (kind !== 'number' || number === undefined) return false
  return new RegExp(`(?<!\\d)0*${number}(?!\\d)`).test(text.replace(ITEM_NUMBER, ''))
}

/** Lets what is hedged be rounded: "nearly 74,000" for 73,795, "about two months" for nine weeks. */
export function says(known: Fact, fact: Fact, { text, start }: Pick<Sentence, 'text' | 'start'>): boolean {
  if (isSameFact(fact, known)) return true
  if (fact.kind !== known.kind || fact.kind === 'date' || fact.kind === 'url') return false
  const isHedged = HEDGE_BEFORE.test(text.slice(0, fact.start - start).replaceAll('*', ''))
  // "Around midnight" is half past twelve, too.
  const [size, other] = [fact, known].map(sizeOf)
  if (fact.kind === 'time') return isHedged && Math.abs((size ?? NaN) - (other ?? NaN)) % (47 / 48) <= 1 / 48
  return isHedged && isClose(fact, known, fact.kind === 'duration' ? 0.1 : 0.05)
}

/** "From 14:00 to 18:00" is one value: a sentence that gives its end before its begin says something else. */
export function givesRange({ facts }: Passage, { start }: Fact, sentence: Sentence): boolean {
  const [from, to] = sentence.facts.filter((end) => end.kind === 'time' && end.start === start)
  const begin = from === undefined ? -1 : facts.findIndex((some) => says(some, from, sentence))
  return to === undefined || (begin !== -1 && facts.slice(begin).some((some) => says(some, to, sentence)))
}

export const isWeekday = ({ kind, value }: Fact): boolean => kind === 'date' && value.startsWith('weekday')
export const isCode = (fact: Fact): boolean => isBare(fact) && /\p{L}/u.test(fact.value)
