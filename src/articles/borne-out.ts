// A sentence bears out a fact by one of its own, rounded, in a range, or by its digits alone.
import { numbersIn } from './fact-patterns.ts'
import { extractFacts, type Fact } from './facts.ts'
import type { Passage, Passages } from './passages.ts'
import { isBare, isClose, isSameFact, sizeOf } from './same-fact.ts'
import type { ReadAnswer, Sentence } from './source.ts'
import { A_UNIT, ALL, ANY_MONTH, END_OF_MONTH, HALVES, HEDGE_BEFORE, LESS, MORE } from './support-words.ts'

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
  if (hasDigits(text, fact) || isInRange(fact, facts) || isInPath(text, fact)) return true
  // "Please allow a week" gives seven days.
  if (fact.kind === 'duration')
    return Array.from(text.matchAll(A_UNIT), ([, unit]) => extractFacts(`1 ${unit}`)).some((found) =>
      found.some((known) => isSameFact(fact, known)),
    )
  if (fact.kind === 'percentage') return isInWords(fact.value, text)
  // "29 June to 9 August 2026" gives 29 June 2026.
  const [year = ''] = /^\d{4}(?=-\d\d-)/.exec(fact.value) ?? []
  if (
    year !== '' &&
    text.includes(year) &&
    facts.some(({ value }) => value === fact.value.replace(year, '-'))
  )
    return true
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
    ((ANY_MONTH.test(text) || facts.some(({ kind, value }) => kind === 'date' && monthIn(value) === month)) &&
      facts.some((known) => isBare(known) && Number(known.value) === Number(day)))
  )
}

const isInWords = (percent: string, text: string): boolean =>
  (percent === '100' && ALL.test(text)) || (percent === '50' && HALVES.test(text))

/** A post at /2014/09/08/, or a file report-2014-09-08, is of that day. */
const isInPath = (text: string, { kind, value }: Fact): boolean =>
  kind === 'date' && new RegExp(`(?<!\\d)${value.replaceAll('-', '[-/_]?')}(?!\\d)`).test(text)

const monthIn = (date: string): string | undefined => /^(?:\d{4}|-)-(\d\d)/.exec(date)?.[1]

/** "The last day of the month, June 30." */
function isEndOfMonth({ kind, value }: Fact): boolean {
  const [, month, day] = /-(\d\d)-(\d\d)$/.exec(kind === 'date' ? value : '') ?? []
  return month !== undefined && new Date(Date.UTC(2000, Number(month), 0)).getUTCDate() === Number(day)
}

const ENDS_RANGE = /^(?:to|through|until|bis|à|au|al?)$/u

/** "10 to 19 people" is two facts of one place: twelve people are among them. So are days of one month. */
const isInRange = (fact: Fact, facts: readonly Fact[]): boolean =>
  (fact.kind === 'number' || fact.kind === 'duration' || fact.kind === 'date') &&
  facts.some((from, index) => isBetween(fact, from, facts[index + 1]))

export const isBetween = (fact: Fact, from: Fact, to: Fact | undefined): boolean =>
  to !== undefined &&
  from.start === to.start &&
  fact.kind === from.kind &&
  fact.unit === from.unit &&
  orderOf(from) <= orderOf(fact) &&
  orderOf(fact) <= orderOf(to)

/** A day is ordered by its month and day. */
const orderOf = ({ kind, value }: Fact): number =>
  Number(kind === 'date' ? value.slice(-5).replace('-', '') : value)

/** The number of a list item is none of its text. */
const ITEM_NUMBER = /^\s*\d{1,2}[.)]\s/u

/** Finds the digits of a number, as a part of a longer value, too: "page_size=7". */
export function hasDigits(text: string, fact: Fact): boolean {
  // The value of "22.04 and 24.04", the digits of 53.226: a separator of thousands, or not.
  const written = isBare(fact) ? [fact.digits, fact.value] : [fact.digits]
  const number = written.find((digits) => /^\d{1,9}(?:\.\d{1,9})?$/.test(digits))
  if (fact.kind !== 'number' || number === undefined) return false
  // "At roughly 10.8°" for 10.8061.
  const end = number.includes('.') ? '' : '(?!\\d)'
  return new RegExp(`(?<!\\d)0*${number.replace('.', '\\.')}${end}`).test(text.replace(ITEM_NUMBER, ''))
}

/** "Up to the age of five" is under six, "from 101 on" over 100; and the other way round. */
export function isNextTo(fact: Fact, sentence: Sentence, { facts, text }: Passage): boolean {
  const before = sentence.text.slice(0, fact.start - sentence.start)
  return facts.some((known) => {
    const [some, other] = [fact, known].map(({ digits }) => Number(numbersIn(digits)[0]))
    const beyond = (some ?? NaN) - (other ?? NaN)
    if (Math.abs(beyond) !== 1 || (fact.unit !== known.unit && !isBare(fact) && !isBare(known))) return false
    const there = text.slice(0, known.start)
    const [outer, inner] = beyond < 0 ? [LESS, MORE] : [MORE, LESS]
    return (outer.test(there) && !outer.test(before)) || (inner.test(before) && !inner.test(there))
  })
}

/** Lets what is hedged be rounded: "nearly 74,000" for 73,795, "about two months" for nine weeks. */
export function says(known: Fact, fact: Fact, { text, start }: Pick<Sentence, 'text' | 'start'>): boolean {
  if (isSameFact(fact, known)) return true
  if (fact.kind !== known.kind || fact.kind === 'date' || fact.kind === 'url') return false
  const before = text.slice(0, fact.start - start).replaceAll('*', '')
  const isHedged = HEDGE_BEFORE.test(before)
  // "Around midnight" is half past twelve, too.
  const [size, other] = [fact, known].map(sizeOf)
  if (fact.kind === 'time') return isHedged && Math.abs((size ?? NaN) - (other ?? NaN)) % (47 / 48) <= 1 / 48
  const isBound = MORE.test(before) || LESS.test(before)
  const isRound = fact.kind === 'duration' || Number(fact.value) >= 100
  const share = fact.kind === 'duration' && isBound ? 0.17 : isRound ? 0.1 : 0.05
  return isHedged && isClose(fact, known, share)
}

/** "From 14:00 to 18:00" is one value: a sentence that gives its end before its begin says something else. */
export function givesRange({ facts }: Passage, { start }: Fact, sentence: Sentence): boolean {
  const [from, to] = sentence.facts.filter((end) => end.kind === 'time' && end.start === start)
  const begin = from === undefined ? -1 : facts.findIndex((some) => says(some, from, sentence))
  return to === undefined || (begin !== -1 && facts.slice(begin).some((some) => says(some, to, sentence)))
}

export const isWeekday = ({ kind, value }: Fact): boolean => kind === 'date' && value.startsWith('weekday')
export const isCode = (fact: Fact): boolean => isBare(fact) && /\p{L}/u.test(fact.value)
