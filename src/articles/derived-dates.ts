// Dates that an answer counts from a date of the question: "by the end of June", "ten days before".
import { isWeekday, type Known } from './borne-out.ts'
import type { Fact } from './facts.ts'
import type { Sentence } from './source.ts'

export function isDerivedDate(fact: Fact, sentence: Sentence, known: Known): boolean {
  if (fact.kind !== 'date') return false
  const { asked, stated } = known
  if (isWeekday(fact)) {
    // "Two days before": on Thursday for a Saturday; the day before or after needs no number.
    const apart = asked.filter(isWeekday).map((other) => Math.abs(weekdayIn(other) - weekdayIn(fact)))
    const isStated = (days: number) => apart.some((gap) => [gap, 7 - gap].includes(days % 7))
    return [1, ...daysIn(stated)].some(isStated)
  }
  const month = monthAtEdge(fact)
  if (month !== undefined && isOfMonths(month, sentence, known)) return true
  if (isOfAskedYear(fact, known)) return true
  return asked.some(
    (other) =>
      other.kind === 'date' &&
      !isWeekday(other) &&
      (IS_MONTH.test(fact.value)
        ? isMonthFrom(other, fact, stated)
        : isDayFrom(other, fact, sentence, known) ||
          isNearWeekday(other, fact, sentence, known) ||
          isDayOfNearMonth(other, fact, known) ||
          isDayOfYear(other, fact, known) ||
          isDayOfMonth(other, fact, known)),
  )
}

const weekdayIn = ({ value }: Fact): number => Number(value.replace('weekday ', ''))
const IS_MONTH = /^(?:\d{4}|-)-\d\d$/
/** A day of no year is one of 2001. */
const dateOf = ({ value }: Fact): Date => new Date(value.replace(/^--/, '2001-'))

/** "October and November count in full": the two months that the answer speaks of. */
function isMonthFrom(other: Fact, fact: Fact, stated: readonly Fact[]): boolean {
  const gap = (dateOf(fact).getUTCMonth() - dateOf(other).getUTCMonth() + 12) % 12
  return gap === 11 || gap <= Math.max(1, ...monthsIn(stated))
}

/** The month that the fact is, or whose first or last day it is. */
function monthAtEdge(fact: Fact): number | undefined {
  const date = dateOf(fact)
  if (IS_MONTH.test(fact.value)) return date.getUTCMonth()
  const isEdge = date.getUTCDate() === 1 || date.getTime() === endOfMonth(date).getTime()
  return isEdge ? date.getUTCMonth() : undefined
}

/**
 * "From November to March": the article speaks of April to October. "From 1 October to the end of March": it
 * speaks of October to March.
 */
function isOfMonths(month: number, { facts }: Sentence, { own }: Known): boolean {
  const months = facts.filter((some) => some.kind === 'date' && !isWeekday(some)).map(monthAtEdge)
  const monthsOf = (some: readonly Fact[]): number[] =>
    some
      .filter(({ kind, value }) => kind === 'date' && IS_MONTH.test(value))
      .map((each) => dateOf(each).getUTCMonth())
  const isBeside = (other: number): boolean => [0, 1, 11].includes(Math.abs(other - month))
  return (
    months.filter((each) => each !== undefined).length > 1 &&
    own.map((passage) => monthsOf(passage.facts)).some((named) => named.length > 1 && named.some(isBeside))
  )
}

/** A term may run to the day, to the end of its month or of the one that follows, or of the year. */
function isDayFrom(other: Fact, fact: Fact, { text }: Sentence, { answer, stated, own }: Known): boolean {
  const durations = [...stated, ...own.flatMap(({ facts }) => facts)]
  const days = [...daysIn(durations), ...(IS_NEXT.test(text) ? [1] : [])]
  if (days.includes(Math.abs(dayOf(fact) - dayOf(other)))) return true
  const from = dateOf(other)
  const ends = monthsIn(durations).flatMap((months) => [withMonths(from, months), withMonths(from, -months)])
  const isToEndOfYear = answer.sentences.some((sentence) => END_OF_YEAR.test(sentence.text))
  const later = [...ends, from, withMonths(from, 1)].map(endOfMonth)
  const to = dateOf(fact).getTime()
  return [...ends, ...later, ...(isToEndOfYear ? ends.map(endOfYear) : [])].some(
    (end) => end.getTime() === to,
  )
}

/** Is in days since the epoch; NaN where it is no day. */
export const dayOf = (fact: Fact): number =>
  fact.kind === 'date' && !IS_MONTH.test(fact.value) ? dateOf(fact).getTime() / 86_400_000 : NaN

