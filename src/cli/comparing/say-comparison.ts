// Says a comparison on the screen, and to GitHub where it runs there.
import type { ConcludedComparison } from '../../analysis/comparison/compare.ts'
import type { Comparison } from '../../domain/comparison/comparison.ts'
import { renderComparisonMarkdown } from '../../report/comparison-markdown.ts'
import { renderComparisonScreen, renderComparisonVerdict } from '../../report/comparison-screen.ts'
import { tellGithub } from '../github.ts'
import { paint, say } from '../output.ts'
import type { WrittenComparison } from './write-comparison.ts'

/** A run's own account tells of its reviews already. */
const withoutReviews = (comparison: Comparison): Comparison => ({
  ...comparison,
  candidates: comparison.candidates.map((one) => ({ ...one, reviews: null })),
})

/** Of a run, without a verdict: the run's own takes it up. */
export const sayChanges = ({ comparison, details }: ConcludedComparison): void =>
  say(`\n${renderComparisonScreen(withoutReviews(comparison), details)}`)

/** Of a run, for GitHub. */
export const changesInMarkdown = ({ comparison, details }: ConcludedComparison): string =>
  renderComparisonMarkdown(withoutReviews(comparison), details)

export function sayComparison(concluded: ConcludedComparison): void {
  const { comparison, details } = concluded
  say(`\n${renderComparisonScreen(comparison, details)}`)
  say(`\n${paint(comparison.verdict === 'passed' ? 'green' : 'red', renderComparisonVerdict(comparison))}`)
  tellGithub(renderComparisonMarkdown(comparison, details), [], process.env)
}

/** Where the tables were written, one a candidate, and the text for a pull request. */
export function sayFiles({ tables, markdown, pages }: WrittenComparison): void {
  for (const page of pages) say(`Page:    ${page}`)
  say(`Changes: ${markdown}`)
  for (const table of tables) say(`In full: ${table}`)
}
