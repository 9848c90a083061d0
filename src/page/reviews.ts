// Reviews made in the page. The browser stores them; a download gives them in the format of `--reviews`.
import type { Rating } from '../domain/review.ts'
import { defuse } from '../domain/text.ts'
import type { PageTurn } from '../domain/conversations.ts'
import type { Found } from './query.ts'

/** The field names are those in the browser's storage. */
export interface Mark {
  readonly word: Rating | null
  readonly note: string
}

export interface Marks {
  /** The review of this turn's answer: made here, or else from the run. */
  readonly of: (turn: PageTurn) => Mark
  readonly set: (turn: PageTurn, mark: Mark) => void
  readonly count: () => number
  /** The reviews made here: `id,answer,review,note`. */
  readonly csv: () => string
}

interface StoredMark extends Mark {
  readonly id: string
  readonly answer: string
}

/** `changed` is called after each review. */
export function createMarks(runId: string, changed: () => void): Marks {
  const place = `assist-harness ${runId}`
  const marks = new Map<string, StoredMark>(Object.entries(read(place)))
  const keyOf = ({ id, answer }: PageTurn): string => `${id} ${answer ?? ''}`
  return {
    of: (turn) => marks.get(keyOf(turn)) ?? turn.review ?? { word: null, note: '' },
    set: (turn, mark) => {
      marks.set(keyOf(turn), { id: turn.id, answer: turn.answer ?? '', ...mark })
      write(place, Object.fromEntries(marks))
      changed()
    },
    count: () => marks.size,
    csv: () =>
      toCsv([
        ['id', 'answer', 'review', 'note'],
        ...[...marks.values()].map(({ id, answer, word, note }) => [id, answer, word ?? '', note]),
      ]),
  }
}

/** Some browsers store nothing for local files. */
function read(place: string): Record<string, StoredMark> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Record<string, StoredMark>
  } catch {
    return {}
  }
}

function write(place: string, marks: Record<string, StoredMark>): void {
  try {
    localStorage.setItem(place, JSON.stringify(marks))
  } catch {
    // They stay in the open page and can be downloaded.
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
