// The first screen: whether the run is whole, the one sentence, the verdict, and the figures that lead further down.
import type { QuestionCounts, Summary } from '../../../domain/summary.ts'
import type { Comparison } from '../../../domain/comparison/comparison.ts'
import { digits } from '../../../domain/text.ts'
import { duration } from '../../numbers.ts'
import { shareSpan } from '../../quota-words.ts'
import { barWithInterval } from '../charts/bars.ts'
import { html, type SafeHtml } from '../html.ts'
import { isKeyRefused } from './key-refused.ts'
import { runHeadline, type Clause } from './headline.ts'
import { sentence } from './links.ts'
import { section } from './parts.ts'
import { percentRange, wholePercent, withUnits } from './format.ts'
import { WORDS } from './words.ts'

interface OpeningParts {
  readonly counts: QuestionCounts
  readonly topics: number
  readonly comparison: Comparison | undefined
}

export function opening(summary: Summary, { counts, topics, comparison }: OpeningParts): SafeHtml {
  return html`${incompleteNotice(summary, counts)}${section(
    { id: 'opening', title: WORDS.sections.opening },
    html`<p class="lead" dir="auto">${clauses(runHeadline(summary, counts, comparison))}</p>
      ${reasonLine(summary)}${coverageBar(summary)}
      <ul class="facts">
        ${factsOf(summary, counts, topics)}
      </ul>`,
  )}`
}

/** Why the verdict is as it is. */
export const reasonLine = (
  { verdict, reason }: { readonly verdict: keyof typeof WORDS.verdicts; readonly reason: string },
  of?: string,
): SafeHtml =>
  html`<p class="why-verdict">
    ${of === undefined ? '' : `${of} `}
    <span class="${WORDS.verdictStyles[verdict]}"
      >${WORDS.verdictSigns[verdict]} ${WORDS.verdicts[verdict]}:</span
    >
    ${sentence(reason, 1000)}.
  </p>`

export const clauses = (parts: readonly Clause[]): SafeHtml =>
  html`${parts.map(({ text, to }, place) => {
    const words = place === 0 ? capitalised(sentence(text)) : sentence(text)
    return html`${place === 0 ? '' : '; '}${to === undefined ? words : html`<a href="${to}">${words}</a>`}`
  })}.`

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function incompleteNotice({ state, verdict }: Summary, counts: QuestionCounts): SafeHtml {
  if (state === 'complete' && verdict !== 'incomplete') return html``
  const words = WORDS.incomplete[state === 'interrupted' ? state : 'incomplete']
  return html`<p class="notice" role="note">
    <strong>${words}</strong> ${WORDS.notAsked(counts.notAsked, counts.questions, counts.repeats > 1)}
  </p>`
}

function coverageBar({ coverage }: Summary): SafeHtml {
  const { rate, cluster, few } = coverage
  if (rate === null) return html``
  const [low, high] = [cluster?.low ?? coverage.low, cluster?.high ?? coverage.high]
  const words = WORDS.chances(wholePercent(rate), percentRange(low, high))
  return html`<figure class="coverage-bar">
    ${barWithInterval({ share: rate, low, high, few })}
    <figcaption>${words}.</figcaption>
  </figure>`
}

function factsOf(summary: Summary, counts: QuestionCounts, topics: number): readonly SafeHtml[] {
  const { coverage, latencyMs, quota, run, turns } = summary
  const { judged, failed, gaps, errors, repeats } = counts
  const { facts } = WORDS
  const share = run.quota === null ? undefined : withUnits(shareSpan(quota, run.quota))
  return [
    ...(coverage.rate === null ? [] : [fact(wholePercent(coverage.rate), facts.coverage, 'coverage')]),
    ...(judged === 0
      ? []
      : [fact(WORDS.of(judged - failed, judged), facts.passed(judged, repeats > 1), 'failed')]),
    ...(turns.answered === 0
      ? []
      : [fact(gaps === 0 ? facts.none : digits(gaps), facts.gaps(counts, topics), 'gaps')]),
    fact(errors === 0 ? facts.none : digits(errors), facts.errors(counts, isKeyRefused(summary)), 'errors'),
    ...(latencyMs.p50 === null ? [] : [fact(duration(latencyMs.p50), facts.latency, 'latency')]),
    fact(WORDS.between(quota.min, quota.max), facts.quota(quota.max, share), 'operations'),
  ]
}

const fact = (figure: string, words: string, part: string): SafeHtml =>
  html`<li>
    <a href="#overview-${part}"><strong>${figure}</strong> <span>${words}</span></a>
  </li>`
