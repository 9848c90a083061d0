// What every part of the desk reads: the conversations, and what people do with their answers.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Acts, READING } from './acts.ts'
import { type PageStore, storeOf } from './store.ts'

export interface DeskState {
  readonly store: PageStore
  readonly acts: Acts
}

const EMPTY = { runId: '', name: '', blocks: 0, reviews: [], sections: [], changes: [] }

export const NO_DESK: DeskState = { store: storeOf(EMPTY, []), acts: READING }

export const DeskContext = createContext(NO_DESK)

export const useDesk = (): DeskState => useContext(DeskContext)
