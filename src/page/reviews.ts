// Reviews made in the page. The browser stores them; a download gives them in the format of `--reviews`.
import { defuse } from '../domain/text.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { type Acts, answerKey, type Mark } from './acts.ts'
import type { Found, PageContents } from './store.ts'

/** The field names are those in the browser's storage. */
interface StoredMark extends Mark {
  readonly id: string
  readonly answer: string
  /** Absent if an older page stored it. */
  readonly message?: string
}

/** Some browsers store nothing for local files: then reviews stay in the open page and can be downloaded. */
export function openReviews({ runId }: PageContents) {
  const name = `assist-harness ${runId}`
  const made = new Map<string, StoredMark>()
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, StoredMark>
    for (const mark of Object.values(stored)) made.set(answerKey(mark.id, mark.answer), mark)
  } catch {
    // Another program's entry.
  }
  return {
    made,
    keep: (turn: PageTurn, { word, note }: Mark): void => {
      const { id, answer, message } = turn
      made.set(answerKey(id, answer), { id, answer: answer ?? '', message, word, note })
      try {
        localStorage.setItem(name, JSON.stringify(Object.fromEntries(made)))
      } catch {
        // They stay in the open page.
      }
    },
    /** Rows of `reviews.csv`. One without a rating and a note was taken back. */
    rows: () =>
      [...made.values()]
        .filter(({ word, note }) => word !== null || note !== '')
        .map(({ id, answer, word: review, note, message }) => ({ id, answer, review, note, message })),
  }
}

/** Columns have the names of `results.csv`. */
export const rowsOf = (conversations: readonly Found[], { markOf }: Acts) =>
  conversations
    .flatMap(({ turns }) => turns)
    .map((turn) => {
      const { id, thread, turn: number, repeat, message, answer, outcome, source, passed, tags } = turn
      const { word: review, note } = markOf(turn)
      const named = { id, thread, turn: number, repeat, message, answer, outcome }
      return { ...named, context_source: source, passed, tags: tags.join(';'), review, note }
    })

type Row = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Without a row it is empty. */
export function saveRows(name: string, rows: readonly Row[]): void {
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
  const quoted = (cell: Row[string]): string => `"${defuse(String(cell ?? '')).replaceAll('"', '""')}"`
  download(name, cells.map((row) => `${row.map(quoted).join(',')}\r\n`).join(''))
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
