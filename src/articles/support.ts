// Holds the facts of a grounded answer against the articles, each against the section that its own sentence
// resembles.
import { extractFacts, type Fact } from './facts.ts'
import type { Matter, Passage, Passages } from './passages.ts'
import { isBare, isClose, isSameFact } from './same-fact.ts'
import type { LikelySource, ReadAnswer, Sentence } from './source.ts'
import { CONCLUDES, HEDGE_AFTER, HEDGE_BEFORE, PLACEHOLDER, STRUCTURE } from './support-words.ts'
import { termsOf } from '../text/words.ts'

/** What a section gives for the matter of a fact. */
export interface Instead {
  readonly passage: Passage
  readonly text: string
}

/** A fact that the articles do not bear out. */
export interface Finding {
  /** `unsupported`: in no article. `elsewhere`: only in one that the sentence does not resemble. */
  readonly kind: 'unsupported' | 'elsewhere'
  readonly fact: Fact
  readonly sentence: string
  readonly instead: Instead | null
  /** The passage elsewhere. */
  readonly at: Passage | null
}

export interface AnswerSupport {
  /** Facts that were looked for. */
  readonly checked: number
  readonly findings: readonly Finding[]
}

/** Of the weight of a sentence's matter, by how much a passage is nearer to it than the one that gives the value. */
const MARGIN = 0.5
/** Of that weight, what a passage shares that is said to give another value for the same matter. */
const SAME_MATTER = 0.3

/** By how much a sentence resembles another article more than the source, to be from there. */
const LEAD = 1.3

/** Holds an answer's facts against the articles. Those of the question, and what is not understood, are not checked. */
export function supportOf(
  answer: ReadAnswer,
  question: string,
  source: LikelySource | null,
  passages: Passages,
): AnswerSupport {
  const asked = extractFacts(question)
  const own = source === null ? [] : passages.of(source.article)
  // What an answer concludes from, it or the question states.
  const stated = [...asked, ...answer.sentences.flatMap(({ facts }) => facts)]
  const findings: Finding[] = []
  let checked = 0
  for (const sentence of answer.sentences)
    for (const fact of sentence.facts) {
      if (fact.kind === 'negation' || STRUCTURE.test(fact.next) || PLACEHOLDER.test(fact.value)) continue
      if (asked.some((known) => says(known, fact, sentence) || isSameCount(fact, known))) continue
      const found = findingOf(fact, sentence, { own, passages })
      if (found === 'unclear') continue
      if (found !== null && isConclusion(fact, sentence, stated)) continue
      checked += 1
      if (found !== null) findings.push({ ...found, fact, sentence: sentence.text.trim() })
    }
  return { checked, findings }
}

interface Held {
  readonly own: readonly Passage[]
  readonly passages: Passages
}

/** Null for a fact that is borne out. */
function findingOf(
  fact: Fact,
  sentence: Sentence,
  { own, passages }: Held,
): Omit<Finding, 'fact' | 'sentence'> | 'unclear' | null {
  const others = sentence.facts.filter((other) => other.kind !== 'negation' && !isSameFact(fact, other))
  const matter: Matter = { terms: sentence.matter, facts: others }
  const all = passages.weigh(sentence.matter)
  const weights = new Map(own.map((passage) => [passage, passages.sharedBy(passage, matter)]))
  const weight = (passage: Passage | undefined): number => (passage && weights.get(passage)) ?? 0
  const nearest = (list: readonly Passage[]): Passage | undefined =>
    list.toSorted((some, other) => weight(other) - weight(some))[0]
  const holders = own.filter((passage) => gives(passage, fact, sentence))
  const holder = nearest(holders)
  const rival = nearest(
    own.filter((passage) => !holders.includes(passage) && rivalsOf(fact, passage, sentence).length > 0),
  )
  const instead: Instead | null =
    rival !== undefined && weight(rival) > SAME_MATTER * all
      ? { passage: rival, text: rivalsOf(fact, rival, sentence)[0]?.text ?? '' }
      : null
  if (holder !== undefined)
    return weight(rival) - weight(holder) > MARGIN * all ? { kind: 'unsupported', instead, at: null } : null
  const other = passages.elsewhere(fact, sentence.matter, own[0]?.article)
  if (other !== undefined) {
    if (own.length === 0) return null
    const shared = passages.sharedBy(other, matter)
    if (shared > MARGIN * all && shared > LEAD * weight(nearest(own))) return null
  }
  if (isWeak(fact) && instead === null) return 'unclear'
  return other === undefined
    ? { kind: 'unsupported', instead, at: null }
    : { kind: 'elsewhere', instead, at: other }
}

const isWeekday = ({ kind, value }: Fact): boolean => kind === 'date' && value.startsWith('weekday')
const isCode = (fact: Fact): boolean => isBare(fact) && /\p{L}/u.test(fact.value)

