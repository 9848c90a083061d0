// Coverage by tag: where the knowledge base is thin, most gaps first, with how far each share can be trusted.
import type { Summary } from '../../../domain/summary.ts'
import { tagRows } from '../../account.ts'
import { barsWithIntervals, type BarRow } from '../charts/bars.ts'
import { dataBeside } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { filterLink } from './links.ts'
import { paragraph, section } from './parts.ts'
import { percentRange, wholePercent } from './format.ts'
import { WORDS } from './words.ts'
import { shorten } from '../../visible.ts'

const MOST_BARS = 25
const MOST_ROWS = 300
const LONGEST_TAG = 60

export function coverageSection(summary: Summary): SafeHtml {
  const words = WORDS.coverage
  const tags = Object.entries(summary.tags).sort(([a, some], [b, other]) => {
    const difference = gapsOf(other) - gapsOf(some) || other.turns.total - some.turns.total
    return difference === 0 ? (a < b ? -1 : 1) : difference
  })
  const part = { id: 'coverage', title: WORDS.sections.coverage }
  if (tags.length === 0) return section(part, paragraph(words.untagged))
  const shown = tags.slice(0, MOST_BARS)
  const hasFew = shown.some(([, { coverage }]) => coverage.rate !== null && coverage.few)
  const rows = tagRows(summary)
  const left = tags.length - MOST_ROWS
  return section(
    part,
    html`${barsWithIntervals(shown.map(barOf), words)}${hasFew ? paragraph(words.few) : ''}${
      tags.length > MOST_BARS ? paragraph(words.order(MOST_BARS, tags.length)) : ''
    }${dataBeside(words.tags, { caption: words.tags, rows: rows.slice(0, MOST_ROWS + 1), isCaptionHidden: true })}${
      left > 0 ? paragraph(WORDS.more(left, WORDS.inFile('summary.json'))) : ''
    }`,
  )
}

const gapsOf = ({ coverage }: Summary['tags'][string]): number => coverage.answered - coverage.grounded

function barOf([tag, { coverage }]: [string, Summary['tags'][string]]): BarRow {
  const { rate, low, high, cluster, few, grounded, answered } = coverage
  const [from, to] = [cluster?.low ?? low, cluster?.high ?? high]
  return {
    label: filterLink('tag', tag, shorten(tag, LONGEST_TAG)),
    share: rate,
    low: from,
    high: to,
    few,
    words: rate === null ? WORDS.coverage.noAnswers : `${wholePercent(rate)} (${percentRange(from, to)})`,
    count: rate === null ? '0' : WORDS.of(grounded, answered),
  }
}
