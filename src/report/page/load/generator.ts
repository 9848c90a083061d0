// Whether the machine that asked could have told: how late it was, and what kept it busy.
import type { LoadReport } from '../../../domain/load/load-report.ts'
import { digits } from '../../../domain/digits.ts'
import { duration } from '../../numbers.ts'
import { table } from '../charts/table.ts'
import { html, type SafeHtml } from '../html.ts'
import { sentence } from '../overview/links.ts'
import { paragraph, section } from '../overview/parts.ts'
import { LOAD_WORDS } from './words.ts'

export function generatorSection({ generator, achieved }: LoadReport): SafeHtml {
  const words = LOAD_WORDS.generator
  const { sendLagP99Ms, loopDelayP99Ms, loopDelayMaxMs, cpu, foreignCpu, cores, limited, reasons } = generator
  const both = (of: { readonly mean: number; readonly max: number } | null): string =>
    of === null ? words.unknown : `${of.mean.toFixed(2)}, ${of.max.toFixed(2)}`
  const values: Readonly<Record<keyof typeof words.rows, string>> = {
    lag: sendLagP99Ms === null ? words.unknown : duration(sendLagP99Ms),
    loop:
      loopDelayP99Ms === null ? words.unknown : `${duration(loopDelayP99Ms)}, ${duration(loopDelayMaxMs)}`,
    cpu: both(cpu),
    foreign: both(foreignCpu),
    cores: cores === null ? words.unknown : digits(cores),
  }
  const rows = Object.entries(words.rows).map(([key, [name, meaning]]) => [
    name,
    values[key as keyof typeof values],
    meaning,
  ])
  const said = limited
    ? html`${paragraph(words.limited)}
        <ul class="items">
          ${reasons.map((reason) => html`<li dir="auto">${sentence(reason)}</li>`)}
        </ul>
        ${paragraph(words.mend)}`
    : paragraph(achieved.calls === 0 ? words.unused : words.fine)
  return section(
    { id: 'generator', title: LOAD_WORDS.sections.generator },
    html`${said}${table({ caption: words.caption, rows: [words.header, ...rows], words: [2] })}`,
  )
}
