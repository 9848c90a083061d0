// What became of questions that must pass, and had not at first; and how many failed in all.
import type { MustPassResult } from '../domain/gate.ts'
import type { SummaryDetails } from '../domain/summary.ts'
import { plural } from '../domain/text.ts'

export function describeConfirmation({ confirmations, errors, confirmed }: MustPassResult): string {
  if (confirmed) return 'passed when asked again'
  const again =
    confirmations === 0 ? '' : `, and ${confirmations === 1 ? 'again' : `${confirmations} times again`}`
  const failed = errors === 0 ? '' : `; asked again it ended in ${plural(errors, 'error')}`
  return confirmations + errors === 0 ? 'failed, not confirmed' : `failed${again}${failed}`
}

/** Questions that failed their expectations; one that passed when it was asked again is none of them. */
export const failedCount = ({ counts }: Pick<SummaryDetails, 'counts'>): number =>
  counts.failed - counts.forgiven