/** A small count or a share in words may be the answer's own: flagged only where the section counts the same otherwise. */
const isWeak = (fact: Fact): boolean =>
  isWeekday(fact) ||
  (isBare(fact) && Number(fact.value) < 10) ||
  (isCode(fact) && !/[-.]/.test(fact.value) && fact.value.length < 5) ||
  (fact.kind === 'percentage' && !/\d/.test(fact.text)) ||
  /^1[ -]?\p{L}/u.test(fact.digits)

/** The facts of a passage that may stand in a fact's place, and that the sentence does not give, too. */
const rivalsOf = (fact: Fact, { facts }: Passage, sentence: Sentence): Fact[] =>
  facts.filter(
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
  return !isWeak(fact) || nounsOf(fact).some((noun) => nounsOf(known).includes(noun))
}

/** What a number counts: the words beside it. */
const nounsOf = ({ before, next }: Fact): string[] => termsOf(`${before} ${next}`, undefined)

/** Whether a passage gives the fact's value, by itself or with others. */
const gives = (passage: Passage, fact: Fact, sentence: Sentence): boolean =>
  passage.facts.some((known) => says(known, fact, sentence)) ||
  isDateIn(fact, passage.facts) ||
  (isWeekday(fact) && isInWeek(fact, passage)) ||
  hasDigits(passage.text, fact)

/** Whether a text has the digits of a number, as a part of a longer value: "page_size=7". */
const hasDigits = (text: string, { kind, digits }: Fact): boolean => {
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
  return (
    (isHedged || (fact.kind === 'duration' && /^\d+\.\d/.test(fact.digits) && !/\d/.test(fact.text))) &&
    isClose(fact, known, fact.kind === 'duration' ? 0.1 : 0.05)
  )
}

/** One number, whatever it counts: the person's "8 vacation days" are the answer's "8 days". */
const isSameCount = (fact: Fact, known: Fact): boolean => {
  const [some, other] = [fact, known].map(({ digits }) => /\d[\d.,:]*/.exec(digits)?.[0])
  return some !== undefined && some === other
}

/** "In December it is the 18th" gives 18 December. */
function isDateIn({ kind, value }: Fact, known: readonly Fact[]): boolean {
  const [, month, day] = /-(\d\d)-(\d\d)$/.exec(kind === 'date' ? value : '') ?? []
  return (
    month !== undefined &&
    known.some((fact) => fact.kind === 'date' && fact.value.endsWith(`-${month}`)) &&
    known.some((fact) => isBare(fact) && Number(fact.value) === Number(day))
  )
}

/** "Monday to Friday" holds a Wednesday. */
function isInWeek(fact: Fact, { text, facts }: Passage): boolean {
  const day = Number(fact.value.at(-1))
  const days = facts.filter(isWeekday)
  return days.some((from, index) => {
    const to = days[index + 1]
    const between = to === undefined ? '' : text.slice(from.end, to.start).trim()
    return (
      /^(?:-|–|to|through|bis|au?|à|al?)$/.test(between) &&
      Number(from.value.at(-1)) <= day &&
      day <= Number(to?.value.at(-1))
    )
  })
}

/**
 * Whether a sentence that says so draws a value from others: a sum, a difference, a multiple, a year later. The same
 * without such a word is a claim: a wrong value is often the double of the right one.
 */
function isConclusion(fact: Fact, { text }: Sentence, known: readonly Fact[]): boolean {
  if (!CONCLUDES.test(text)) return false
  const value = sizeOf(fact)
  if (value === undefined) return false
  const sizes = [
    ...new Set(
      known.flatMap((other) => (other !== fact && isRelated(fact, other) ? [sizeOf(other) ?? 0] : [])),
    ),
  ].filter((size) => size > 0)
  const counts = [2, 12, ...known.flatMap((other) => (isBare(other) ? [Number(other.value)] : []))].filter(
    (count) => count > 1,
  )
  const isValue = (size: number): boolean => Math.abs(size - value) < 1e-6 * value
  return sizes.some(
    (size) =>
      counts.some((count) => isValue(size * count) || isValue(size / count)) ||
      sizes.some((other) => isValue(size + other) || isValue(size - other)),
  )
}

const isYear = (fact: Fact): boolean => isBare(fact) && /^(?:19|20)\d\d$/.test(fact.value)
const isRelated = (fact: Fact, other: Fact): boolean =>
  (fact.kind === other.kind && fact.unit === other.unit) ||
  (isYear(fact) && other.unit === 'months') ||
  (fact.kind === 'time' && other.kind === 'duration') ||
  (fact.kind === 'duration' && (isBare(other) || other.kind === 'duration'))

/** A quantity as a number: times and durations in days, or in years. */
function sizeOf({ kind, value, unit }: Fact): number | undefined {
  const [hour, minute] = kind === 'time' ? value.split(':').map(Number) : []
  if (hour !== undefined) return hour / 24 + (minute ?? 0) / 1440
  const number = Number(value) / (unit === 's' ? 86_400 : unit === 'months' ? 12 : 1)
  return Number.isFinite(number) ? number : undefined
}
