// What a reader of the page can do beyond reading, where a program serves it: the workbench adds these, and a
// page that is opened from the disk has none.
import { type ComponentChildren, createContext } from 'preact'
import type { DoubtfulFact } from '../domain/articles.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { Found } from './store.ts'

export interface Abilities {
  /** Stands beside the number of conversations that a search finds. */
  readonly ofFound?: (found: readonly Found[]) => ComponentChildren
  readonly ofTurn?: (turn: PageTurn) => ComponentChildren
  /** Stands beside a fact that no article bears out. */
  readonly ofFact?: (turn: PageTurn, fact: DoubtfulFact) => ComponentChildren
}

export const AbilitiesContext = createContext<Abilities>({})
