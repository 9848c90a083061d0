// The overview of one candidate of a comparison: what was lost and gained in one sentence, the way to the others, the trend.
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../../../domain/comparison/comparison.ts'
import { digits } from '../../../domain/text.ts'
import { comparisonPage } from '../../comparison-csv.ts'
import { trendRows } from '../../comparison-tables.ts'
import { shorten } from '../../visible.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { candidateSections, rowSection } from './candidate.ts'
import { changeClauses, type Clause } from './headline.ts'
import { listAddress, sentence } from './links.ts'
import { clauses, reasonLine } from './opening.ts'
import { section } from './parts.ts'
import { reviewSection } from './reviews.ts'
import { noteSection } from './verdict.ts'
import { formatMoment } from './format.ts'
import { WORDS } from './words.ts'

/** `place`: of the page's candidate among the candidates. Headings of level 2 to 4; ids in it begin with `overview-`. */
export function renderComparisonOverview(
  comparison: Comparison,
  details: ComparisonDetails,
  place: number = comparison.candidates.length - 1,
): SafeHtml {
  const { candidates, runs, notes } = comparison
  const candidate = candidates[place]
  if (candidate === undefined) throw new Error('a comparison without a candidate')
  const isOne = candidates.length === 1
  const name = isOne ? html`` : html`<bdi>${shorten(runs[candidate.run]?.label ?? '', 80)}</bdi>: `
  return html`<div class="overview">
    ${section(
      { id: 'opening', title: WORDS.sections.opening },
      html`<p class="lead" dir="auto">${name}${clauses(leadOf(comparison, candidate))}</p>
        ${isOne ? '' : reasonLine(verdictOf(candidate))}${reasonLine(comparison, isOne ? undefined : `All ${digits(runs.length)} runs together:`)}${runTable(comparison)}`,
    )}${otherRuns(comparison, place)}${rowSection('trend', WORDS.sections.trend, trendRows(comparison))}${candidateSections(comparison, details, place)}${reviewSection(candidate.reviews?.counts ?? null, candidate.reviews?.awaited ?? [])}${noteSection(
      notes.map(({ text }) => text),
      'comparison.json',
    )}
  </div>`
}

/** With several candidates each has a verdict of its own. */
function verdictOf({ gates }: CandidateComparison): Parameters<typeof reasonLine>[0] {
  const failed = gates.filter(({ passed }) => !passed).map(({ reason }) => reason.text)
  return failed.length > 0
    ? { verdict: 'failed', reason: failed.join('; ') }
    : { verdict: 'passed', reason: gates.length > 0 ? 'every gate passed' : 'nothing was gated' }
}

function leadOf(comparison: Comparison, candidate: CandidateComparison): readonly Clause[] {
  const counts = candidate.reviews?.counts
  const awaited = counts === undefined ? 0 : counts.changed + counts.new
  return [
    ...changeClauses(comparison, candidate),
    ...(awaited === 0 ? [] : [{ text: WORDS.headline.review(awaited), to: listAddress('review') }]),
  ]
}

/** What became of the others, each with the way to its page. Nothing where there is one candidate. */
function otherRuns(comparison: Comparison, place: number): SafeHtml {
  const { candidates, runs } = comparison
  const others = candidates.filter((_, other) => other !== place)
  if (others.length === 0) return html``
  const items = others.map((other) => {
    const page = comparisonPage(runs, other.run)
    const label = shorten(runs[other.run]?.label ?? '', 80)
    return html`<li>
      <a href="${encodeURIComponent(page.toWellFormed())}" dir="auto">${label}</a>:
      ${clauses(leadOf(comparison, other).map(({ text }) => ({ text })))}
    </li>`
  })
  return section(
    { id: 'others', title: WORDS.sections.others },
    html`<ul class="items">
      ${items}
    </ul>`,
  )
}

function runTable({ runs }: Comparison): SafeHtml {
  const rows = runs.map(({ label, target, organization, startedAt, turns, state }, place) => [
    sentence(label, 80),
    place === 0 ? 'baseline' : 'candidate',
    sentence(`${target} (${organization})`, 120),
    formatMoment(startedAt),
    digits(turns),
    state,
  ])
  const header = ['run', 'part', 'target', 'started', 'turns', 'state']
  return table({ caption: 'Runs, the baseline first', rows: [header, ...rows], words: [1, 2, 3, 5] })
}
