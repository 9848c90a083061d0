// `results.csv`: one row for each turn and repeat, in the order of the set.
import { describeError, errorCodeOf, replyOf, sandboxArticleOf, statusOf } from '../domain/attempt.ts'
import { type AnsweredTurn, attemptsOf, hasPassed, isGrounded, withAnswer } from '../domain/turn.ts'
import { articleSays, type DoubtfulFact, type TurnArticles } from '../domain/articles.ts'
import { ARTICLE_COLUMNS, isResultColumn, RESULT_COLUMNS, SANDBOX_COLUMN } from '../domain/result-columns.ts'
import type { Reviewing } from '../domain/review.ts'
import { ownValue } from '../domain/text.ts'
import type { SheetColumn, SheetTable } from './spreadsheet.ts'

export interface ResultsOptions {
  readonly columns: readonly string[]
  readonly groundedSources: readonly string[]
  readonly isSandbox: boolean
  readonly articlesOf?: ((turn: AnsweredTurn) => TurnArticles | undefined) | undefined
}

/** Undefined `reviewingOf` means that there are no reviews at all. */
export function resultsTable(
  turns: Iterable<AnsweredTurn>,
  { columns, groundedSources, isSandbox, articlesOf }: ResultsOptions,
  reviewingOf?: (turn: AnsweredTurn) => Reviewing,
): SheetTable<ResultRow> {
  const rows = function* (): Generator<ResultRow> {
    for (const turn of turns)
      yield { turn, groundedSources, reviewing: reviewingOf?.(turn), articles: articlesOf?.(turn) }
  }
  const ofSet = columns.map((name): SheetColumn<ResultRow> => [
    isResultColumn(name) ? `${name} (set)` : name,
    ({ turn }) => ownValue(turn.question.cells, name),
  ])
  const columnsOfRun = RESULT_COLUMNS.map((name) => [name, CELLS[name], DECIMALS[name]] as const)
  const ofArticles =
    articlesOf === undefined ? [] : ARTICLE_COLUMNS.map((name) => [name, ARTICLE_CELLS[name]] as const)
  const last = isSandbox ? [SANDBOX_CELL] : []
  return { columns: [...columnsOfRun, ...ofArticles, ...ofSet, ...last], rows: rows() }
}

interface ResultRow {
  readonly turn: AnsweredTurn
  readonly groundedSources: readonly string[]
  readonly reviewing: Reviewing | undefined
  readonly articles: TurnArticles | undefined
}

type ResultColumn = (typeof RESULT_COLUMNS)[number]
const DECIMALS: Readonly<Partial<Record<ResultColumn, number>>> = { wait_ms: 0, latency_ms: 1 }

const CELLS: Readonly<Record<ResultColumn, SheetColumn<ResultRow>[1]>> = {
  id: ({ turn }) => turn.question.id,
  thread: ({ turn }) => turn.question.thread,
  turn: ({ turn }) => turn.question.turn,
  repeat: ({ turn }) => turn.repeat,
  message: ({ turn }) => turn.question.message,
  answer: ({ turn }) => replyOf(turn.result)?.message,
  outcome: ({ turn }) => turn.outcome,
  context_source: ({ turn }) => replyOf(turn.result)?.contextSource,
  grounded: ({ turn, groundedSources }) => isGrounded(turn, groundedSources),
  status: ({ turn }) => replyOf(turn.result)?.status,
  http_status: ({ turn }) => statusOf(turn.result),
  error_code: ({ turn }) => errorCodeOf(turn.result),
  error_message: ({ turn }) => describeError(turn.result),
  attempts: ({ turn }) => attemptsOf(turn),
  rate_limited: ({ turn }) => turn.rateLimited,
  wait_ms: ({ turn }) => turn.waitMs,
  latency_ms: ({ turn }) => turn.serviceMs,
  conversation_id: ({ turn }) => replyOf(turn.result)?.conversationId,
  context_lost: ({ turn }) => (turn.outcome === undefined ? undefined : turn.contextLost),
  passed: ({ turn }) => hasPassed(turn.grade),
  failures: ({ turn }) => turn.failures.map(withAnswer).join(' | ') || undefined,
  tags: ({ turn }) => turn.question.tags.join(';'),
  review: ({ reviewing }) => (reviewing?.kind === 'reviewed' ? reviewing.review : ''),
  note: ({ reviewing }) => reviewing?.note,
}

const describe = (fact: DoubtfulFact): string => [fact.text, articleSays(fact)].filter(Boolean).join('; ')

const ARTICLE_CELLS: Readonly<Record<(typeof ARTICLE_COLUMNS)[number], SheetColumn<ResultRow>[1]>> = {
  gap_cause: ({ articles }) => (articles?.kind === 'gap' ? articles.cause : ''),
  // For an answer, the article that fits its question far better than the likely source.
  nearest_article: ({ articles }) =>
    articles?.kind === 'gap' ? articles.nearest[0]?.article : articles?.misfit?.article,
  likely_source: ({ articles }) =>
    articles?.kind === 'answer' && articles.source !== null ? articles.source.article : '',
  // Empty for an answer that was not checked, too.
  unsupported_facts: ({ articles }) =>
    articles?.kind === 'answer' ? articles.doubtful.map(describe).join(' | ') : '',
}

const SANDBOX_CELL: SheetColumn<ResultRow> = [
  SANDBOX_COLUMN,
  ({ turn }) => {
    const reply = replyOf(turn.result)
    return reply && sandboxArticleOf(reply)
  },
]
