// How many questions failed.
import type { SummaryDetails } from '../domain/summary.ts'

/** Questions that failed their expectations; one that passed by the pass policy is none of them. */
export const failedCount = ({ counts }: Pick<SummaryDetails, 'counts'>): number =>
  counts.failed - counts.forgiven
