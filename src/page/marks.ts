// What an editor has marked: of each answer a word and a note, and how they stood in the file that was saved last.
import { pictureControls } from '../domain/text.ts'
import type { PageRow } from '../domain/page-data.ts'
import type { PageReview } from '../domain/page.ts'
import type { ReviewWord } from '../domain/review.ts'

export const WORDS_OF_REVIEW = ['good', 'acceptable', 'poor'] as const satisfies readonly ReviewWord[]

/** A note may stand without a word. */
export interface Mark {
  readonly word: ReviewWord | null
  readonly note: string
}

export interface KeptMark extends Mark {
  /** Null: no file has it. */
  readonly saved: Mark | null
}

export const NOTHING: Mark = { word: null, note: '' }

/** A mark is of a question's answer, whatever place or repeat it stands at. Undefined without an answer. */
export const markName = ({ id, answerKey }: Pick<PageRow, 'id' | 'answerKey'>): string | undefined =>
  answerKey === null ? undefined : JSON.stringify([id, answerKey])

export const isSameMark = (some: Mark, other: Mark): boolean =>
  some.word === other.word && some.note === other.note

/** Undefined: nothing is marked any more, and no file needs it. */
export const marked = (known: KeptMark | undefined, mark: Mark): KeptMark | undefined =>
  isSameMark(mark, NOTHING) ? undefined : { ...mark, saved: known?.saved ?? null }

/** `saved`: as the file has it; the mark may have changed since. */
export const withSaved = (mark: KeptMark, { word, note }: Mark): KeptMark => ({
  ...mark,
  saved: { word, note },
})

export const isUnsaved = (mark: KeptMark): boolean => mark.saved === null || !isSameMark(mark.saved, mark)

/** What stands beside this very answer: a word that it got, or a note without one. */
export const standingMark = (review: PageReview | null): Mark =>
  review === null ? NOTHING : { word: review.state === 'carried' ? review.word : null, note: review.note }

/** Whether the mark says what stands already. */
export const isKnown = (mark: Mark, standing: Mark): boolean =>
  mark.word === standing.word && filedNote(mark) === filedNote(standing)

/** As a file of reviews and its reader leave a note. */
const filedNote = ({ note }: Mark): string => pictureControls(note).replaceAll(/\r\n?/g, '\n').trim()

export const printMark = (mark: KeptMark): string => JSON.stringify(mark)

/** Undefined for what cannot be read: another page may have written it. */
export function parseMark(text: string): KeptMark | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const mark = markOf(read)
    if (mark === undefined || isSameMark(mark, NOTHING)) return undefined
    return { ...mark, saved: markOf((read as { saved?: unknown }).saved) ?? null }
  } catch {
    return undefined
  }
}

function markOf(value: unknown): Mark | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { word, note } = value as { word?: unknown; note?: unknown }
  if (typeof note !== 'string') return undefined
  return { word: WORDS_OF_REVIEW.find((one) => one === word) ?? null, note }
}
