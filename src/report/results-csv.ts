// `results.csv`: one row a turn and repeat, in the order of the set, safe to open in a spreadsheet.
import { describeError, errorCodeOf } from '../domain/attempt.ts'
import { type GradedTurn, hasPassed, isGrounded, type TurnRecord } from '../domain/turn.ts'
import { RESULT_COLUMNS } from '../domain/result-columns.ts'
import { decimals, renderSpreadsheet, type DecimalFormat, type SpreadsheetLayout } from './spreadsheet.ts'

/** What people wrote beside an answer, for the columns of that name. */
export interface ReviewCells {
  readonly review: string
  readonly note: string
}

const fromSet = ({ question: { review = '', note = '' } }: TurnRecord): ReviewCells => ({ review, note })

/** The file's text in pieces. `columns` are the set's own, in their order; `reviewOf` asks of no turn twice. */
export function* renderResultsCsv(
  turns: Iterable<GradedTurn>,
  columns: readonly string[],
  groundedSources: readonly string[],
  layout: SpreadsheetLayout = { excel: undefined },
  reviewOf: (turn: TurnRecord) => ReviewCells = fromSet,
): Generator<string> {
  const decimal = decimals(layout)
  const own = columns.map((name) =>
    (RESULT_COLUMNS as readonly string[]).includes(name) ? `${name} (set)` : name,
  )
  const rows = function* (): Generator<string[]> {
    for (const graded of turns) {
      const { cells } = graded.turn.question
      yield [
        ...resultCells(graded, reviewOf(graded.turn), groundedSources, decimal),
        ...columns.map((name) => cells[name] ?? ''),
      ]
    }
  }
  yield* renderSpreadsheet([...RESULT_COLUMNS, ...own], rows(), layout)
}

function resultCells(
  { turn, grade }: GradedTurn,
  { review, note }: ReviewCells,
  groundedSources: readonly string[],
  decimal: DecimalFormat,
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
    latency_ms: decimal(turn.serviceMs, 1),
    conversation_id: reply?.conversationId,
    context_lost: outcome === undefined ? undefined : turn.contextLost,
    passed: hasPassed(grade),
    failures:
      grade.kind === 'failed' ? grade.failures.map(({ sentence }) => sentence).join(' | ') : undefined,
    tags: question.tags.join(';'),
    review,
    note,
  }
  return RESULT_COLUMNS.map((name) => String(cells[name] ?? ''))
}
