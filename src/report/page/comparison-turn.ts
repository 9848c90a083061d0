// A question of a comparison as the page shows it: what the candidate has, and what became of it since the baseline.
import type { ComparedSide, ComparisonRow } from '../../domain/comparison/comparison.ts'
import type { PageChange, PageReview, PageTurn } from '../../domain/page.ts'
import type { Reviewing } from '../../domain/review.ts'

type Side = NonNullable<ComparisonRow['candidate']>

/** One repeat stands for the question. A question that was removed has the candidate's side empty. */
export function comparisonTurn(row: ComparisonRow): PageTurn {
  const { candidate, kinds, asked } = row
  return {
    id: row.id,
    file: row.file,
    thread: row.thread,
    turn: row.turn,
    repeat: candidate?.repeat ?? row.baseline?.repeat ?? 1,
    message: row.message,
    answer: candidate?.answer ?? null,
    tags: row.tags,
    mustPass: row.mustPass,
    source: candidate?.source ?? '(removed)',
    grounded: asked?.grounded ?? null,
    outcome: candidate?.outcome ?? null,
    error: candidate === null || isAnswered(candidate) ? null : (candidate.failures[0] ?? null),
    passed: asked?.passed ?? null,
    failures: candidate === null ? [] : kept(candidate),
    latencyMs: candidate?.latencyMs ?? null,
    waitMs: asked?.waitMs ?? null,
    attempts: asked?.attempts ?? null,
    rateLimited: asked?.rateLimited ?? null,
    conversationId: asked?.conversationId ?? null,
    contextLost: asked?.contextLost ?? false,
    flaky: kinds.includes('flaky'),
    review: reviewOf(row.reviewing),
    change: changeOf(row),
    changeAt: null,
  }
}

/** Null where the baseline does not have the question. */
export function changeOf(row: ComparisonRow): PageChange | null {
  const { presence, kinds, baseline, similarity, factsLost, factsGained } = row
  if (baseline === null || presence === 'added') return null
  return {
    presence,
    kinds,
    message: baseline.message,
    answer: baseline.answer,
    source: baseline.source,
    outcome: baseline.outcome,
    passed: hasPassed(baseline),
    failures: kept(baseline),
    latencyMs: baseline.latencyMs,
    similarity,
    factsLost,
    factsGained,
  }
}

/** What is known of an answer; null where no review is known at all. */
export function reviewOf(reviewing: Reviewing | null): PageReview | null {
  switch (reviewing?.kind) {
    case undefined:
      return null
    case 'reviewed':
      return { state: 'carried', word: reviewing.review, note: reviewing.note }
    case 'changed':
      return { state: 'changed', word: reviewing.before.review, note: reviewing.note }
    case 'new':
      return { state: 'new', word: null, note: reviewing.note }
  }
}

/** As `ComparedSide` names it. */
const CONTEXT_LOST = '(context lost)'

const isAnswered = ({ outcome }: ComparedSide): boolean => outcome === 'answered'

/** Of the repeat that is shown. */
function hasPassed(side: Side): boolean | null {
  if (!isAnswered(side) || side.source === CONTEXT_LOST || side.passRate === null) return null
  return side.failures.length === 0
}

/** How a turn failed is no expectation. */
const kept = (side: Side): readonly string[] => (isAnswered(side) ? side.failures : [])
