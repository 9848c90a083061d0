// How near the words and other values of a sentence stand to one of its values.
import type { Fact } from './facts.ts'
import type { Passage } from './passages.ts'
import { cellAt, headOfRow, startOfCell } from './rows.ts'
import { type Language, termsOf } from '../text/words.ts'

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|[,;:.!?()|–]/gu
const isWord = (token: string): boolean => /[\p{L}\p{N}]/u.test(token)
/** A term so many words away counts half; the end of a clause is as far as so many words. */
const HALF = 6
const CLAUSE = 3
/** So many characters before and behind it are read. */
const MAX_BESIDE = 500
/** What stands over a value, the question that is answered, and other cells of a row count so much. */
export const AROUND = 0.3

interface Span {
  readonly start: number
  readonly end: number
}

/** Weighs the terms of a text by how near they stand to a part of it: 1 for the next one. */
export function termsBeside(
  text: string,
  { start, end }: Span,
  language: Language | undefined,
): Map<string, number> {
  const beside = new Map<string, number>()
  const read = (side: string[]): void => {
    let away = 0
    for (const token of side) {
      if (isWord(token))
        for (const term of termsOf(token, language)) atLeast(beside, term, HALF / (HALF + away))
      away += isWord(token) ? 1 : CLAUSE
    }
  }
  read((text.slice(Math.max(0, start - MAX_BESIDE), start).match(TOKEN) ?? []).reverse())
  read(text.slice(end, end + MAX_BESIDE).match(TOKEN) ?? [])
  return beside
}

export const atLeast = (beside: Map<string, number>, term: string, near: number): unknown =>
  near > (beside.get(term) ?? 0) && beside.set(term, near)

/** Keyed by passage and its fact; without a fact, all terms of the passage count alike. */
const known = new WeakMap<Passage, Map<Fact | undefined, ReadonlyMap<string, number>>>()

export function besideIn(passage: Passage, fact: Fact | undefined): ReadonlyMap<string, number> {
  const facts = known.get(passage) ?? new Map<Fact | undefined, ReadonlyMap<string, number>>()
  known.set(passage, facts)
  const before = facts.get(fact)
  if (before !== undefined) return before
  const { text, over, isRow, language, terms } = passage
  const beside =
    fact === undefined
      ? new Map([...terms].map((term) => [term, 1]))
      : isRow
        ? besideInRow(passage, fact)
        : termsBeside(text, fact, language)
  for (const term of termsOf(over, language)) atLeast(beside, term, AROUND)
  facts.set(fact, beside)
  return beside
}

/** The head of a row holds for each of its cells, as if it stood beside it. */
function besideInRow({ text, language, terms }: Passage, fact: Fact): Map<string, number> {
  const head = `${headOfRow(text)}: `
  const start = head.length + fact.start - startOfCell(text, fact)
  const place = { start, end: start + fact.end - fact.start }
  const beside = termsBeside(head + cellAt(text, fact), place, language)
  for (const term of terms) atLeast(beside, term, AROUND)
  return beside
}

/** Weighs another value of a passage: 1 for the next one, and for one in the head of the row. */
export function nearnessOf({ text, isRow }: Passage, other: Fact, value: Fact | undefined): number {
  if (value === undefined) return 1
  if (isRow && startOfCell(text, other) !== startOfCell(text, value))
    return startOfCell(text, other) === 0 ? 1 : AROUND
  const [first, second] = other.end <= value.start ? [other, value] : [value, other]
  const between = text.slice(first.end, Math.min(second.start, first.end + MAX_BESIDE)).match(TOKEN) ?? []
  return HALF / (HALF + between.reduce((sum, token) => sum + (isWord(token) ? 1 : CLAUSE), 0))
}
