// Findings of the limit as a test wants them: an ordinary one, with whatever it changes.
import type { InferredLimit, Estimate, LimitFinding, LimitTier } from '../../src/domain/limit.ts'

export const sharp = (value: number): Estimate => ({ value, low: value, high: value })
export const between = (low: number, value: number, high: number | null): Estimate => ({ value, low, high })

export const makeTier = (more: Partial<LimitTier> = {}): LimitTier => ({
  kind: 'fixed-window',
  variant: 'clock',
  episodes: 3,
  perSecond: sharp(1),
  windowMs: sharp(60_000),
  burst: sharp(60),
  atOnce: null,
  ...more,
})

const evidence: LimitFinding['evidence'] = {
  calls: 415,
  refusals: 3,
  episodes: 3,
  spanMs: 420_000,
  callsUsed: 415,
  networkMs: 4,
  heldPerSecond: 1,
  heldForMs: 419_000,
  models: [
    { kinds: ['fixed-window'], variants: ['clock'], acceptedExplained: 1, refusedExplained: 1, cost: 1.5 },
    { kinds: ['token-bucket'], variants: [null], acceptedExplained: 0.9, refusedExplained: 0.5, cost: 22 },
  ],
  runnerUpBehind: 20.5,
  changedAtMs: null,
}

/** Sixty calls a minute, for sure. */
export const makeFinding = (
  more: Partial<Omit<LimitFinding, 'evidence'>> = {},
  moreEvidence: Partial<LimitFinding['evidence']> = {},
): LimitFinding => ({
  kind: 'fixed-window',
  tiers: [makeTier()],
  traces: [
    {
      atMs: [0, 1000, 2000, 3000].map((ms) => Date.UTC(2026, 10, 21, 12) + ms),
      level: [59, 60, 61, 1],
      refused: [false, false, true, false],
      allowed: 60,
      leftOut: 0,
    },
  ],
  sustainedPerSecond: sharp(1),
  windowMs: sharp(60_000),
  burst: sharp(60),
  atOnce: null,
  confidence: 'high',
  reasons: ['model-fits'],
  evidence: { ...evidence, ...moreEvidence },
  ...more,
})

/** What the limiter of a run may have learned of a limit. */
export const learned: InferredLimit = {
  kind: 'rate',
  perSecond: 0.97,
  windowMs: null,
  burst: 0,
  atOnce: null,
  episodes: 2,
  refusals: 3,
}
