// Turns of a run or of a comparison, as rows of the report page.
import { describeBody, describeError, replyOf, sandboxArticleOf } from '../domain/attempt.ts'
import { EDITED, factText, listsOf, type Row } from '../domain/changes.ts'
import type { Check, PageChange, PageTries, PageTurn } from '../domain/conversations.ts'
import type { Reviewing } from '../domain/review.ts'
import { type AnsweredTurn, attemptsOf, hasPassed, isGrounded, withoutAnswer } from '../domain/turn.ts'
import type { Consulted } from './articles/consult.ts'
import { confirmationOf, otherTries } from './confirm.ts'
import { isFlaky, type Repeats, summariseRepeats } from './repeats.ts'
import { expectedTexts } from './grading/grade.ts'

export interface PageTurnOptions {
  readonly groundedSources: readonly string[]
  /** Undefined if there are no reviews at all. */
  readonly reviewingOf: ((turn: AnsweredTurn) => Reviewing) | undefined
  readonly rows: ReadonlyMap<string, Row>
  /** Undefined without articles. */
  readonly articlesOf: Consulted['of'] | undefined
}

export function pageTurns(
  repeats: Repeats,
  { groundedSources, reviewingOf, rows, articlesOf }: PageTurnOptions,
): readonly PageTurn[] {
  const flaky = isFlaky(summariseRepeats(repeats, groundedSources))
  return repeats.map((answered) => {
    const { question, repeat, outcome } = answered
    const row = rows.get(question.id)
    return pageTurn(answered, groundedSources, {
      flaky,
      articles: articlesOf?.(answered) ?? null,
      reviewing: outcome === 'answered' ? reviewingOf?.(answered) : undefined,
      // The row shows the change in one of the repeats.
      change: row?.candidate?.repeat === repeat ? pageChangeOf(row) : null,
    })
  })
}

/** Null if the candidate does not have the question. */
export const pageTurnOfRow = (row: Row, groundedSources: readonly string[]): PageTurn | null =>
  row.candidate?.graded
    ? pageTurn(row.candidate.graded, groundedSources, {
        flaky: row.kinds.includes('flaky'),
        articles: null,
        reviewing: row.reviewing ?? undefined,
        change: pageChangeOf(row),
      })
    : null

function pageTurn(
  answered: AnsweredTurn,
  groundedSources: readonly string[],
  {
    flaky,
    articles,
    reviewing,
    change,
  }: Pick<PageTurn, 'flaky' | 'articles' | 'change'> & { reviewing: Reviewing | undefined },
): PageTurn {
  const { question, repeat, contextLost, result, rateLimited } = answered
  const tries = triesOf(answered, groundedSources)
  const { id, file, thread, message, tags, mustPass, cells } = question
  const reply = replyOf(result)
  const error = describeError(result)
  // Spreading the question would make a comparison of 100,000 turns half as large again.
  return {
    id,
    file,
    thread,
    turn: question.turn,
    repeat,
    message,
    tags,
    mustPass,
    cells,
    ...answerOf(answered),
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
    articles,
    flaky: flaky || tries?.confirmed === false,
    ...(tries && { tries }),
    review: reviewing?.kind === 'reviewed' ? { word: reviewing.review, note: reviewing.note } : null,
    reviewedBefore:
      reviewing?.kind === 'changed'
        ? { word: reviewing.before.review, note: reviewing.before.note, answer: reviewing.before.answer }
        : null,
    change,
  }
}

function answerOf({ outcome, result }: AnsweredTurn): Pick<PageTurn, 'answer' | 'source' | 'outcome'> {
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
  const others = otherTries(turn).map((one) => ({ ...answerOf(one), isFirst: one === turn.tries?.[0] }))
  return { answers, failed, ungrounded, confirmed, others }
}

/** Met and unmet expectations; empty if the answer was not graded. */
function checksOf({ question, grade, failures }: AnsweredTurn): readonly Check[] {
  if (question.expect === undefined || hasPassed(grade) === undefined) return []
  return expectedTexts(question.expect).map(([column, expected]) => {
    const found = failures.filter(({ expectation }) => expectation === column)
    const sentences = found.map(({ sentence }) => withoutAnswer(sentence)).join('; ')
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
    answer: baseline.answer,
    source: baseline.outcome === 'answered' ? baseline.source : null,
    outcome: baseline.outcome,
    factsLost: factsLost.map(factText),
    factsGained: factsGained.map(factText),
  }
}
