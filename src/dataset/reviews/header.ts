// Which columns of a table hold reviews: of our results, of a comparison, or of a file of reviews alone.
import { columnKey } from '../columns.ts'
import { undoDefusing } from '../defusing.ts'
import { excerpt, excerptList } from '../excerpt.ts'
import { listPlaces } from '../header.ts'
import { suggest } from '../suggestion.ts'

/** Places from 0. */
export interface ReviewPlaces {
  readonly id: number
  readonly answer: number
  /** -1: there is none, but a note. */
  readonly review: number
  readonly note: number
}

export type ReviewHeader =
  | { readonly kind: 'places'; readonly places: ReviewPlaces }
  | { readonly kind: 'faulty'; readonly faults: readonly string[] }

/** In a comparison the answer reviewed is the candidate's; where both stand, `answer` is the answer. */
const NAMES = {
  id: ['id', 'question id'],
  answer: ['answer', 'candidate answer'],
  review: ['review'],
  note: ['note'],
} as const

export function readReviewHeader(header: readonly string[]): ReviewHeader {
  const places = listPlaces(header.map(undoDefusing))
  const keys = places.map((place) => columnKey(place.header))
  const faults: string[] = []
  const find = (column: keyof typeof NAMES): number => {
    const key = NAMES[column].map(columnKey).find((name) => keys.includes(name))
    if (key === undefined) return -1
    if (keys.indexOf(key) !== keys.lastIndexOf(key))
      faults.push(`the column "${column}" stands more than once; rename or delete all but one`)
    return keys.indexOf(key)
  }
  const found = { id: find('id'), answer: find('answer'), review: find('review'), note: find('note') }
  const names = places.map((place) => place.header).filter((name) => name !== '')
  const missing = (column: keyof typeof NAMES): string => {
    const near = names.find((name) => suggest(columnKey(name), NAMES[column].map(columnKey)) !== undefined)
    const mend =
      near === undefined ? `name it "${column}"` : `is it ${excerpt(near)}? Then name it "${column}"`
    return `(found: ${excerptList(names)}); ${mend}`
  }
  if (found.id === -1) faults.push(`no column holds the questions' ids ${missing('id')}`)
  if (found.answer === -1)
    faults.push(`no column holds the answers that were reviewed ${missing('answer')}, or "candidate_answer"`)
  if (found.review === -1 && found.note === -1)
    faults.push(`no column holds reviews ${missing('review')}, or have a column "note" at least`)
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'places', places: found }
}
