// Reviews made in the page. The browser stores them; a download gives them in the format of `--reviews`.
import type { Rating } from '../domain/review.ts'
import { defuse, singleSpaced } from '../domain/text.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { Found } from './query.ts'
import { fold, type PageContents } from './store.ts'

/** The field names are those in the browser's storage. */
export interface Mark {
  readonly word: Rating | null
  readonly note: string
  /** Why it is not saved. */
  readonly fault?: string
}

export interface Marks {
  /** The review of this turn's answer: made here, or else from the run. */
  readonly of: (turn: PageTurn) => Mark
  readonly set: (turn: PageTurn, mark: Mark) => void
  /** Of the reviews in `csv`. */
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
export function createMarks(
  { runId, reviews }: Pick<PageContents, 'runId' | 'reviews'>,
  changed: () => void,
): Marks {
  const key = `assist-harness ${runId}`
  const marks = new Map<string, StoredMark>(Object.entries(read(key)))
  const keyOf = ({ id, answer }: PageTurn): string => `${id} ${answer ?? ''}`
  const rows = (): string[][] => {
    const made = [...marks.values()]
    const replaced = new Set(made.map(({ id, answer }) => sameKey(id, answer)))
    return [
      ...reviews
        .filter(({ questionId, answer }) => !replaced.has(sameKey(questionId, answer)))
        .map(({ questionId, answer, review, note, message }) => [
          questionId,
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

/** Equal for a question and answers that differ only in case and white space. */
export const sameKey = (id: string, answer: string): string => `${id} ${singleSpaced(fold(answer))}`

/** Some browsers store nothing for local files. */
function read(key: string): Record<string, StoredMark> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, StoredMark>
  } catch {
    return {}
  }
}

/** Under the names of `results.csv`. Without a match it is empty. */
export function foundCsv(found: readonly Found[], marks: Marks): string {
  const rows = found
    .flatMap(({ turns }) => turns)
    .map((one) => {
      const { id, thread, turn, repeat, message, answer, outcome, source, passed, tags } = one
      const { word: review, note } = marks.of(one)
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
