// Holds the facts of a grounded answer against the articles, each against the section that its own sentence
// resembles.
import { firstNumber } from './fact-patterns.ts'
import { extractFacts, type Fact } from './facts.ts'
import type { Passage, Passages } from './passages.ts'
import { oppositeOf, permissionsIn } from './polarity.ts'
import { isBare, isClose, isSameFact } from './same-fact.ts'
import type { LikelySource, ReadAnswer, Sentence } from './source.ts'
import {
  A_UNIT,
  ANY_MONTH,
  CONCLUDES,
  HALVES,
  HEDGE_AFTER,
  HEDGE_BEFORE,
  PLACEHOLDER,
} from './support-words.ts'
import { termsOf } from '../text/words.ts'

/** A fact that the articles do not bear out. */
export interface Finding {
  /** `unsupported`: in no article. `elsewhere`: only in one that the sentence does not resemble. */
  readonly kind: 'unsupported' | 'elsewhere'
  readonly fact: Pick<Fact, 'kind' | 'text' | 'start' | 'end'>
  readonly sentence: string
  /** What a section gives for the matter of the fact. */
  readonly instead: { readonly passage: Passage; readonly text: string } | null
  /** The passage elsewhere. */
  readonly at: Passage | null
}

export interface AnswerSupport {
  /** Facts that were looked for. */
  readonly checked: number
  readonly findings: readonly Finding[]
}

/** What facts are held against. */
interface Known {
  /** Facts of the question. */
  readonly asked: readonly Fact[]
  /** Facts of the question and the answer, of which it may draw others. */
  readonly stated: readonly Fact[]
  /** The sentences of the likely source. */
  readonly own: readonly Passage[]
  readonly passages: Passages
}

/** Of the weight of a sentence's matter, by how much a passage is nearer than the one that gives the value. */
const MARGIN = 0.5
/** Of that weight, what a passage shares that is said to give another value for the same matter. */
const SAME_MATTER = 0.3
/** By how much a sentence resembles another article more than the source, to be from there. */
const LEAD = 1.3

/** Holds an answer's facts against the articles. Those of the question, or not understood, are not checked. */
export function supportOf(
  answer: ReadAnswer,
  question: string,
  source: LikelySource | null,
  passages: Passages,
): AnswerSupport {
  const asked = extractFacts(question)
  const stated = [...asked, ...answer.sentences.flatMap(({ facts }) => facts)]
  const known: Known = { asked, stated, own: source === null ? [] : passages.of(source.article), passages }
  const results = answer.sentences.flatMap((sentence) => [
    ...permissionFindings(sentence, answer, known),
    ...sentence.facts.map((fact) => findingOf(fact, sentence, answer, known)),
  ])
  return {
    checked: results.filter((result) => result !== undefined).length,
    findings: results.filter((result) => result !== undefined && result !== null),
  }
}

/** Null for a fact that is borne out, undefined for one that is not checked. */
function findingOf(fact: Fact, sentence: Sentence, answer: ReadAnswer, known: Known) {
  const { asked, own, passages } = known
  if (fact.kind === 'negation' || PLACEHOLDER.test(fact.value)) return undefined
  if (asked.some((other) => says(other, fact, sentence) || isSameCount(other, fact))) return undefined

  // The nearest sentence of the source that gives the value, and the nearest that gives another in its place.
  const facts = sentence.facts.filter((other) => other.kind !== 'negation' && !isSameFact(fact, other))
  const matter = { terms: sentence.matter, facts }
  const all = passages.weigh(sentence.matter)
  const weights = new Map(own.map((passage) => [passage, passages.sharedBy(passage, matter)]))
  const weight = (passage: Passage | undefined): number => (passage && weights.get(passage)) ?? 0
  const nearest = own.toSorted((some, other) => weight(other) - weight(some))
  const holders = new Set(own.filter((passage) => gives(passage, fact, sentence)))
  const holder = nearest.find((passage) => holders.has(passage))
  const rival = nearest.find(
    (passage) => !holders.has(passage) && rivalOf(fact, passage, sentence) !== undefined,
  )
  const text = rival && rivalOf(fact, rival, sentence)?.text
  const instead =
    rival !== undefined && text !== undefined && weight(rival) > SAME_MATTER * all
      ? { passage: rival, text }
      : null

  const other = holder === undefined ? passages.elsewhere(fact, sentence.matter, own[0]?.article) : undefined
  if (holder !== undefined && weight(rival) - weight(holder) <= MARGIN * all) return null
  if (other !== undefined) {
    // A sentence may be from another article than the rest of the answer.
    const shared = passages.sharedBy(other, matter)
    if (own.length === 0 || (shared > MARGIN * all && shared > LEAD * weight(nearest[0]))) return null
  }
  if (holder === undefined && instead === null && isWeak(fact)) return undefined
  if (isDerived(fact, sentence, answer, known)) return undefined
  const kind = other === undefined ? 'unsupported' : 'elsewhere'
  return { kind, fact, sentence: sentence.text.trim(), instead, at: other ?? null } as const
}

