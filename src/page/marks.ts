// What an editor has marked in this page: kept beside the page's name in the browser until it is saved as a file.
import type { ReviewWord } from '../domain/review.ts'

export const WORDS_OF_REVIEW = ['good', 'acceptable', 'poor'] as const satisfies readonly ReviewWord[]

/** A note may stand without a word. */
export interface Mark {
  readonly word: ReviewWord | null
  readonly note: string
}

export interface Marks {
  readonly byPlace: ReadonlyMap<number, Mark>
  /** As they stood in the file that was saved last. */
  readonly saved: ReadonlyMap<number, Mark>
}

export const NO_MARKS: Marks = { byPlace: new Map(), saved: new Map() }

const isNothing = ({ word, note }: Mark): boolean => word === null && note === ''

export function withMark({ byPlace, saved }: Marks, place: number, mark: Mark): Marks {
  const changed = new Map(byPlace)
  if (isNothing(mark)) changed.delete(place)
  else changed.set(place, mark)
  return { byPlace: changed, saved }
}

export const asSaved = ({ byPlace }: Marks): Marks => ({ byPlace, saved: byPlace })

/** Marks that no file holds as they are now. One that was taken off again needs none. */
export const countUnsaved = ({ byPlace, saved }: Marks): number =>
  [...byPlace].filter(([place, mark]) => {
    const known = saved.get(place)
    return known === undefined || known.word !== mark.word || known.note !== mark.note
  }).length

export const printMarks = ({ byPlace, saved }: Marks): string =>
  JSON.stringify({ byPlace: [...byPlace], saved: [...saved] })

/** What cannot be read is nothing: another page may have written it. */
export function parseMarks(text: string | null): Marks {
  try {
    const read: unknown = JSON.parse(text ?? 'null')
    if (typeof read !== 'object' || read === null) return NO_MARKS
    const of = (name: string): Map<number, Mark> =>
      new Map(Object.entries(read).flatMap(([key, list]) => (key === name ? entriesOf(list) : [])))
    return { byPlace: of('byPlace'), saved: of('saved') }
  } catch {
    return NO_MARKS
  }
}

function entriesOf(list: unknown): [number, Mark][] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown): [number, Mark][] => {
    if (!Array.isArray(entry)) return []
    const [place, mark] = entry as unknown[]
    if (typeof place !== 'number' || typeof mark !== 'object' || mark === null) return []
    const { word, note } = mark as { word?: unknown; note?: unknown }
    const known = WORDS_OF_REVIEW.find((one) => one === word) ?? null
    return typeof note === 'string' ? [[place, { word: known, note }]] : []
  })
}
