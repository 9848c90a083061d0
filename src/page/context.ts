// What every part of the page needs: its words, its turns, and the editor's marks.
import type { KeptMarks } from './kept-marks.ts'
import type { Store } from './store.ts'
import type { Speech } from './words.ts'

export interface Context {
  readonly speech: Speech
  readonly store: Store
  readonly marks: KeptMarks
}
