// What a command takes on its line, and what it does: help and the parser read the same declaration.
import { orShipped } from '../shipped.ts'
import { say } from '../output.ts'
import type { NamedOption } from '../options/option-spec.ts'

/** What was typed, by the names of options and places; nothing of it is read yet. */
export type Typed = Readonly<Record<string, unknown>>

export interface Declaration {
  readonly options: readonly NamedOption[]
  /** Options that are taken, and not shown. */
  readonly unshown?: readonly string[]
  /** Words behind `assist-harness`, and what they are good for. */
  readonly examples: readonly (readonly [words: string, why: string])[]
  /** Returns the exit code. Throws UsageError for what cannot be done as typed. */
  readonly act: (typed: Typed) => Promise<number>
}

/** Names in their place. */
export const wordsOf = (typed: Typed, place: 'dataset' | 'runs'): readonly string[] =>
  typed[place] as readonly string[]

/** Question sets as named; those of the package where the README's are not at hand. */
export const setsOf = (typed: Typed): string[] =>
  wordsOf(typed, 'dataset').map((path) => orShipped(path, say))