/** Five working days have one weekend, or none where they begin on a Monday. */
const daysIn = (facts: readonly Fact[]): number[] =>
  facts.flatMap(({ kind, unit, value }) => {
    const days = Number(value)
    if (unit === 'working days')
      return [days, days + 2 * Math.floor(days / 5), days + 2 * Math.ceil(days / 5)]
    return kind === 'duration' && unit === 's' ? days / 86_400 : []
  })
const monthsIn = (facts: readonly Fact[]): number[] =>
  facts.flatMap(({ unit, value }) => (unit === 'months' ? Number(value) : []))

const IS_NEXT = new RegExp(
  '(?<!\\p{L})(?:(?:day|evening|night) (?:before|after)|(?:previous|next|following) (?:day|evening)|eve' +
    '|vortag|vorabend|folgetag|tag (?:davor|danach|zuvor|darauf)|veille|lendemain' +
    '|jour (?:suivant|précédent)|víspera|día (?:anterior|siguiente))(?!\\p{L})',
  'iu',
)
const END_OF_YEAR = /(?:end|ende|fin|final) [^.]{0,20}(?:year|jahr|année|año)|jahresende/iu

/** 31 January and a month is the last of February. */
function withMonths(from: Date, months: number): Date {
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months))
  const last = endOfMonth(first)
  return new Date(Math.min(last.getTime(), first.getTime() + (from.getUTCDate() - 1) * 86_400_000))
}

const endOfMonth = (date: Date): Date => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0))
const endOfYear = (date: Date): Date => new Date(Date.UTC(date.getUTCFullYear(), 12, 0))

/** "Closed on Tuesday 10 November; come on Thursday, 12 November." */
function isNearWeekday(other: Fact, fact: Fact, { facts }: Sentence, { asked }: Known): boolean {
  const days = dayOf(fact) - dayOf(other)
  const isApart = (from: Fact, to: Fact): boolean => (weekdayIn(to) - weekdayIn(from) - days) % 7 === 0
  const to = facts.filter(isWeekday)
  return Math.abs(days) < 7 && asked.filter(isWeekday).some((from) => to.some((day) => isApart(from, day)))
}

const MONTHS_AWAY = [
  /^[^.!?\d]{0,25}(?:vormonat|(?:previous|preceding) month|month before|mois précédent|mes anterior)/iu,
  /^[^.!?\d]{0,25}(?:folgemonat|(?:next|following) month|month after|mois suivant|mes siguiente)/iu,
]

/** "By the 20th of the month before": for a start on 1 November by 20 October. */
function isDayOfNearMonth(other: Fact, fact: Fact, { own }: Known): boolean {
  const [from, to] = [dateOf(other), dateOf(fact)]
  const months = (to.getUTCMonth() - from.getUTCMonth() + 12) % 12
  const away = MONTHS_AWAY[months === 11 ? 0 : months === 1 ? 1 : -1]
  const day = new RegExp(`(?<!\\d)${to.getUTCDate()}(?!\\d)\\.?`, 'g')
  return (
    away !== undefined &&
    own.some(({ text }) =>
      [...text.matchAll(day)].some(({ 0: { length }, index }) => away.test(text.slice(index + length))),
    )
  )
}

/** The article names the day, the question its year, or the one before. */
function isDayOfYear(other: Fact, fact: Fact, { own }: Known): boolean {
  const [before = NaN, year = NaN] = [other, fact].map(({ value }) => Number(/^\d{4}/.exec(value)?.[0]))
  const day = fact.value.replace(/^\d{4}/, '-')
  return (
    (year === before || year === before + 1) &&
    own.some(({ facts }) => facts.some(({ kind, value }) => kind === 'date' && value === day))
  )
}

/** "When is it in 2026?" */
function isOfAskedYear({ value }: Fact, { asked, own }: Known): boolean {
  const [year = ''] = /^\d{4}(?=-\d\d-)/.exec(value) ?? []
  const day = value.replace(year, '-')
  return (
    asked.some((other) => other.kind === 'number' && other.value === year) &&
    own.some(({ facts }) => facts.some((known) => known.kind === 'date' && known.value === day))
  )
}

/** "On the first Saturday": the question names the month and its year, the article the weekday. */
function isDayOfMonth(other: Fact, fact: Fact, { stated, own }: Known): boolean {
  const date = new Date(`${other.value}${fact.value.slice(-3)}`)
  const weekday = ((date.getUTCDay() + 6) % 7) + 1
  return (
    /^\d{4}-\d\d$/.test(other.value) &&
    other.value.slice(4) === fact.value.slice(-6, -3) &&
    [...stated, ...own.flatMap(({ facts }) => facts)].some(
      (some) => isWeekday(some) && weekdayIn(some) === weekday,
    )
  )
}
