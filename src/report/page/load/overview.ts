// The page of a load test: the answer in one sentence, then what was offered, how long it took, what it did to the answers.
import type { LoadReport } from '../../../domain/load.ts'
import { html, type SafeHtml } from '../html.ts'
import { aboutSection, noteSection, verdictSection } from '../overview/verdict.ts'
import { failureSection } from './failures.ts'
import { groundingSection } from './grounding.ts'
import { latencySection } from './latency.ts'
import { offeredSection } from './offered.ts'
import { loadOpening } from './opening.ts'
import { accountSection } from './account.ts'

/** Sections whose headings are of level 2 and 3; ids in it begin with `overview-`. */
export function renderLoadOverview(report: LoadReport): SafeHtml {
  return html`<div class="overview">
    ${loadOpening(report)}${verdictSection(report)}${offeredSection(report)}${latencySection(report)}${groundingSection(
      report,
    )}${failureSection(report)}${accountSection(report)}${noteSection(
      report.warnings,
      'load.json',
    )}${aboutSection(report)}
  </div>`
}
