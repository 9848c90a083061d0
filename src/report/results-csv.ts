// `results.csv`: one row a turn and repeat, in the order of the set, safe to open in a spreadsheet.
import { stringify } from 'csv-stringify/sync'
import { describeError, errorCodeOf } from '../domain/describe-error.ts'
import type { GradedTurn } from '../domain/graded-turn.ts'
import type { Grade } from '../domain/grade.ts'
import { isGrounded } from '../domain/grounding.ts'
import { RESULT_COLUMNS } from '../domain/result-columns.ts'

/** Rows in one piece of text: enough to be quick, little enough to hold. */
const ROWS_A_PIECE = 500

/** What Excel takes into one cell; it lets more run over into the next rows. */
const EXCEL_CELL = 32_767

export interface ResultsLayout {
  /**
   * For Excel: a byte order mark, the separator that its locale expects (`;` where decimals have a comma, as ours then
   * have), cells cut to what it takes. Undefined: the plain file that programs read.
   */
  readonly excel: { readonly separator: ';' | ',' } | undefined
}

/** The file's text in pieces. `columns` are the set's own, in their order. */
export function* renderResultsCsv(
  turns: Iterable<GradedTurn>,
  columns: readonly string[],
  groundedSources: readonly string[],
  { excel }: ResultsLayout = { excel: undefined },
): Generator<string> {
  const separator = excel?.separator ?? ','
  const safe = (cell: string): string => {
    const defused = defuse(cell)
    return excel === undefined || defused.length <= EXCEL_CELL
      ? defused
      : `${defused.slice(0, EXCEL_CELL - 1).replace(/[\ud800-\udbff]$/, '')}…`
  }
  const decimal = (number: number | undefined): string | undefined =>
    separator === ';' ? number?.toFixed(1).replace('.', ',') : number?.toFixed(1)
  const own = columns.map((name) =>
    (RESULT_COLUMNS as readonly string[]).includes(name) ? `${name} (set)` : name,
  )
  if (excel !== undefined) yield '\uFEFF'
  yield toCsv([[...RESULT_COLUMNS, ...own.map(safe)]], separator)
  let rows: string[][] = []
  for (const graded of turns) {
    const { cells } = graded.turn.question
    rows.push([
      ...resultCells(graded, groundedSources, decimal).map(safe),
      ...columns.map((name) => safe(cells[name] ?? '')),
    ])
    if (rows.length < ROWS_A_PIECE) continue
    yield toCsv(rows, separator)
    rows = []
  }
  yield toCsv(rows, separator)
}

// A lone carriage return must be quoted, too: readers take it for the end of a row.
const toCsv = (rows: string[][], delimiter: string): string =>
  stringify(rows, { delimiter, quoted_match: /[\r\n]/ })

// No spreadsheet shows them, and no reader of question sets takes them: shown by Unicode's pictures of them.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

/** Spreadsheets run cells that begin like a formula; a leading quote stops them, and reading takes it off again. */
export function defuse(text: string): string {
  const cell = text.replaceAll(CONTROL, (sign) => String.fromCodePoint(0x2400 + (sign.codePointAt(0) ?? 0)))
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}

function resultCells(
  { turn, grade }: GradedTurn,
  groundedSources: readonly string[],
  decimal: (number: number | undefined) => string | undefined,
): string[] {
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
    latency_ms: decimal(turn.serviceMs),
    conversation_id: reply?.conversationId,
    context_lost: outcome === undefined ? undefined : turn.contextLost,
    passed: isPassed(grade),
    failures:
      grade.kind === 'failed' ? grade.failures.map(({ sentence }) => sentence).join(' | ') : undefined,
    tags: question.tags.join(';'),
    review: question.review,
    note: question.note,
  }
  return RESULT_COLUMNS.map((name) => String(cells[name] ?? ''))
}

/** Undefined where there is nothing to judge, or no way to. */
function isPassed({ kind }: Grade): boolean | undefined {
  switch (kind) {
    case 'passed':
      return true
    case 'failed':
      return false
    case 'none':
    case 'notGraded':
      return undefined
  }
}
