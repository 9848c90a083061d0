// The turns of a run, or of a comparison, as the report page shows them.
import { describeError } from '../domain/attempt.ts'
import { CHANGE_LISTS } from '../domain/changes.ts'
import type { ComparisonRow } from '../domain/comparison.ts'
import type { Check, PageChange, PageTurn } from '../domain/conversations.ts'
import type { Expectations } from '../domain/question.ts'
import type { Reviewing } from '../domain/review.ts'
import { type Grade, hasPassed, isGrounded, type TurnRecord } from '../domain/turn.ts'
import { type Asked, foldRepeats, isFlaky } from './asked.ts'
import { withoutAnswer } from './grading/grade.ts'

export interface PageTurnOptions {
  readonly groundedSources: readonly string[]
  /** Undefined where no review is known at all. */
  readonly reviewingOf: ((turn: TurnRecord) => Reviewing) | undefined
  /** By question id: what became of it since the baseline, and the repeat that shows it. */
  readonly changes: ReadonlyMap<string, { readonly repeat: number; readonly change: PageChange }>
}

/** One for each repeat. */
export function pageTurns(repeats: Asked, options: PageTurnOptions): readonly PageTurn[] {
  const flaky = repeats.length > 1 && isFlaky(foldRepeats(repeats, options.groundedSources))
  return repeats.map(({ turn, grade }) => pageTurn(turn, grade, flaky, options))
}

function pageTurn(
  turn: TurnRecord,
  grade: Grade,
  flaky: boolean,
  { groundedSources, reviewingOf, changes }: PageTurnOptions,
): PageTurn {
  const { question, repeat, outcome, contextLost, result, usage, rateLimited } = turn
  const { id, file, thread, message, tags, mustPass } = question
  const reply = result?.kind === 'reply' ? result.reply : undefined
  const change = changes.get(id)
  return {
    id,
    file,
    thread,
    turn: question.turn,
    repeat,
    message,
    tags,
    mustPass,
    answer: outcome === 'answered' ? (reply?.message ?? null) : null,
    source: reply?.contextSource ?? null,
    status: reply?.status ?? null,
    grounded: isGrounded(turn, groundedSources) ?? null,
    outcome: outcome ?? null,
    error: describeError(result) ?? null,
    passed: hasPassed(grade) ?? null,
    checks: checksOf(question.expect, grade),
    latencyMs: turn.serviceMs ?? null,
    waitMs: turn.waitMs ?? null,
    attempts: usage.attempts,
    rateLimited,
    contextLost,
    flaky,
    ...reviewFields(outcome === 'answered' ? reviewingOf?.(turn) : undefined),
    change: change?.repeat === repeat ? change.change : null,
  }
}

/** Met ones, too; none where the answer was not graded. */
function checksOf(expect: Expectations | undefined, grade: Grade): readonly Check[] {
  if (expect === undefined || (grade.kind !== 'passed' && grade.kind !== 'failed')) return []
  const failures = grade.kind === 'failed' ? grade.failures : []
  return expectedTexts(expect).map(([column, expected]) => {
    const found = failures.filter(({ expectation }) => expectation === column)
    const sentences = found.map(({ sentence }) => withoutAnswer(sentence)).join('; ')
    return { column, expected, met: found.length === 0, found: found.length === 0 ? null : sentences }
  })
}

function expectedTexts(expect: Expectations): readonly (readonly [column: string, expected: string])[] {
  const { source, contains, notContains, regex, answer, maxLatencyMs } = expect
  const texts: readonly (readonly [string, string | undefined])[] = [
    ['expect_source', source && `${source.not ? '!' : ''}${source.value}`],
    ['expect_contains', contains?.join(' | ')],
    ['expect_not_contains', notContains?.join(' | ')],
    ['expect_regex', regex],
    ['expect_answer', answer?.text],
    ['max_latency_ms', maxLatencyMs === undefined ? undefined : String(maxLatencyMs)],
  ]
  return texts.flatMap(([column, text]) => (text === undefined ? [] : [[column, text] as const]))
}

function reviewFields(reviewing: Reviewing | undefined): Pick<PageTurn, 'review' | 'needsReview'> {
  if (reviewing?.kind !== 'reviewed') return { review: null, needsReview: reviewing?.kind === 'changed' }
  return { review: { word: reviewing.review, note: reviewing.note }, needsReview: false }
}

/** What became of a question since the baseline; null where nothing did. */
export function pageChangeOf({ kinds, baseline, factsLost, factsGained }: ComparisonRow): PageChange | null {
  if (kinds.length === 0 || baseline === null) return null
  const lists = CHANGE_LISTS.filter((list) => list.kinds.some((kind) => kinds.includes(kind)))
  return {
    kinds: lists.map(({ name }) => name),
    answer: baseline.answer,
    source: baseline.outcome === 'answered' ? baseline.source : null,
    outcome: baseline.outcome,
    factsLost: factsLost.map(({ text }) => text),
    factsGained: factsGained.map(({ text }) => text),
  }
}

/** Null for a question that the candidate does not have. */
export function pageTurnOfRow(row: ComparisonRow): PageTurn | null {
  const { candidate, asked } = row
  if (candidate === null || asked === null) return null
  const { id, file, thread, turn, message, tags, mustPass } = row
  const { repeat, answer, source, outcome, failures, latencyMs } = candidate
  const known = { id, file, thread, turn, repeat, message, tags, mustPass, answer, outcome, latencyMs }
  const isAnswered = outcome === 'answered'
  return {
    ...known,
    ...asked,
    source: isAnswered ? source : null,
    status: null,
    error: isAnswered ? null : failures.join('; '),
    checks: isAnswered
      ? failures.map((one) => ({ column: 'expected', expected: '', met: false, found: withoutAnswer(one) }))
      : [],
    flaky: row.kinds.includes('flaky'),
    ...reviewFields(row.reviewing ?? undefined),
    change: pageChangeOf(row),
  }
}
