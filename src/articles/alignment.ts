// The words beside a value in the answer and in the source tell whether they are the same matter.
import { gives, hasDigits, isCode, isSameCount, isWeekday, type Known, says } from './borne-out.ts'
import { RANGE } from './fact-words.ts'
import { extractFacts, type Fact } from './facts.ts'
import { matterOf, type Passage } from './passages.ts'
import { isBare, isSameFact, sizeOf } from './same-fact.ts'
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
/** A row that the question names, or a sentence beside this one, is meant with so much less certainty. */
const NEARBY = 0.7
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
  const { text, over, language, terms } = passage
  const beside =
    fact === undefined ? new Map([...terms].map((term) => [term, 1])) : termsBeside(text, fact, language)
  if (fact !== undefined && isRow(text)) {
    // The head of a row holds for each of its cells, as if it stood beside it.
    const cell = cellOf(text, fact)
    beside.clear()
    for (const term of terms) atLeast(beside, term, AROUND)
    const own = `${text.slice(0, text.indexOf(CELL))}: ${cell}`
    const at = own.length - cell.length + (fact.start - cellStart(text, fact))
    for (const [term, near] of termsBeside(own, { start: at, end: at + fact.end - fact.start }, language))
      atLeast(beside, term, near)
  }
  for (const term of termsOf(over, language)) atLeast(beside, term, AROUND)
  facts.set(fact, beside)
  return beside
}

/** A row of a table has these between its cells. */
const CELL = ' | '
const isRow = (text: string): boolean => text.includes(CELL)
const cellStart = (text: string, { start }: { readonly start: number }): number =>
  text.lastIndexOf(CELL, start) === -1 ? 0 : text.lastIndexOf(CELL, start) + CELL.length
function cellOf(text: string, place: { readonly start: number }): string {
  const from = cellStart(text, place)
  const to = text.indexOf(CELL, place.start)
  return text.slice(from, to === -1 ? undefined : to)
}

/** Returns what stands over the column; empty for a column without a head. */
const columnOf = (text: string, value: Fact): string => /^[^:]+(?=: )/.exec(cellOf(text, value))?.[0] ?? ''

export interface Place {
  readonly passage: Passage
  /** It is undefined where no single fact of the passage gives the value. */
  readonly fact: Fact | undefined
  /** Says how much of what stands beside the value of the answer stands here, too. */
  readonly weight: number
  readonly count: number
  /** In a row of a table: how much of the head of the row is in the sentence of the answer. */
  readonly head: number | undefined
}

