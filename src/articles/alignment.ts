// The words beside a value in the answer and in the source tell whether they are the same matter.
import { gives, hasDigits, isCode, isSameCount, isWeekday, type Known, says } from './borne-out.ts'
import { sizeOf } from './derived.ts'
import type { Fact } from './facts.ts'
import type { Passage } from './passages.ts'
import { isBare, isSameFact } from './same-fact.ts'
import type { Sentence } from './source.ts'
import { type Language, termsOf } from '../text/words.ts'

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|[,;:.!?()|–]/gu
/** A term so many words away counts half; the end of a clause is as far as so many words. */
const HALF = 6
const CLAUSE = 3
/** So many characters before and behind it are read. */
const MAX_BESIDE = 500
/** The heading over a value, and the question that is answered, count so much beside its own sentence. */
const AROUND = 0.3
/** Another value beside it counts this much of what a term as rare counts. */
const OTHER_VALUE = 0.6
/** A wrong value is seldom so many times the right one, or less than that part of it: it then counts half. */
const MAX_FACTOR = 5
const FAR = 0.5

/** Weighs the terms of a text by how near they stand to a part of it: 1 for the next one. */
function termsBeside(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  language: Language | undefined,
): Map<string, number> {
  const beside = new Map<string, number>()
  const read = (side: string[]): void => {
    let away = 0
    for (const token of side) {
      const isWord = /[\p{L}\p{N}]/u.test(token)
      if (isWord) for (const term of termsOf(token, language)) atLeast(beside, term, HALF / (HALF + away))
      away += isWord ? 1 : CLAUSE
    }
  }
  read((text.slice(Math.max(0, start - MAX_BESIDE), start).match(TOKEN) ?? []).reverse())
  read(text.slice(end, end + MAX_BESIDE).match(TOKEN) ?? [])
  return beside
}

const atLeast = (beside: Map<string, number>, term: string, near: number): unknown =>
  near > (beside.get(term) ?? 0) && beside.set(term, near)

/** Keyed by passage and its fact; without a fact, all terms of the passage count alike. */
const known = new WeakMap<Passage, Map<Fact | undefined, ReadonlyMap<string, number>>>()

function besideIn(passage: Passage, fact: Fact | undefined): ReadonlyMap<string, number> {
  const facts = known.get(passage) ?? new Map<Fact | undefined, ReadonlyMap<string, number>>()
  known.set(passage, facts)
  const before = facts.get(fact)
  if (before !== undefined) return before
  const { text, section, language, terms } = passage
  const beside =
    fact === undefined ? new Map([...terms].map((term) => [term, 1])) : termsBeside(text, fact, language)
  for (const term of termsOf(section.heading, language)) atLeast(beside, term, AROUND)
  facts.set(fact, beside)
  return beside
}

export interface Place {
  readonly passage: Passage
  /** It is undefined where no single fact of the passage gives the value. */
  readonly fact: Fact | undefined
  /** Says how much of what stands beside the value of the answer stands here, too. */
  readonly weight: number
  readonly count: number
}

export function placesOf(
  fact: Fact,
  { text, start, matter, facts }: Sentence,
  { answer: { language }, own, askedTerms, stated, passages }: Known,
) {
  const place = { start: fact.start - start, end: fact.end - start }
  const beside = new Map([...termsBeside(text, place, language)].filter(([term]) => matter.has(term)))
  for (const term of askedTerms) atLeast(beside, term, AROUND)
  const others = facts.filter((other) => other.kind !== 'negation' && !isSameFact(fact, other))
  const isStated = (value: Fact): boolean =>
    hasDigits(text, value) ||
    stated.some((other) => isSameFact(other, value) || (isBare(value) && isSameCount(other, value)))

  const placeIn = (passage: Passage, value: Fact | undefined): Place => {
    const there = besideIn(passage, value)
    let [weight, count] = [0, 0]
    for (const [term, near] of beside) {
      const nearThere = there.get(term)
      if (nearThere === undefined) continue
      count += 1
      weight += near * nearThere * passages.weightOf(term)
    }
    for (const other of others) {
      // Without words in common, a small number beside another says nothing.
      if (passage.language !== language && isBare(other) && Number(other.value) < 10) continue
      if (!passage.facts.some((some) => some !== value && isSameFact(other, some))) continue
      count += 1
      weight += OTHER_VALUE * passages.weightOfFact(other)
    }
    return { passage, fact: value, weight, count }
  }

  const [holders, rivals]: [Place[], Place[]] = [[], []]
  for (const passage of own) {
    const giving = passage.facts.filter((value) => says(value, fact, { text, start }))
    for (const value of giving) holders.push(placeIn(passage, value))
    if (giving.length === 0 && gives(passage, fact)) holders.push(placeIn(passage, undefined))
    for (const value of passage.facts) {
      if (!isRival(fact, value) || isStated(value)) continue
      const rival = placeIn(passage, value)
      rivals.push({ ...rival, weight: (isFar(fact, value) ? FAR : 1) * rival.weight })
    }
  }
  let all = others.reduce((sum, other) => sum + OTHER_VALUE * passages.weightOfFact(other), 0)
  for (const [term, near] of beside) if (passages.has(term)) all += near * passages.weightOf(term)
  const best = (places: readonly Place[]): Place | undefined =>
    places.reduce<Place | undefined>(
      (some, other) => (some && some.weight >= other.weight ? some : other),
      undefined,
    )
  return { holder: best(holders), rival: best(rivals), all, holders }
}

function isRival(fact: Fact, value: Fact): boolean {
  if (fact.kind !== value.kind || isWeekday(fact) !== isWeekday(value) || isSameFact(fact, value))
    return false
  if (fact.kind !== 'number') return true
  if (fact.unit !== value.unit || isCode(fact) !== isCode(value)) return false
  return !isCode(fact) || fact.value.replaceAll(/\d/g, '') === value.value.replaceAll(/\d/g, '')
}

function isFar(fact: Fact, value: Fact): boolean {
  const [size, other] = [fact, value].map((some) => (sizeOf(some) ?? 0) * (some.unit === 'months' ? 365 : 1))
  return fact.kind !== 'time' && !!size && !!other && (size > MAX_FACTOR * other || other > MAX_FACTOR * size)
}
