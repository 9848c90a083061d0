// CSV as the harness writes it itself: safe in a spreadsheet, and read again by --reviews.
import { defuse } from '../domain/defuse.ts'
import type { PageTurn } from '../domain/page.ts'
import type { Mark } from './marks.ts'

/** Rows with their line ends; cells may hold anything. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => quote(defuse(cell))).join(',')}\n`).join('')

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Of the results' own names, so that the file can be reviewed on and given to --reviews. */
export const FOUND_COLUMNS = [
  'id',
  'thread',
  'turn',
  'repeat',
  'message',
  'answer',
  'outcome',
  'context_source',
  'passed',
  'failures',
  'error_message',
  'attempts',
  'rate_limited',
  'wait_ms',
  'latency_ms',
  'conversation_id',
  'tags',
  'change',
  'baseline_answer',
  'review',
  'note',
] as const

export function foundCells(turn: PageTurn, mark: Mark | undefined): readonly string[] {
  const carried = turn.review?.state === 'carried' ? turn.review.word : null
  const cells: Record<(typeof FOUND_COLUMNS)[number], string | number | boolean | null | undefined> = {
    id: turn.id,
    thread: turn.thread,
    turn: turn.turn,
    repeat: turn.repeat,
    message: turn.message,
    answer: turn.answer,
    outcome: turn.outcome,
    context_source: turn.source,
    passed: turn.passed,
    failures: turn.failures.join(' | '),
    error_message: turn.error,
    attempts: turn.attempts,
    rate_limited: turn.rateLimited,
    wait_ms: turn.waitMs?.toFixed(0),
    latency_ms: turn.latencyMs?.toFixed(1),
    conversation_id: turn.conversationId,
    tags: turn.tags.join(';'),
    change: turn.change?.kinds.join(';'),
    baseline_answer: turn.change?.answer,
    review: mark?.word ?? carried,
    note: mark?.note ?? turn.review?.note,
  }
  return FOUND_COLUMNS.map((name) => String(cells[name] ?? ''))
}

export const REVIEW_COLUMNS = ['id', 'answer', 'review', 'note'] as const

export const reviewCells = ({ id, answer }: PageTurn, { word, note }: Mark): readonly string[] => [
  id,
  answer ?? '',
  word ?? '',
  note,
]
