// The gates of a comparison, each with its reason.
import type { CandidateComparison } from '../../../domain/comparison/comparison.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { sentence } from './links.ts'
import { verdictWord } from './verdict.ts'
import { WORDS } from './words.ts'

export function gateTable({ gates }: CandidateComparison): SafeHtml | undefined {
  if (gates.length === 0) return undefined
  const rows = gates.map(({ rule, passed, reason }) => [
    html`<code>${rule}</code>`,
    verdictWord(passed, passed ? WORDS.thresholds.passed : WORDS.thresholds.failed),
    sentence(reason, 1000),
  ])
  return table({ caption: WORDS.gates.caption, rows: [WORDS.gates.header, ...rows], words: [1, 2] })
}
