// CSV as the harness writes it itself: safe in a spreadsheet, and read again by --reviews.
import { defuse } from '../domain/text.ts'
import type { PageTurn } from '../domain/page.ts'
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import type { Mark } from './marks.ts'

/** Rows with their line ends; cells may hold anything. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => quote(defuse(cell))).join(',')}\n`).join('')

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Columns of `results.csv` that the page has nothing for. */
const NOT_HELD: readonly string[] = ['status', 'http_status', 'error_code']

/** Those of `results.csv` and no others, so that the file can be asked again, and reviewed on. */
export const FOUND_COLUMNS = RESULT_COLUMNS.filter((name) => !NOT_HELD.includes(name))

export function foundCells(turn: PageTurn, mark: Mark | undefined): readonly string[] {
  const carried = turn.review?.state === 'carried' ? turn.review.word : null
  // Its names may belong to another question of the candidate: the file would ask one of them twice.
  const own = (name: string): string => (turn.change?.presence === 'removed' ? `${name} (removed)` : name)
  const isAnswered = turn.outcome === 'answered'
  const cells: Partial<
    Record<(typeof RESULT_COLUMNS)[number], string | number | boolean | null | undefined>
  > = {
    id: own(turn.id),
    thread: own(turn.thread),
    turn: turn.turn,
    repeat: turn.repeat,
    message: turn.message,
    answer: turn.answer,
    outcome: turn.outcome,
    context_source: isAnswered && !turn.contextLost ? turn.source : null,
    grounded: turn.grounded,
    passed: turn.passed,
    failures: turn.failures.join(' | '),
    error_message: turn.error,
    attempts: turn.attempts,
    rate_limited: turn.rateLimited,
    wait_ms: turn.waitMs?.toFixed(0),
    latency_ms: turn.latencyMs?.toFixed(1),
    conversation_id: turn.conversationId,
    context_lost: turn.outcome === null ? null : turn.contextLost,
    tags: turn.tags.join(';'),
    review: mark?.word ?? carried,
    note: mark?.note ?? turn.review?.note,
  }
  return FOUND_COLUMNS.map((name) => String(cells[name] ?? ''))
}

export const reviewCells = ({ id, answer }: PageTurn, { word, note }: Mark): readonly string[] => [
  id,
  answer ?? '',
  word ?? '',
  note,
]
