// The overview of one candidate of a comparison: what was lost and gained in one sentence, the way to the others, the trend.
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../../../domain/comparison/comparison.ts'
import { describeNoise, pointsInterval } from '../../differences.ts'
import { comparisonPage } from '../../comparison-table-name.ts'
import { digits } from '../../../domain/text.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { candidateSections } from './candidate.ts'
import { changeClauses, type Clause } from './headline.ts'
import { listAddress, sentence } from './links.ts'
import { clauses, reasonLine } from './opening.ts'
import { foldedList, MOST_ITEMS, paragraph, section } from './parts.ts'
import { reviewSection } from './reviews.ts'
import { trendSection } from './trend.ts'
import { noteSection } from './verdict.ts'
import { formatMoment, wholePercent } from './format.ts'
import { WORDS } from './words.ts'

const MOST_RUNS = 30

/** `place`: of the page's candidate among the candidates. Headings of level 2 to 4; ids in it begin with `overview-`. */
export function renderComparisonOverview(
  comparison: Comparison,
  details: ComparisonDetails,
  place: number = comparison.candidates.length - 1,
): SafeHtml {
  const { candidates, notes } = comparison
  const candidate = candidates[place]
  const reviews = candidate?.reviews ?? null
  return html`<div class="overview">
    ${section(
      { id: 'opening', title: WORDS.sections.opening },
      html`<p class="lead" dir="auto">
          ${nameOf(comparison, candidate)}${clauses(leadOf(comparison, candidate))}
        </p>
        ${verdictLines(comparison, candidate)}${runTable(comparison)}`,
    )}${otherRuns(comparison, place)}${trendSection(comparison)}${candidateSections(comparison, details, place)}${reviewSection(reviews?.counts ?? null, reviews?.awaited ?? [])}${noteSection(notes, 'comparison.json')}
  </div>`
}

/** Of several candidates the one that the page is of; in brackets of our own, whatever its direction. */
function nameOf({ candidates, runs }: Comparison, candidate: CandidateComparison | undefined): SafeHtml {
  if (candidate === undefined || candidates.length === 1) return html``
  return html`<bdi>${shorten(runs[candidate.run]?.label ?? '', 80)}</bdi>: `
}

/** With several candidates first that of the page's own. */
function verdictLines(comparison: Comparison, candidate: CandidateComparison | undefined): SafeHtml {
  if (candidate === undefined || comparison.candidates.length === 1) return reasonLine(comparison)
  const failed = candidate.gates.filter(({ passed }) => !passed).map(({ reason }) => reason)
  const own =
    failed.length > 0
      ? { verdict: 'failed' as const, reason: failed.join('; ') }
      : {
          verdict: 'passed' as const,
          reason: candidate.gates.length > 0 ? WORDS.gates.all : WORDS.gates.none,
        }
  return html`${reasonLine(own)}${reasonLine(comparison, WORDS.runs.whole(comparison.runs.length))}`
}

function leadOf(comparison: Comparison, candidate: CandidateComparison | undefined): readonly Clause[] {
  if (candidate === undefined) return [{ text: WORDS.comparison.nothingCompared }]
  const coverage = coverageClause(candidate, comparison.options.alpha)
  return [
    ...changeClauses(comparison, candidate),
    ...(coverage === undefined ? [] : [coverage]),
    ...reviewClauses(candidate),
  ]
}

function reviewClauses({ reviews }: CandidateComparison): readonly Clause[] {
  const awaited = reviews === null ? 0 : reviews.counts.changed + reviews.counts.new
  return awaited === 0 ? [] : [{ text: WORDS.headline.review(awaited), to: listAddress('review') }]
}

/** What became of the others, each with the way to its page. Nothing where there is one candidate. */
function otherRuns(comparison: Comparison, place: number): SafeHtml {
  const { candidates, runs } = comparison
  const others = candidates.filter((_, other) => other !== place)
  if (others.length === 0) return html``
  const words = WORDS.runs
  const baseline = shorten(runs[0]?.label ?? '', 80)
  const items = others.map((other) => {
    const page = comparisonPage(runs, other.run)
    const title = words.other(shorten(runs[other.run]?.label ?? '', 80), baseline)
    const said = leadOf(comparison, other).map(({ text }) => ({ text }))
    return html`<a href="${encodeURIComponent(page.toWellFormed())}" dir="auto">${title}</a>
      <small>${words.file(sentence(page, 120))}</small>
      <ul class="under">
        <li>${clauses(said)}</li>
      </ul>`
  })
  return section(
    { id: 'others', title: WORDS.sections.others },
    html`${paragraph(words.others)}${foldedList({
      items: items.slice(0, MOST_ITEMS),
      count: items.length,
      shownAtOnce: 8,
      rest: { file: 'comparison.json' },
    })}`,
  )
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
            digits(turns),
            state,
          ],
        ],
  )
  return html`${table({ caption: words.caption, rows: [words.header, ...rows], words: [1, 2, 3, 5] })}${
    left > 0 ? paragraph(WORDS.trend.left(left)) : ''
  }`
}
