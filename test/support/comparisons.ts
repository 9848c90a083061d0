// Comparisons made by hand, for tests of what is said of them.
import { CHANGES, type ChangeKind } from '../../src/domain/changes.ts'
import type {
  AskedFacts,
  CandidateComparison,
  ComparedRunFacts,
  ComparedSide,
  Comparison,
  ComparisonRow,
  GateResult,
  MeasuredDifference,
  PercentileChange,
  QuestionChange,
  ShareReview,
  ShownChange,
  UsageFigures,
} from '../../src/domain/comparison/comparison.ts'
import type { GateRule } from '../../src/domain/comparison/rules.ts'
import type { Message } from '../../src/domain/messages.ts'

export function makeRun(label: string, more: Partial<ComparedRunFacts> = {}): ComparedRunFacts {
  return {
    label,
    id: `id-of-${label}`,
    target: 'production',
    organization: 'acme',
    startedAt: '2026-11-20T02:00:00.000Z',
    state: 'complete',
    datasets: ['regression.csv'],
    turns: 305,
    questions: 305,
    ...more,
  }
}

export const makeDifference = (
  estimate: number,
  low: number | null,
  high: number | null,
): MeasuredDifference => ({ estimate, low, high })

export function makeShare(more: Partial<ShareReview> = {}): ShareReview {
  return {
    questions: 300,
    threads: 120,
    baseline: 0.8,
    candidate: 0.8,
    difference: makeDifference(0, -0.02, 0.02),
    p: 1,
    test: 'bootstrap and sign flips over threads',
    ...more,
  }
}

export function makePercentile(more: Partial<PercentileChange> = {}): PercentileChange {
  return { baseline: 800, candidate: 800, difference: makeDifference(0, -40, 40), p: 0.9, ...more }
}

export function makeUsage(more: Partial<UsageFigures> = {}): UsageFigures {
  return {
    attempts: 310,
    min: 305,
    max: 305,
    callsPerTurn: 1.02,
    rate429: 0.016,
    waitP95Ms: 400,
    shareOfQuota: null,
    ...more,
  }
}

export const makeMessage = (text: string): Message => ({ code: 'made', values: {}, text })

export const makeGate = (rule: GateRule, passed: boolean, text: string): GateResult => ({
  rule,
  passed,
  reason: makeMessage(text),
})

/** How many questions changed in each way; none but those that are said. */
export const makeCounts = (more: Partial<Record<ChangeKind, number>> = {}): Record<ChangeKind, number> => ({
  ...(Object.fromEntries(Object.keys(CHANGES).map((kind) => [kind, 0])) as Record<ChangeKind, number>),
  ...more,
})

export function makeSide(id: string, more: Partial<ComparedSide> = {}): ComparedSide {
  return {
    id,
    message: `message of ${id}`,
    repeat: 1,
    source: 'KNOWLEDGE_BASE',
    outcome: 'answered',
    groundingRate: 1,
    passRate: null,
    failures: [],
    latencyMs: 812.4,
    ...more,
  }
}

interface ChangeParts extends Partial<Omit<ShownChange, 'baseline' | 'candidate' | 'kinds'>> {
  readonly baseline?: Partial<ComparedSide>
  readonly candidate?: Partial<ComparedSide>
}

export function makeShown(id: string, kinds: readonly ChangeKind[], more: ChangeParts = {}): ShownChange {
  const { baseline, candidate, ...rest } = more
  return {
    id,
    file: 0,
    thread: id,
    turn: 1,
    message: `message of ${id}`,
    tags: [],
    mustPass: false,
    similarity: 0.8,
    factsLost: [],
    factsGained: [],
    answers: { baseline: 'An answer.', candidate: 'An answer.' },
    ...rest,
    kinds,
    baseline: makeSide(id, baseline),
    candidate: makeSide(id, candidate),
  }
}

export function withoutAnswers(shown: ShownChange): QuestionChange {
  const { answers: _, ...change } = shown
  return change
}

/** Nothing changed in it. */
export function makeCandidate(more: Partial<CandidateComparison> = {}): CandidateComparison {
  return {
    run: 1,
    settings: [],
    overlap: {
      shared: 305,
      renamed: 0,
      edited: 0,
      baseline: 305,
      candidate: 305,
      share: 1,
      isLow: false,
    },
    added: [],
    removed: [],
    edited: [],
    counts: makeCounts(),
    answers: { same: 305, rephrased: 0, factsChanged: 0, otherAnswer: 0 },
    changes: [],
    grounding: {
      ...makeShare(),
      byTag: {},
      detectableDrop: 0.043,
      matrix: [
        { from: 'KNOWLEDGE_BASE', to: 'KNOWLEDGE_BASE', count: 240 },
        { from: 'MODEL', to: 'MODEL', count: 60 },
      ],
    },
    verdicts: {
      ...makeShare({ questions: 180, threads: 90, baseline: 0.95, candidate: 0.95 }),
      byTag: {},
      detectableDrop: null,
    },
    availability: makeShare({ questions: 305, baseline: 1, candidate: 1, test: 'exact McNemar' }),
    latency: { turns: 300, p50: makePercentile(), p95: makePercentile() },
    quota: { baseline: makeUsage(), candidate: makeUsage(), monthly: { min: 0, max: 0 } },
    reviews: null,
    gates: [],
    notes: [],
    ...more,
  }
}

export function makeComparison(more: Partial<Comparison> = {}): Comparison {
  return {
    formatVersion: 2,
    harnessVersion: '0.1.0',
    verdict: 'passed',
    exitCode: 0,
    reason: 'no gate failed',
    runs: [makeRun('nightly-10'), makeRun('nightly-11', { startedAt: '2026-11-21T02:00:00.000Z' })],
    options: {
      failOn: ['must-pass', 'grounding', 'verdicts', 'availability'],
      areNamed: true,
      alpha: 0.05,
      margin: 0,
      minOverlap: 0.5,
      groundedSources: ['KNOWLEDGE_BASE'],
      seed: 1,
      history: [],
    },
    candidates: [makeCandidate()],
    trend: [],
    notes: [],
    ...more,
  }
}

export const makeAsked = (more: Partial<AskedFacts> = {}): AskedFacts => ({
  waitMs: 0,
  attempts: 1,
  rateLimited: 0,
  conversationId: 'c1',
  grounded: true,
  passed: null,
  contextLost: false,
  ...more,
})

export function makeRow(id: string, more: Partial<ComparisonRow> = {}): ComparisonRow {
  return {
    presence: 'both',
    id,
    file: 0,
    mustPass: false,
    thread: id,
    turn: 1,
    message: `message of ${id}`,
    tags: [],
    kinds: [],
    answers: 'same',
    similarity: 1,
    factsLost: [],
    factsGained: [],
    baseline: { ...makeSide(id), answer: 'An answer.' },
    candidate: { ...makeSide(id), answer: 'An answer.' },
    asked: makeAsked(),
    reviewing: null,
    ...more,
  }
}
