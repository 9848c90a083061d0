// Sentences as moulds: their words, with the facts taken out.
import type { FoundFact } from './find.ts'
import { keyOf, type Reading } from './reading.ts'
import type { FactKind } from './rule.ts'

/** Of sentences with the same words, the facts in them, by their values. */
export type Mould = ReadonlyMap<string, readonly FoundFact[]>

/** Names are what is spoken of; denials are words of the sentence. */
export const STAYING: ReadonlySet<FactKind> = new Set<FactKind>(['name', 'negation'])
/** Between them the order says nothing: "on Monday and Friday". */
const JOINING: ReadonlySet<string> = new Set([',', '/', '&', 'and', 'or', 'und', 'oder'])
const SILENT: ReadonlySet<string> = new Set('a an the on at um am den dem der die das'.split(' '))

/** The moulds of the sentences with facts, by their words; sentences of facts alone have none. */
export function mouldsOf({ text, found }: Reading): ReadonlyMap<string, Mould> {
  const moulds = new Map<string, Map<string, readonly FoundFact[]>>()
  let sentence = new Sentence()
  const finish = (): void => {
    const { words, facts, hasWords } = sentence.finished()
    sentence = new Sentence()
    if (facts.length === 0 || !hasWords) return
    const mould = moulds.get(words) ?? new Map<string, readonly FoundFact[]>()
    moulds.set(words, mould)
    const values = valuesOf(facts)
    if (!mould.has(values)) mould.set(values, facts)
  }
  const readWords = (words: string): void => {
    for (const word of words.toLowerCase().match(/[\p{L}\p{N}'-]+|[,/&]/gu) ?? []) sentence.addWord(word)
  }
  const readGap = (gap: string): void => {
    // Whole sentences between two facts have none of their own: only the ends are read.
    const parts = gap.split(/[.!?;](?=\s|$)|\n/)
    readWords(parts[0] ?? '')
    if (parts.length === 1) return
    finish()
    readWords(parts.at(-1) ?? '')
  }
  let end = 0
  for (const one of found) {
    if (STAYING.has(one.fact.kind)) continue
    if (one.at > end) readGap(text.slice(end, one.at))
    sentence.addFact(one)
    end = Math.max(end, one.end)
  }
  readGap(text.slice(end))
  finish()
  return moulds
}

const valuesOf = (facts: readonly FoundFact[]): string => facts.map(({ fact }) => keyOf(fact)).join('\n')

interface Finished {
  readonly words: string
  readonly facts: readonly FoundFact[]
  readonly hasWords: boolean
}

/** Facts that stand side by side are put in an order of their own: the sentence's says nothing. */
class Sentence {
  readonly #parts: string[] = []
  readonly #facts: FoundFact[] = []
  #hasWords = false
  /** Facts side by side so far: "Monday 9:00 and Tuesday 10:00" are two units. */
  #units: FoundFact[][] = []

  addWord(word: string): void {
    if (JOINING.has(word)) {
      if (this.#units.length > 0) this.#units.push([])
    } else if (!SILENT.has(word)) {
      this.#flush()
      this.#parts.push(word)
      this.#hasWords = true
    }
  }

  addFact(one: FoundFact): void {
    const unit = this.#units.at(-1)
    if (unit === undefined) this.#units.push([one])
    else unit.push(one)
  }

  finished(): Finished {
    this.#flush()
    return { words: this.#parts.join(' '), facts: this.#facts, hasWords: this.#hasWords }
  }

  #flush(): void {
    const units = this.#units
      .filter((unit) => unit.length > 0)
      .map((unit) => ({
        unit,
        kinds: unit.map(({ fact }) => `\0${fact.kind}`).join(''),
        values: valuesOf(unit),
      }))
      .sort((some, other) => compare(some.kinds, other.kinds) || compare(some.values, other.values))
    for (const { unit, kinds } of units) {
      this.#parts.push(kinds)
      for (const one of unit) this.#facts.push(one)
    }
    this.#units = []
  }
}

const compare = (some: string, other: string): number => (some < other ? -1 : some > other ? 1 : 0)
