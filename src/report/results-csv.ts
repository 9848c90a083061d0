// `results.csv`: one row a turn and repeat, in the order of the set, safe to open in a spreadsheet.
import { stringify } from 'csv-stringify/sync'
import { describeError, errorCodeOf } from '../domain/describe-error.ts'
import { isGrounded } from '../domain/grounding.ts'
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import type { TurnRecord } from '../domain/turn.ts'

/** Rows in one piece of text: enough to be quick, little enough to hold. */
const ROWS_A_PIECE = 500

/** The file's text in pieces. `columns` are the set's own, in their order. */
export function* renderResultsCsv(
  turns: Iterable<TurnRecord>,
  columns: readonly string[],
  groundedSources: readonly string[],
): Generator<string> {
  const own = columns.map((name) =>
    (RESULT_COLUMNS as readonly string[]).includes(name) ? `${name} (set)` : name,
  )
  yield toCsv([[...RESULT_COLUMNS, ...own.map(defuse)]])
  let rows: string[][] = []
  for (const turn of turns) {
    rows.push([
      ...resultCells(turn, groundedSources),
      ...columns.map((name) => defuse(turn.question.cells[name] ?? '')),
    ])
    if (rows.length < ROWS_A_PIECE) continue
    yield toCsv(rows)
    rows = []
  }
  yield toCsv(rows)
}

// A lone carriage return must be quoted, too: readers take it for the end of a row.
const toCsv = (rows: string[][]): string => stringify(rows, { quoted_match: /[\r\n]/ })

/** Spreadsheets run cells that begin like a formula; a leading quote stops them, and reading takes it off again. */
export function defuse(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}

function resultCells(turn: TurnRecord, groundedSources: readonly string[]): string[] {
  const { question, outcome, result, usage } = turn
  const reply = result?.kind === 'reply' ? result.reply : undefined
  const cells: Record<(typeof RESULT_COLUMNS)[number], string | number | boolean | undefined> = {
    id: question.id,
    thread: question.thread,
    turn: question.turn,
    repeat: turn.repeat,
    message: question.message,
    answer: reply?.message,
    outcome,
    context_source: reply?.contextSource,
    grounded: isGrounded(turn, groundedSources),
    status: reply?.status,
    http_status: result !== undefined && 'httpStatus' in result ? result.httpStatus : undefined,
    error_code: errorCodeOf(result),
    error_message: describeError(result),
    attempts: usage.attempts,
    rate_limited: turn.rateLimited,
    wait_ms: turn.waitMs?.toFixed(0),
    latency_ms: turn.serviceMs?.toFixed(1),
    conversation_id: reply?.conversationId,
    context_lost: outcome === undefined ? undefined : turn.contextLost,
    passed: undefined,
    failures: undefined,
    tags: question.tags.join(';'),
    review: question.review,
    note: question.note,
  }
  return RESULT_COLUMNS.map((name) => {
    const cell = cells[name]
    return typeof cell === 'string' ? defuse(cell) : String(cell ?? '')
  })
}