export function placesOf(
  fact: Fact,
  { text, start, matter, facts }: Sentence,
  { answer: { language, sentences }, own, askedTerms, stated, passages }: Known,
) {
  const place = { start: fact.start - start, end: fact.end - start }
  const beside = new Map([...termsBeside(text, place, language)].filter(([term]) => matter.has(term)))
  for (const term of askedTerms) atLeast(beside, term, AROUND)
  const others = facts.filter((other) => other.kind !== 'negation' && !isSameFact(fact, other))
  const isStated = (value: Fact): boolean =>
    hasDigits(text, value) ||
    stated.some((other) => isSameFact(other, value) || (isBare(value) && isSameCount(other, value)))

  const at = sentences.findIndex((other) => other.start === start)
  const nearby = sentences.slice(Math.max(0, at - 1), at + 2)
  const isNear = (term: string): boolean =>
    askedTerms.has(term) || nearby.some((other) => other.matter.has(term))
  const shareHeld = (head: string, inLanguage: Language | undefined): number => {
    const values = extractFacts(head, inLanguage).filter(({ kind }) => kind !== 'negation')
    let [held, total] = [0, 0]
    for (const term of new Set(matterOf(head, values, inLanguage))) {
      const weight = passages.weightOf(term)
      total += weight
      if (matter.has(term)) held += weight
      else if (isNear(term)) held += weight * NEARBY
    }
    for (const [index, value] of values.entries()) {
      const weight = passages.weightOfFact(value)
      const isHeld = (some: readonly Fact[]): boolean =>
        some.some((given) => isSameFact(given, value) || isBetween(given, value, values[index + 1]))
      total += weight
      if (isHeld(facts)) held += weight
      else if (isHeld(stated)) held += weight * NEARBY
    }
    return total === 0 ? 0 : held / total
  }
  // The heads of row and column say what a value is for: "Repas du soir", "60–119 minutes", "3 zones".
  const headOf = ({ text: row, language: inLanguage }: Passage, value: Fact | undefined): number =>
    shareHeld(row.slice(0, row.indexOf(CELL)), inLanguage) +
    (value === undefined ? 0 : shareHeld(columnOf(row, value), inLanguage))

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
      const near = Math.max(
        0,
        ...passage.facts.flatMap((some, at) =>
          some !== value && (isSameFact(other, some) || isBetween(other, some, passage.facts[at + 1]))
            ? nearness(passage.text, some, value)
            : [],
        ),
      )
      if (near === 0) continue
      count += 1
      weight += near * OTHER_VALUE * passages.weightOfFact(other)
    }
    const isCell = isRow(passage.text) && (value === undefined || cellStart(passage.text, value) > 0)
    const head = isCell ? headOf(passage, value) * passages.maxWeight : undefined
    return { passage, fact: value, weight, count, head }
  }

  const [holders, rivals]: [Place[], Place[]] = [[], []]
  for (const passage of own) {
    const giving = passage.facts.filter((value) => says(value, fact, { text, start }))
    for (const value of giving) holders.push(placeIn(passage, value))
    if (giving.length === 0 && gives(passage, fact)) holders.push(placeIn(passage, undefined))
  }
  // The unit may stand over the column alone: "Days | 2".
  const columns = holders.flatMap((place) =>
    place.head !== undefined && place.fact !== undefined && isBare(place.fact)
      ? columnOf(place.passage.text, place.fact)
      : [],
  )
  for (const passage of own) {
    const giving = holders.flatMap((place) => (place.passage === passage && place.fact ? place.fact : []))
    for (const value of passage.facts) {
      const isOfColumn =
        isBare(value) && isRow(passage.text) && columns.includes(columnOf(passage.text, value))
      if (!(isRival(fact, value) || isOfColumn) || isStated(value) || giving.includes(value)) continue
      if (giving.some((same) => areOneRange(passage.text, same, value))) continue
      const rival = placeIn(passage, value)
      rivals.push({ ...rival, weight: (isFar(fact, value) ? FAR : 1) * rival.weight })
    }
  }
  let all = others.reduce((sum, other) => sum + OTHER_VALUE * passages.weightOfFact(other), 0)
  for (const [term, near] of beside) if (passages.has(term)) all += near * passages.weightOf(term)
  const heaviest = (places: readonly Place[]): Place | undefined =>
    places.toSorted((some, other) => other.weight - some.weight)[0]
  const pairs = holders.map((holder) => {
    if (holder.head === undefined) return { holder, rival: heaviest(rivals) }
    // Rows of one table say the same of all their values, so their heads tell them apart.
    const ofTable = rivals.filter((rival) => isInRowOrColumn(rival, holder))
    return { holder: withHead(holder), rival: heaviest(ofTable.map(withHead)) }
  })
  const leadOf = ({ holder, rival }: (typeof pairs)[number]): number => holder.weight - (rival?.weight ?? 0)
  const [surest = { holder: undefined, rival: heaviest(rivals) }] = pairs.toSorted(
    (some, other) => leadOf(other) - leadOf(some),
  )
  return { ...surest, all, holders }
}

const withHead = (place: Place): Place => ({ ...place, weight: place.weight + (place.head ?? 0) })

/** In a table, what else could be meant is in the same row or column; prose may always be. */
function isInRowOrColumn(rival: Place, { passage, fact }: Place): boolean {
  if (rival.head === undefined || rival.passage === passage || fact === undefined || rival.fact === undefined)
    return true
  const [column, own] = [columnOf(rival.passage.text, rival.fact), columnOf(passage.text, fact)]
  return rival.passage.section !== passage.section || column === own
}

/** Another value of a sentence stands nearer or farther; in a row of a table, it is in another cell or not. */
function nearness(text: string, some: Fact, value: Fact | undefined): number {
  if (value === undefined) return 1
  if (isRow(text)) {
    const [from, to] = [cellStart(text, some), cellStart(text, value)]
    if (from !== to) return from === 0 ? 1 : AROUND
  }
  const between =
    some.end <= value.start ? text.slice(some.end, value.start) : text.slice(value.end, some.start)
  const away = (between.match(TOKEN) ?? []).reduce(
    (sum, token) => sum + (/[\p{L}\p{N}]/u.test(token) ? 1 : CLAUSE),
    0,
  )
  return HALF / (HALF + away)
}

/** The other end of a range is no other value. */
function areOneRange(text: string, some: Fact, other: Fact): boolean {
  const [first, second] = some.start < other.start ? [some, other] : [other, some]
  return first.start === second.start || IS_RANGE.test(text.slice(first.end, second.start))
}

const IS_RANGE = new RegExp(`^(?:${RANGE}| ?[–—] ?)$`, 'iu')

/** "30–59 minutes" is two facts of one place: 45 minutes are in this row. */
const isBetween = (fact: Fact, from: Fact, to: Fact | undefined): boolean =>
  to !== undefined &&
  from.start === to.start &&
  fact.kind === from.kind &&
  fact.unit === from.unit &&
  Number(from.value) <= Number(fact.value) &&
  Number(fact.value) <= Number(to.value)

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