/** What the source allows or forbids otherwise. */
const permissionFindings = ({ text, start }: Sentence, { language }: ReadAnswer, { own, passages }: Known) =>
  permissionsIn(text, language).map((permission) => {
    const passage = oppositeOf(permission, own, passages)
    if (passage === undefined || passage === null) return passage
    const written = permission.text.trim()
    const from = start + permission.start + permission.text.indexOf(written)
    const fact = { kind: 'negation', text: written, start: from, end: from + written.length } as const
    return {
      kind: 'unsupported',
      fact,
      sentence: text.trim(),
      instead: { passage, text: passage.text },
      at: null,
    } as const
  })

const isWeekday = ({ kind, value }: Fact): boolean => kind === 'date' && value.startsWith('weekday')
const isCode = (fact: Fact): boolean => isBare(fact) && /\p{L}/u.test(fact.value)

/** A small count or a share in words may be the answer's own: flagged only where the section counts otherwise. */
const isWeak = (fact: Fact): boolean =>
  isWeekday(fact) ||
  (isBare(fact) && Number(fact.value) < 10) ||
  (isCode(fact) && !/[-.]/.test(fact.value) && fact.value.length < 5) ||
  (fact.kind === 'percentage' && !/\d/.test(fact.text)) ||
  /^1[ -]?\p{L}/u.test(fact.digits)

/** A fact of a passage that may stand in a fact's place, and that the sentence does not give, too. */
const rivalOf = (fact: Fact, { facts }: Passage, sentence: Sentence): Fact | undefined =>
  facts.find(
    (known) =>
      isRival(fact, known) &&
      !sentence.facts.some((other) => isSameFact(other, known)) &&
      !hasDigits(sentence.text, known),
  )

function isRival(fact: Fact, known: Fact): boolean {
  if (fact.kind !== known.kind || isWeekday(fact) !== isWeekday(known) || isSameFact(fact, known))
    return false
  if (fact.kind !== 'number') return true
  if (fact.unit !== known.unit || isCode(fact) !== isCode(known)) return false
  if (isCode(fact)) return fact.value.replaceAll(/\d/g, '') === known.value.replaceAll(/\d/g, '')
  // What a number counts: the words beside it.
  const [some, other] = [fact, known].map(({ before, next }) => termsOf(`${before} ${next}`, undefined))
  return !isWeak(fact) || some?.some((noun) => other?.includes(noun)) === true
}

/** Whether a passage gives the fact's value, by itself or with others. */
function gives({ facts, text }: Passage, fact: Fact, sentence: Sentence): boolean {
  if (facts.some((known) => says(known, fact, sentence)) || hasDigits(text, fact)) return true
  // "Please allow a week" gives seven days.
  if (fact.kind === 'duration')
    return Array.from(text.matchAll(A_UNIT), ([, unit]) => extractFacts(`1 ${unit}`)).some((found) =>
      found.some((known) => isSameFact(fact, known)),
    )
  if (isWeekday(fact)) {
    // "Monday to Friday" holds a Wednesday.
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
    (ANY_MONTH.test(text) ||
      facts.some(({ kind, value }) => kind === 'date' && value.endsWith(`-${month}`))) &&
    facts.some((known) => isBare(known) && Number(known.value) === Number(day))
  )
}

