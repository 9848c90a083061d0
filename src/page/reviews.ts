// Reviews made in the page. The browser stores them; a download gives them in the format of `--reviews`.
import type { Rating } from '../domain/review.ts'
import { defuse, singleSpaced } from '../domain/text.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { fold, type Found, type PageContents } from './store.ts'

/** The field names are those in the browser's storage. */
export interface Mark {
  readonly word: Rating | null
  readonly note: string
  /** It says why the review is not saved. */
  readonly fault?: string
}

export interface Marks {
  /** A review that was made here goes before that of the run. */
  readonly of: (turn: PageTurn) => Mark
  readonly set: (turn: PageTurn, mark: Mark) => void
  readonly count: () => number
  /**
   * All reviews of the page, in the format of `reviews.csv`: those that the run carries, and those made here
   * in their place. Absent where they are saved as they are made.
   */
  readonly csv?: () => string
}

interface StoredMark extends Mark {
  readonly id: string
  readonly answer: string
  /** Absent if an older page stored it. */
  readonly message?: string
}

/** `changed` is called after each review. */
export function createMarks({ runId, reviews }: PageContents, changed: () => void): Marks {
  const key = `assist-harness ${runId}`
  const marks = new Map<string, StoredMark>(Object.entries(read(key)))
  const keyOf = ({ id, answer }: PageTurn): string => `${id} ${answer ?? ''}`
  const rows = (): string[][] => {
    const made = [...marks.values()]
    const replaced = new Set(made.map(({ id, answer }) => sameKey(id, answer)))
    return [
      ...reviews
        .filter(({ questionId, answer }) => !replaced.has(sameKey(questionId, answer)))
        .map(({ questionId: id, answer, review, note, message }) => [
          id,
          answer,
          review ?? '',
          note,
          message,
        ]),
      // One without a rating and a note was taken back.
      ...made
        .filter(({ word, note }) => word !== null || note !== '')
        .map(({ id, answer, word, note, message }) => [id, answer, word ?? '', note, message ?? '']),
    ]
  }
  return {
    of: (turn) => marks.get(keyOf(turn)) ?? turn.review ?? { word: null, note: '' },
    set: (turn, mark) => {
      marks.set(keyOf(turn), { id: turn.id, answer: turn.answer ?? '', message: turn.message, ...mark })
      try {
        localStorage.setItem(key, JSON.stringify(Object.fromEntries(marks)))
      } catch {
        // They stay in the open page and can be downloaded.
      }
      changed()
    },
    count: () => rows().length,
    csv: () => toCsv([['id', 'answer', 'review', 'note', 'message'], ...rows()]),
  }
}

/** The key is the same for answers that differ only in case and white space. */
export const sameKey = (id: string, answer: string): string => `${id} ${singleSpaced(fold(answer))}`

/** Some browsers store nothing for local files. */
function read(key: string): Record<string, StoredMark> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, StoredMark>
  } catch {
    return {}
  }
}

/** Columns have the names of `results.csv`. Without a match it is empty. */
export function foundCsv(conversations: readonly Found[], marks: Marks): string {
  const rows = conversations
    .flatMap(({ turns }) => turns)
    .map((found) => {
      const { id, thread, turn, repeat, message, answer, outcome, source, passed, tags } = found
      const { word: review, note } = marks.of(found)
      const named = { id, thread, turn, repeat, message, answer, outcome, context_source: source, passed }
      return { ...named, tags: tags.join(';'), review, note }
    })
  const cells = rows.map((row) => Object.values(row).map((cell) => String(cell ?? '')))
  return toCsv([Object.keys(rows[0] ?? {}), ...cells])
}

const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => `"${defuse(cell).replaceAll('"', '""')}"`).join(',')}\r\n`).join('')

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
