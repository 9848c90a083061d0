// The overview of a comparison: what was lost and gained in one sentence, the trend over many runs, then each candidate.
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../../../domain/comparison/comparison.ts'
import { describeNoise, pointsInterval } from '../../differences.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { candidateSections } from './candidate.ts'
import { changeClauses, type Clause } from './headline.ts'
import { sentence } from './links.ts'
import { clauses, reasonLine } from './opening.ts'
import { paragraph, section } from './parts.ts'
import { reviewSection } from './reviews.ts'
import { trendSection } from './trend.ts'
import { noteSection } from './verdict.ts'
import { formatMoment, wholePercent } from './format.ts'
import { WORDS } from './words.ts'

const MOST_RUNS = 30
/** Latest candidates that are shown in full. */
const MOST_CANDIDATES = 5

/** Sections whose headings are of level 2 to 4; ids in it begin with `overview-`. */
export function renderComparisonOverview(comparison: Comparison, details: ComparisonDetails): SafeHtml {
  const { candidates, notes } = comparison
  const latest = candidates.length - 1
  // The latest run is what the reader came for.
  const order = candidates.map((_, place) => latest - place).slice(0, MOST_CANDIDATES)
  const left = candidates.length - order.length
  const reviews = candidates[latest]?.reviews ?? null
  return html`<div class="overview">
    ${section(
      { id: 'opening', title: WORDS.sections.opening },
      html`<p class="lead" dir="auto">${clauses(leadOf(comparison, candidates[latest]))}</p>
        ${reasonLine(comparison)}${runTable(comparison)}`,
    )}${trendSection(comparison)}${order.map((place) => candidateSections(comparison, details, place))}${left > 0 ? paragraph(WORDS.runs.left(left)) : ''}${reviewSection(reviews?.counts ?? null, reviews?.awaited ?? [], latest === 0)}${noteSection(notes, 'comparison.json')}
  </div>`
}

function leadOf(comparison: Comparison, candidate: CandidateComparison | undefined): readonly Clause[] {
  if (candidate === undefined) return [{ text: WORDS.comparison.nothingCompared }]
  const isOnly = comparison.candidates.length === 1
  const changed = changeClauses(comparison, candidate).map((one) => (isOnly ? one : { text: one.text }))
  const coverage = coverageClause(candidate, comparison.options.alpha)
  return [...changed, ...(coverage === undefined ? [] : [coverage]), ...reviewClauses(candidate, isOnly)]
}

function reviewClauses({ reviews }: CandidateComparison, isOnly: boolean): readonly Clause[] {
  const awaited = reviews === null ? 0 : reviews.counts.changed + reviews.counts.new
  if (awaited === 0) return []
  return [{ text: WORDS.headline.review(awaited), ...(isOnly ? { list: 'review' as const } : {}) }]
}

function coverageClause({ grounding }: CandidateComparison, level: number): Clause | undefined {
  const { baseline, candidate, difference, p } = grounding
  if (baseline === null || candidate === null || difference === null) return undefined
  const words = WORDS.comparison
  if (difference.estimate === 0) return { text: words.same(wholePercent(candidate)) }
  const noise = describeNoise(difference, p, level, 'lower')
  const judged = noise.startsWith('yes')
    ? words.noise.real
    : noise.startsWith('no')
      ? words.noise.none
      : words.noise.unknown
  return {
    text: words.coverage(
      wholePercent(baseline),
      wholePercent(candidate),
      `${pointsInterval(difference)}; ${judged}`,
    ),
  }
}

function runTable({ runs }: Comparison): SafeHtml {
  const words = WORDS.runs
  const left = runs.length - MOST_RUNS
  const rows = runs.flatMap(({ label, target, organization, startedAt, turns, state }, place) =>
    place > 0 && place <= left
      ? []
      : [
          [
            sentence(label, 80),
            place === 0 ? words.baseline : words.candidate,
            sentence(`${target} (${organization})`, 120),
            formatMoment(startedAt),
            String(turns),
            state,
          ],
        ],
  )
  return html`${table({ caption: words.caption, rows: [words.header, ...rows], words: [1, 2, 3, 5] })}${
    left > 0 ? paragraph(WORDS.trend.left(left)) : ''
  }`
}