/** Whether a text has the digits of a number, as a part of a longer value: "page_size=7". */
function hasDigits(text: string, { kind, digits }: Fact): boolean {
  const [number] = /^\d{1,9}$/.exec(digits.replace(/(?:st|nd|rd|th|\.)$/, '')) ?? []
  return kind === 'number' && number !== undefined && new RegExp(`(?<!\\d)0*${number}(?!\\d)`).test(text)
}

/** What is hedged may be rounded: "nearly 74,000" for 73,795, "about two months" for nine weeks. */
function says(known: Fact, fact: Fact, { text, start }: Sentence): boolean {
  if (isSameFact(fact, known)) return true
  if (fact.kind !== known.kind || fact.kind === 'date' || fact.kind === 'url') return false
  const isHedged =
    HEDGE_BEFORE.test(text.slice(0, fact.start - start).replaceAll('*', '')) ||
    HEDGE_AFTER.test(text.slice(fact.end - start))
  const isInWords = fact.kind === 'duration' && /^\d+\.\d/.test(fact.digits) && !/\d/.test(fact.text)
  return (isHedged || isInWords) && isClose(fact, known, fact.kind === 'duration' ? 0.1 : 0.05)
}

/** One number, whatever it counts: the person's "8 vacation days" are the answer's "8 days". */
const isSameCount = (fact: Fact, known: Fact): boolean => {
  const [some, other] = [fact, known].map(({ digits }) => /\d[\d.,:]*/.exec(digits)?.[0])
  return some !== undefined && some === other
}

/**
 * Whether a value is drawn from others, not from an article. A sentence that says so may draw a sum, a
 * difference, a multiple, a year later. Any sentence may share out an amount of its own ("132 euro for a
 * dozen lessons, 11 euro each"), multiply one by a number of the question, halve one where a half is spoken
 * of, and count the hours between its own times. The rest is a claim: a wrong value is often the double of
 * the right one.
 */
function isDerived(
  fact: Fact,
  sentence: Sentence,
  answer: ReadAnswer,
  { asked, stated, own }: Known,
): boolean {
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
    const isSum = sizes.some((size) => sizes.some((other) => isValue(size + other) || isValue(size - other)))
    if (isSum || isMultiple(sizes, [2, 12, ...countsOf(stated)])) return true
  }
  if (fact.kind !== 'amount') return false
  const given = sizesOf(own.flatMap(({ facts }) => facts))
  const inQuestion = asked.map(({ digits }) => Number(firstNumber(digits))).filter((count) => count > 1)
  const isHalved = [...answer.sentences, ...own].some(({ text }) => HALVES.test(text))
  return (
    isMultiple(sizesOf(sentence.facts), countsOf(sentence.facts)) ||
    isMultiple(given, inQuestion) ||
    (isHalved && [...given, ...sizesOf(stated)].some((size) => isValue(size / 2)))
  )
}

/** A year and months, a time and a duration, a duration and how often. */
const isRelated = (fact: Fact, other: Fact): boolean =>
  (fact.kind === other.kind && fact.unit === other.unit) ||
  (isBare(fact) && /^(?:19|20)\d\d$/.test(fact.value) && other.unit === 'months') ||
  (fact.kind === 'time' && other.kind === 'duration') ||
  (fact.kind === 'duration' && other.kind === 'time') ||
  (fact.kind === 'duration' && (isBare(other) || other.kind === 'duration'))

/** A quantity as a number: times and durations in days, or in years. */
function sizeOf({ kind, value, unit }: Fact): number | undefined {
  const [hour, minute] = kind === 'time' ? value.split(':').map(Number) : []
  if (hour !== undefined) return hour / 24 + (minute ?? 0) / 1440
  const number = Number(value) / (unit === 's' ? 86_400 : unit === 'months' ? 12 : 1)
  return Number.isFinite(number) ? number : undefined
}
