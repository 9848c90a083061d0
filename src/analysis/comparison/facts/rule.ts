// A fact of an answer, and the form in which one kind of fact is described.

export type FactKind =
  | 'amount'
  | 'date'
  | 'duration'
  | 'email'
  | 'extension'
  | 'name'
  | 'negation'
  | 'number'
  | 'percentage'
  | 'phone'
  | 'time'
  | 'url'

export interface Fact {
  readonly kind: FactKind
  /** Normalised: two ways to write one fact have one value. */
  readonly value: string
  /** As the answer has it, but for white space and typographic signs. */
  readonly text: string
}

export interface ChangedFacts {
  /** What the answer before has and the one after has not, and the other way round. */
  readonly lost: readonly Fact[]
  readonly gained: readonly Fact[]
}

/** Where the pattern is tried; more places than it can match at are no harm. */
export interface Where {
  /** What a match begins with: bits of `BEGINS`; 0 where it is a word alone. */
  readonly begins: number
  /** Words that a match may begin with, of two letters or more; a longer word may go on from them. */
  readonly words: readonly string[]
}

export interface FactRule {
  readonly kind: FactKind
  readonly where: Where
  /** Sticky. Each start may look ahead only a bounded way or consume what it saw, so that a text takes linear time. */
  readonly pattern: RegExp
  /**
   * Values of a match (a range has two). None: the match says nothing, and no later rule shall see it.
   * Undefined: not for this rule.
   */
  readonly read: (match: readonly (string | undefined)[]) => readonly string[] | undefined
}

/** Neither letter nor digit before, and after: a whole word. */
export const START = '(?<![\\p{L}\\p{N}])'
export const END = '(?![\\p{L}\\p{N}])'

/** How many signs at the end belong to the sentence. Counted, as a pattern would look at each start anew. */
export function trailing(text: string): number {
  let count = 0
  while (count < text.length && '.,;:!?*_`~'.includes(text.charAt(text.length - 1 - count))) count += 1
  return count
}
