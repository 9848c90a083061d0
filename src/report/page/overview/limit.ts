// The organization's limit as the calls of a run show it: its rules, how full each was when calls came, and what else was tried.
import type { LimitFinding } from '../../../domain/limit.ts'
import type { Summary } from '../../../domain/summary.ts'
import {
  confidenceWords,
  describeFinding,
  describeLearned,
  explainedCells,
  findingWords,
  isExplained,
  modelWords,
  quotedLimit,
  reasonWords,
} from '../../limit-words.ts'
import { KIND_NAMES, speakRate, speakTime, VARIANT_NAMES } from '../../limit-rule-words.ts'
import { grouped, withSpan } from '../../uncertain.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { LIMIT_WORDS } from './limit-page-words.ts'
import { fillChart } from './limit-chart.ts'
import { paragraph, section } from './parts.ts'

type Pacing = Pick<Summary['pacing'], 'finding' | 'limit'>

/** Nothing where too few calls were refused to tell. */
export function limitSection(pacing: Pacing): SafeHtml {
  const { finding } = pacing
  if (finding === null) return html``
  const words = LIMIT_WORDS
  if (!isExplained(finding))
    return section(
      { id: 'limit', title: words.title, level: 3 },
      html`${paragraph(leadOf(pacing, finding))}${modelTable(finding)}${whyList(finding)}`,
    )
  const charts = finding.traces.map((trace, place) => {
    const tier = finding.tiers[place]
    return tier === undefined ? html`` : fillChart(`overview-limit-chart-${place + 1}`, trace, tier)
  })
  return section(
    { id: 'limit', title: words.title, level: 3 },
    html`${paragraph(leadOf(pacing, finding))}${tierTable(finding)}${charts}${modelTable(finding)}${whyList(finding)}`,
  )
}

/** Where the record does not settle it, what the run went by is said first, here as everywhere. */
function leadOf(pacing: Pacing, finding: LimitFinding): string {
  const own = isExplained(finding)
    ? `${findingWords(finding)} (${confidenceWords(finding)})`
    : describeFinding(finding)
  const quoted = quotedLimit(pacing)
  return quoted?.by === 'limiter'
    ? LIMIT_WORDS.unsettled(describeLearned(quoted.limit), own)
    : LIMIT_WORDS.settled(own)
}

function tierTable({ tiers }: LimitFinding): SafeHtml {
  if (tiers.length === 0) return html``
  const words = LIMIT_WORDS
  const rows = tiers.map(({ kind, perSecond, windowMs, burst, atOnce, variant, episodes }) => {
    const rate = perSecond === null ? undefined : speakRate(perSecond)
    const window = windowMs === null ? undefined : speakTime(windowMs)
    const size = burst ?? atOnce
    return [
      KIND_NAMES[kind],
      rate === undefined ? words.none : cell(rate, rate.unit),
      window === undefined ? words.none : cell(window, window.unit),
      size === null ? words.none : withSpan(size),
      variant === null ? words.none : VARIANT_NAMES[variant],
      grouped(episodes),
    ]
  })
  return table({ caption: words.tiers, rows: [words.tierHeader, ...rows], words: [4] })
}

const cell = ({ value, span }: { readonly value: string; readonly span: string }, unit: string): string =>
  `${value} ${unit}${span === '' ? '' : ` (${span})`}`

function modelTable({ evidence }: LimitFinding): SafeHtml {
  if (evidence.models.length === 0) return html``
  const rows = new Map<string, string[]>()
  for (const model of evidence.models) {
    const { refused, accepted } = explainedCells(model, evidence)
    const name = modelWords(model)
    // The same kind with other figures says nothing more.
    if (!rows.has(name)) rows.set(name, [name, refused, accepted, grouped(model.cost, 1)])
  }
  return table({ caption: LIMIT_WORDS.models, rows: [LIMIT_WORDS.modelHeader, ...rows.values()], words: [0] })
}

function whyList(finding: LimitFinding): SafeHtml {
  const { calls, refusals, episodes, spanMs } = finding.evidence
  const reasons = finding.reasons.map((reason) => reasonWords(reason, finding)).join('; ')
  return paragraph(LIMIT_WORDS.why(finding.confidence, reasons, { calls, refusals, episodes, spanMs }))
}
