// What a person does with an answer: rates it, notes something, decides on a gap, expects a value. Each act
// can be taken back. The report page keeps ratings in the browser; the workbench saves each act where the run
// lies.
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PageTurn } from '../domain/conversations.ts'
import type { Rating } from '../domain/review.ts'
import { singleSpaced } from '../domain/text.ts'
import { fold, type Found, type PageStore, storeOf } from './store.ts'

export interface Mark {
  readonly word: Rating | null
  readonly note: string
}

export const NO_MARK: Mark = { word: null, note: '' }

/** `article`: the id of the one that answers the question; null: none does. */
export interface Decided {
  readonly article: string | null
  readonly by: string | null
  readonly at: string | null
}

/** Cells of the question's row in its set: what the answer must say. */
export type Cells = Readonly<Record<string, string>>

/** What is done here goes before what the run carries. */
export interface Acts {
  readonly markOf: (turn: PageTurn) => Mark
  /** Undefined where nobody decided. */
  readonly decisionOn: (turn: PageTurn) => Decided | undefined
  /** Names an article that is none of the candidates; absent in a file. */
  readonly titleOf?: (article: string) => string | undefined
  /** The texts that its set demands or forbids by now, whatever it did in the run. */
  readonly expectedOf: (turn: PageTurn) => readonly string[]
  readonly rate: (turn: PageTurn, mark: Mark) => void
  /** Absent where nothing can be saved. `undefined` takes the decision back. */
  readonly decide?: (turn: PageTurn, article: string | null | undefined) => void
  readonly expect?: (turn: PageTurn, cells: Cells) => void
  /** It stands below the list, such as "Ask again". */
  readonly ofFound?: (found: readonly Found[]) => ComponentChildren
  /** It stands below the candidates, such as a choice of any other article. */
  readonly ofTurn?: (turn: PageTurn) => ComponentChildren
  /** It says why a button that saves does not work now. */
  readonly away?: string | undefined
  /** The last act, which `undo` takes back. */
  readonly last: Done | undefined
}

interface Done {
  readonly turn: PageTurn
  readonly says: string
  readonly undo: () => void
}

export const READING: Acts = {
  markOf: () => NO_MARK,
  decisionOn: recordedDecision,
  expectedOf: () => [],
  rate: () => undefined,
  last: undefined,
}

/** Every part of the desk reads it: the conversations, and what people do with their answers. */
export interface DeskState {
  readonly store: PageStore
  readonly acts: Acts
}

const EMPTY = { runId: '', name: '', blocks: 0, sections: [], changes: [] }

export const NO_DESK: DeskState = { store: storeOf(EMPTY, []), acts: READING }

export const DeskContext = createContext(NO_DESK)

export const useDesk = (): DeskState => useContext(DeskContext)

export const rateText = (before: Mark, { word }: Mark): string => {
  if (word === before.word) return 'Note saved'
  return word === null ? 'Rating taken back' : `Rated ${word}`
}

/** Acts are saved one after the other, so that an undo waits for what it takes back. */
export interface Log {
  last: Done | undefined
  saving: Promise<unknown>
  /** Called after each act, and when one was not kept. */
  readonly changed: () => void
}

export const openLog = (changed: () => void): Log => ({ last: undefined, saving: Promise.resolve(), changed })

interface Keyed<Value> {
  readonly keyOf: (turn: PageTurn) => string
  readonly recorded: (turn: PageTurn) => Value
  /** Tells whether two values say the same. */
  readonly idOf: (value: Value) => readonly unknown[]
}

/** A table holds what was said of turns since the run, here or in another tab. */
export function createTable<Value>(log: Log, { keyOf: makeKey, recorded, idOf }: Keyed<Value>) {
  const values = new Map<string, Value>()
  const unsaved: string[] = []
  const savedAt = new Map<string, number>()
  // A search looks at all turns.
  const keys = new WeakMap<PageTurn, string>()
  const keyOf = (turn: PageTurn): string => {
    const key = keys.get(turn) ?? makeKey(turn)
    keys.set(turn, key)
    return key
  }
  const of = (turn: PageTurn): Value => {
    const key = keyOf(turn)
    return values.has(key) ? (values.get(key) as Value) : recorded(turn)
  }
  const isSame = (some: Value, other: Value): boolean =>
    JSON.stringify(idOf(some)) === JSON.stringify(idOf(other))
  const put = (turn: PageTurn, value: Value, save: (value: Value) => Promise<unknown>): void => {
    const [key, before] = [keyOf(turn), of(turn)]
    values.set(key, value)
    unsaved.push(key)
    log.saving = log.saving
      .then(async () => save(value))
      .catch((error: unknown) => {
        values.set(key, before)
        const says = `Not saved: ${error instanceof Error ? error.message : String(error)}`
        log.last = { turn, says, undo: () => undefined }
        log.changed()
      })
      .finally(() => {
        unsaved.splice(unsaved.indexOf(key), 1)
        savedAt.set(key, Date.now())
      })
    log.changed()
  }
  return {
    of,
    act: (turn: PageTurn, says: string, value: Value, save: (value: Value) => Promise<unknown>): void => {
      const before = of(turn)
      // What changes nothing would hide the act before it from undo.
      if (isSame(before, value)) return
      const undo = (): void => {
        log.last = undefined
        put(turn, before, save)
      }
      log.last = { turn, says, undo }
      put(turn, value, save)
    },
    /** Another tab has saved it: before what is not saved here yet, and not to be undone here. */
    hear: (key: string, value: Value): void => {
      if (unsaved.includes(key)) return
      const { last } = log
      if (last !== undefined && keyOf(last.turn) === key && !isSame(of(last.turn), value))
        log.last = undefined
      values.set(key, value)
      log.changed()
    },
    /**
     * What the run had when it was asked at that time, which what was saved later is not in. The last act can
     * still be taken back.
     */
    read: (known: ReadonlyMap<string, Value>, askedAt: number): void => {
      for (const key of values.keys())
        if (!unsaved.includes(key) && (savedAt.get(key) ?? 0) < askedAt) values.delete(key)
      for (const [key, value] of known) if (!values.has(key)) values.set(key, value)
      log.changed()
    },
  }
}

export const markTable = (log: Log) =>
  createTable<Mark>(log, {
    keyOf: ({ id, answer }) => answerKey(id, answer),
    recorded: ({ review }) => review ?? NO_MARK,
    idOf: ({ word, note }) => [word, note],
  })

/** The key is the same for answers that differ only in case and white space. */
export const answerKey = (id: string, answer: string | null): string =>
  `${id} ${singleSpaced(fold(answer ?? ''))}`

export function recordedDecision({ articles }: PageTurn): Decided | undefined {
  if (articles?.kind !== 'gap' || articles.decision === null) return undefined
  const article = articles.cause === 'no-article' ? null : (articles.nearest[0]?.article ?? null)
  return { ...articles.decision, article }
}
