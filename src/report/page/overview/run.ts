// The overview of a run: the user's question answered first, then what to do about it, then the figures for operations.
import type { Comparison, ComparisonDetails } from '../../../domain/comparison/comparison.ts'
import type { LatencyHistogram, SlowTurn } from '../../../domain/latency-histogram.ts'
import type { Summary, SummaryDetails } from '../../../domain/summary.ts'
import { html, type SafeHtml } from '../html.ts'
import { candidateSections } from './candidate.ts'
import { coverageSection } from './coverage.ts'
import { errorSection } from './errors.ts'
import { failedSection, flakySection } from './failed.ts'
import { gapSection } from './gaps.ts'
import { latencySection } from './latency.ts'
import { opening } from './opening.ts'
import { operationSection } from './operations.ts'
import { reviewSection } from './reviews.ts'
import { sourceSection } from './sources.ts'
import { aboutSection, noteSection, verdictSection } from './verdict.ts'

export interface RunExtras {
  /** How often answers took how long; without it the percentiles stand alone. */
  readonly latency?: LatencyHistogram
  /** Longest first. */
  readonly slowest?: readonly SlowTurn[]
  /** Of this run with its baseline. */
  readonly comparison?: { readonly comparison: Comparison; readonly details: ComparisonDetails }
}

/** Sections whose headings are of level 2 and 3; ids in it begin with `overview-`. */
export function renderRunOverview(
  summary: Summary,
  details: SummaryDetails,
  { latency = [], slowest = [], comparison }: RunExtras = {},
): SafeHtml {
  const { counts, gaps } = details
  return html`<div class="overview">
    ${opening(summary, { counts, topics: gaps.length, comparison: comparison?.comparison })}${verdictSection(
      summary,
    )}${comparison === undefined ? '' : candidateSections(comparison.comparison, comparison.details, 0, true)}${coverageSection(
      summary,
    )}${sourceSection(summary, details.withoutContext)}${gapSection(gaps, counts, summary.coverage)}${failedSection(summary, details)}${errorSection(
      summary,
      details,
    )}${flakySection(details.flaky, details, hasMovedFlaky(comparison?.comparison))}${reviewSection(summary.reviews, details.awaited)}${latencySection(summary, latency, slowest)}${operationSection(
      summary,
    )}${noteSection(summary.warnings)}${aboutSection(summary)}
  </div>`
}

/** Whether the list of flaky questions holds some that earlier runs have shown to be. */
function hasMovedFlaky(comparison: Comparison | undefined): boolean {
  const [candidate] = comparison?.candidates ?? []
  return candidate !== undefined && candidate.counts.flaky > 0
}
