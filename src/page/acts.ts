// What a person does in a page: rates an answer, notes something, decides on a gap, and takes the last act
// back. The report page keeps ratings in the browser; the workbench saves each act where the run lies.
import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import type { PageTurn } from '../domain/conversations.ts'
import type { Found } from './store.ts'
import type { Marks } from './reviews.ts'

/** `article`: the id of the one that answers the question; null: none does. */
export interface Decided {
  readonly article: string | null
  readonly by: string | null
  readonly at: string | null
}

export interface Acts {
  readonly marks: Marks
  /** Undefined where nobody decided; a decision made here goes before that of the run. */
  readonly decisionOn: (turn: PageTurn) => Decided | undefined
  /** Absent where nothing can be saved. `undefined` takes the decision back. */
  readonly decide?: (turn: PageTurn, article: string | null | undefined) => void
  /** Makes cells of the question's row in its set: what the answer must say. */
  readonly expect?: (turn: PageTurn, cells: Readonly<Record<string, string>>) => void
  /** It stands below the list, such as "Ask again". */
  readonly ofFound?: (found: readonly Found[]) => ComponentChildren
  /** It stands below the candidates, such as a choice of any other article. */
  readonly ofTurn?: (turn: PageTurn) => ComponentChildren
  /** Why a button that saves does not work now; undefined where all do. */
  readonly away?: string | undefined
  readonly last: Done | undefined
}

/** The last act, which `undo` takes back. */
export interface Done {
  readonly turn: PageTurn
  readonly says: string
  readonly undo: () => void
}

export const ActsContext = createContext<Acts | undefined>(undefined)

/** For answers that nothing can be done with. */
export const READING: Acts = {
  marks: { of: () => ({ word: null, note: '' }), set: () => undefined, count: () => 0 },
  decisionOn: () => undefined,
  last: undefined,
}
