// The first screen: whether the run is whole, the one sentence, the verdict, and the figures that lead further down.
import type { Comparison } from '../../../domain/comparison/comparison.ts'
import type { Summary } from '../../../domain/summary.ts'
import { duration } from '../../numbers.ts'
import { barWithInterval } from '../charts/bars.ts'
import { html, type SafeHtml } from '../html.ts'
import { runHeadline, type Clause } from './headline.ts'
import { listAddress, sentence } from './links.ts'
import { section } from './parts.ts'
import { percentRange, wholePercent } from './format.ts'
import { WORDS } from './words.ts'

interface OpeningParts {
  readonly failed: number
  readonly gaps: { readonly questions: number; readonly topics: number }
  readonly comparison: Comparison | undefined
}

export function opening(summary: Summary, { failed, gaps, comparison }: OpeningParts): SafeHtml {
  return html`${incompleteNotice(summary)}${section(
    { id: 'opening', title: WORDS.sections.opening },
    html`<p class="lead" dir="auto">${clauses(runHeadline(summary, failed, comparison))}</p>
      ${reasonLine(summary)}${coverageBar(summary)}
      <ul class="facts">
        ${factsOf(summary, gaps)}
      </ul>`,
  )}`
}

/** Why the verdict is as it is. */
export const reasonLine = ({ verdict, reason }: Pick<Summary, 'verdict' | 'reason'>): SafeHtml =>
  html`<p class="why-verdict">
    <span class="${verdict === 'passed' ? 'passed' : 'failed'}"
      >${verdict === 'passed' ? '✓' : '✗'} ${WORDS.verdicts[verdict]}:</span
    >
    ${sentence(reason, 1000)}.
  </p>`

export const clauses = (parts: readonly Clause[]): SafeHtml =>
  html`${parts.map(({ text, list }, place) => {
    const words = place === 0 ? capitalised(sentence(text)) : sentence(text)
    return html`${place === 0 ? '' : '; '}${list === undefined ? words : html`<a href="${listAddress(list)}">${words}</a>`}`
  })}.`

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function incompleteNotice({ state, verdict, turns }: Summary): SafeHtml {
  if (state === 'complete' && verdict !== 'incomplete') return html``
  const words = WORDS.incomplete[state === 'interrupted' ? state : 'incomplete']
  return html`<p class="notice" role="note">
    <strong>${words}</strong> ${WORDS.notAsked(turns.notAsked, turns.total)}
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

function factsOf(summary: Summary, gaps: OpeningParts['gaps']): readonly SafeHtml[] {
  const { coverage, expectations, errors, latencyMs, quota, turns } = summary
  const { facts } = WORDS
  const silent = errors.errors + turns.skipped
  const judged = expectations.passed + expectations.failed
  return [
    ...(coverage.rate === null ? [] : [fact(wholePercent(coverage.rate), facts.coverage, 'coverage')]),
    ...(judged === 0 ? [] : [fact(WORDS.of(expectations.passed, judged), facts.passed, 'failed')]),
    ...(turns.answered === 0
      ? []
      : [
          fact(
            gaps.questions === 0 ? facts.none : String(gaps.questions),
            facts.gaps(gaps.questions, gaps.topics),
            'gaps',
          ),
        ]),
    fact(silent === 0 ? facts.none : String(silent), facts.errors, 'errors'),
    ...(latencyMs.p50 === null ? [] : [fact(duration(latencyMs.p50), facts.latency, 'latency')]),
    fact(WORDS.between(quota.min, quota.max), facts.quota(quota.max), 'operations'),
  ]
}

const fact = (figure: string, words: string, part: string): SafeHtml =>
  html`<li>
    <a href="#overview-${part}"><strong>${figure}</strong> <span>${words}</span></a>
  </li>`
