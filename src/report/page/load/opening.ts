// The first screen of a load test: whether it is whole, the one sentence, the verdict, and the figures that lead further down.
import type { LoadReport } from '../../../domain/load.ts'
import { headlineSentence } from '../../load-words.ts'
import { digits } from '../../../domain/text.ts'
import { duration, perSecond } from '../../numbers.ts'
import { html, type SafeHtml } from '../html.ts'
import { wholePercent } from '../overview/format.ts'
import { sentence } from '../overview/links.ts'
import { reasonLine } from '../overview/opening.ts'
import { section } from '../overview/parts.ts'
import { LOAD_WORDS } from './words.ts'

export function loadOpening(report: LoadReport): SafeHtml {
  return html`${notices(report)}${section(
    { id: 'opening', title: LOAD_WORDS.sections.opening },
    html`<p class="lead" dir="auto">${sentence(headlineSentence(report), 1000)}</p>
      ${reasonLine(report)}
      <ul class="facts">
        ${factsOf(report)}
      </ul>`,
  )}`
}

function notices({ state, verdict }: LoadReport): SafeHtml {
  const isWhole = state === 'complete' && verdict !== 'incomplete'
  const words = LOAD_WORDS.incomplete[state === 'interrupted' ? state : 'incomplete']
  return isWhole
    ? html``
    : html`<p class="notice" role="note"><strong>${words}</strong> ${LOAD_WORDS.figuresSoFar}</p>`
}

function factsOf(report: LoadReport): readonly SafeHtml[] {
  const { facts } = LOAD_WORDS
  const { achieved, responseMs, dropped, pacing, errors, coverage } = report
  return [
    fact(perSecond(achieved.rate), facts.achieved, 'offered'),
    ...(responseMs.p95 === null ? [] : [fact(duration(responseMs.p95), facts.response, 'latency')]),
    fact(digits(dropped.threads), facts.dropped, 'offered'),
    fact(wholePercent(pacing.rate429), facts.refused, 'offered'),
    fact(digits(errors.errors), facts.failed, 'failures'),
    ...(coverage.rate === null ? [] : [fact(wholePercent(coverage.rate), facts.grounded, 'grounding')]),
  ]
}

const fact = (figure: string, words: string, part: string): SafeHtml =>
  html`<li>
    <a href="#overview-${part}"><strong>${figure}</strong> <span>${words}</span></a>
  </li>`
