// What the answers were made from: the mix of `contextSource`, the ones that count as the knowledge base first.
import type { Summary } from '../../../domain/summary.ts'
import { sourceName } from '../../comparison-lists.ts'
import { shorten } from '../../visible.ts'
import { stackedShare, type Part } from '../charts/stacked.ts'
import { html, type SafeHtml } from '../html.ts'
import { contextLostLine, filterLink, sentence } from './links.ts'
import { paragraph, section } from './parts.ts'
import { wholePercent } from './format.ts'
import { WORDS } from './words.ts'

/** As many as a bar can show apart; the others are one part. */
const MOST_SOURCES = 6
const MOST_STATUSES = 8

/** `withoutContext`: answers that count in no share, by source; the summary's own counts hold them, too. */
export function sourceSection(
  { contextSource, status, run }: Summary,
  withoutContext: ReadonlyMap<string, number> = new Map(),
): SafeHtml {
  const words = WORDS.sources
  const part = { id: 'sources', title: WORDS.sections.sources }
  const isGrounded = (source: string): boolean => run.groundedSources.includes(source)
  const counted = Object.entries(contextSource)
    .map(([source, count]): [string, number] => [source, count - (withoutContext.get(source) ?? 0)])
    .filter(([, count]) => count > 0)
  const all = counted.sort(
    ([some, a], [other, b]) =>
      Number(isGrounded(other)) - Number(isGrounded(some)) || b - a || (some < other ? -1 : 1),
  )
  const whole = all.reduce((sum, [, count]) => sum + count, 0)
  const lost = [...withoutContext.values()].reduce((sum, count) => sum + count, 0)
  const lostLine = lost === 0 ? html`` : contextLostLine(words.withoutContext(lost))
  if (whole === 0)
    return section(part, html`${paragraph(lost === 0 ? words.none : words.noneCounts)}${lostLine}`)
  const share = (count: number): string => words.part(count, wholePercent(count / whole))
  const shown = all.slice(0, MOST_SOURCES)
  const rest = all.slice(MOST_SOURCES)
  const others = rest.reduce((sum, [, count]) => sum + count, 0)
  const parts: Part[] = [
    ...shown.map(([source, count]): Part => ({
      label: filterLink('source', source, shorten(sourceName(source), 60)),
      count,
      words: isGrounded(source) ? `${share(count)}, ${words.grounded}` : share(count),
      kind: isGrounded(source) ? 'kb' : 'other',
    })),
    ...(rest.length === 0
      ? []
      : [
          {
            label: html`${words.rest(rest.length)}`,
            count: others,
            words: share(others),
            kind: 'rest' as const,
          },
        ]),
  ]
  const spoken = shown
    .map(([source, count]) => `${sentence(sourceName(source), 60)} ${share(count)}`)
    .join(', ')
  return section(
    part,
    html`${stackedShare('overview-sources-bar', parts, `${words.label}: ${spoken}.`)}${lostLine}${
      Object.keys(status).length > 1 ? paragraph(sentence(words.statuses(mixOf(status)))) : ''
    }`,
  )
}

function mixOf(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts).sort(([, a], [, b]) => b - a)
  const left = all.length - MOST_STATUSES
  const shown = all
    .slice(0, MOST_STATUSES)
    .map(([name, count]) => `${shorten(sourceName(name), 40)} ${count}`)
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ')
}
