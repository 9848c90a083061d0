// Turns of a run or of a comparison, as rows of the report page.
import { describeBody, describeError, replyOf, sandboxArticleOf } from '../../domain/attempt.ts'
import { answerOf, EDITED, factText, listsOf, type Row } from '../../domain/changes.ts'
import type { Check, PageChange, PageTries, PageTurn } from '../../domain/conversations.ts'
import type { Reviewing } from '../../domain/review.ts'
import { type AnsweredTurn, attemptsOf, hasPassed, isGrounded } from '../../domain/turn.ts'
import type { Consulted } from '../articles/consult.ts'
import { confirmationOf, isFlaky, type Repeats, summariseRepeats } from '../figures/graded.ts'
import { expectedTexts } from '../grading/grade.ts'

interface PageTurnOptions {
  readonly groundedSources: readonly string[]
  readonly reviewingOf: ((turn: AnsweredTurn) => Reviewing) | undefined
  readonly rows: ReadonlyMap<string, Row>
  readonly articlesOf: Consulted['of'] | undefined
}

export function pageTurns(repeats: Repeats, options: PageTurnOptions): readonly PageTurn[] {
  const { groundedSources } = options
  const flaky = isFlaky(summariseRepeats(repeats, groundedSources))
  return repeats.map((turn) => {
    const row = options.rows.get(turn.question.id)
    return pageTurn(turn, groundedSources, {
      flaky,
      articles: options.articlesOf?.(turn) ?? null,
      reviewing: turn.outcome === 'answered' ? options.reviewingOf?.(turn) : undefined,
      // The row shows the change in one of the repeats.
      change: row?.candidate?.repeat === turn.repeat ? pageChangeOf(row) : null,
    })
  })
}

export function pageTurnOfRow(
  row: Row,
  groundedSources: readonly string[],
  articlesOf: Consulted['of'] | undefined,
): PageTurn | null {
  const turn = row.candidate?.readTurn()
  if (turn === undefined) return null
  return pageTurn(turn, groundedSources, {
    flaky: row.kinds.includes('flaky'),
    articles: articlesOf?.(turn) ?? null,
    reviewing: row.reviewing ?? undefined,
    change: pageChangeOf(row),
  })
}

function pageTurn(
  answered: AnsweredTurn,
  groundedSources: readonly string[],
  beside: Pick<PageTurn, 'flaky' | 'articles' | 'change'> & { readonly reviewing: Reviewing | undefined },
): PageTurn {
  const { repeat, contextLost, result, rateLimited } = answered
  const { reviewing } = beside
  const tries = triesOf(answered, groundedSources)
  const { id, file, thread, turn, message, tags, mustPass, cells } = answered.question
  const reply = replyOf(result)
  const error = describeError(result)
  // Spreading the question would make a comparison of 100,000 turns half as large again.
  return {
    id,
    file,
    thread,
    turn,
    repeat,
    message,
    tags,
    mustPass,
    cells,
    ...shownAnswer(answered),
    status: reply?.status ?? null,
    grounded: isGrounded(answered, groundedSources) ?? null,
    error: error === undefined ? null : `${error}${describeBody(result)}`,
    passed: hasPassed(answered.grade) ?? null,
    checks: checksOf(answered),
    latencyMs: answered.serviceMs ?? null,
    waitMs: answered.waitMs ?? null,
    attempts: attemptsOf(answered),
    rateLimited,
    contextLost,
    article: (reply && sandboxArticleOf(reply)) ?? null,
    articles: beside.articles,
    flaky: beside.flaky || tries?.confirmed === false,
    ...(tries && { tries }),
    review: reviewing?.kind === 'reviewed' ? { word: reviewing.review, note: reviewing.note } : null,
    reviewedBefore:
      reviewing?.kind === 'changed'
        ? { word: reviewing.before.review, note: reviewing.before.note, answer: reviewing.before.answer }
        : null,
    change: beside.change,
  }
}

function shownAnswer({ outcome, result }: AnsweredTurn) {
  const reply = replyOf(result)
  return {
    answer: outcome === 'answered' ? (reply?.message ?? null) : null,
    source: reply?.contextSource ?? null,
    outcome: outcome ?? null,
  }
}

function triesOf(turn: AnsweredTurn, groundedSources: readonly string[]): PageTries | undefined {
  const confirmation = confirmationOf(turn, groundedSources)
  if (confirmation === undefined) return undefined
  const { answers, failed, ungrounded, confirmed } = confirmation
  const { tries = [], result } = turn
  const others = tries
    .filter((other) => other.result !== result)
    .map((other) => ({ ...shownAnswer(other), isFirst: other === tries[0] }))
  return { answers, failed, ungrounded, confirmed, others }
}

function checksOf({ question, grade, failures }: AnsweredTurn): readonly Check[] {
  if (question.expect === undefined || hasPassed(grade) === undefined) return []
  return expectedTexts(question.expect).map(([column, expected]) => {
    const found = failures.filter(({ expectation }) => expectation === column)
    const sentences = found.map(({ sentence }) => sentence).join('; ')
    return { column, expected, met: found.length === 0, found: found.length === 0 ? null : sentences }
  })
}

function pageChangeOf(row: Row): PageChange | null {
  const { kinds, baselineMessage, baseline, factsLost, factsGained } = row
  const isEdited = baselineMessage !== null
  if ((kinds.length === 0 && !isEdited) || baseline === null) return null
  const lists = listsOf(kinds)
  return {
    kinds: isEdited ? [EDITED.name] : lists.map(({ name }) => name),
    edited: isEdited ? { message: baselineMessage, changes: lists.map(({ label }) => label) } : null,
    answer: answerOf(baseline),
    source: baseline.outcome === 'answered' ? baseline.source : null,
    outcome: baseline.outcome,
    factsLost: factsLost.map(factText),
    factsGained: factsGained.map(factText),
  }
}
