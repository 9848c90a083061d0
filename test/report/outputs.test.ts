// Protects whole reports of recorded runs: the screen, the Markdown of a pull request, the outline of the page. A changed word shows here.
import { readFileSync } from 'node:fs'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { compareRecorded, reportRecorded } from '../recorded/reports.ts'
import { temporaryFolder } from '../support/temporary.ts'

const scratch = temporaryFolder()

const RUNS = [
  'expectations',
  'two-thousand',
  'limited-with-headers',
  'repeats',
  'hostile',
  'articles',
  'load',
]

/** A line for each heading, tile, row, item and note. */
function outlineOf(html: string): string[] {
  const lines: string[] = []
  const text = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value
    if ('tagName' in node && ['svg', 'script', 'style'].includes(node.tagName)) return ''
    if ('attrs' in node && node.attrs.some(({ name }) => name === 'popover')) return ''
    const parts = 'childNodes' in node ? node.childNodes.map(text) : []
    return parts.join('tagName' in node && node.tagName === 'tr' ? ' | ' : '')
  }
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    const name = 'tagName' in node ? node.tagName : ''
    const attributes = 'attrs' in node ? node.attrs : []
    // Explanations are the same everywhere.
    if (attributes.some((attribute) => attribute.name === 'popover')) return
    const classes = attributes.find((one) => one.name === 'class')?.value ?? ''
    if (/^(h1|h2|h3|tr|title|li)$/.test(name) || /\b(note|chip|box-foot)\b/.test(classes)) {
      const line = text(node).replaceAll(/\s+/g, ' ').trim()
      const mark = name === 'li' ? '- ' : name.startsWith('h') ? `${'#'.repeat(Number(name[1]))} ` : ''
      if (line !== '') lines.push(mark + line)
      return
    }
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return lines
}

test.each([...RUNS, 'compared-kinds'])('the reports of %s', async (name) => {
  const { document, page } = await (RUNS.includes(name) ? reportRecorded : compareRecorded)(name, scratch)
  const screen = renderTerminal(document, { footer: ['report.html'] })
  expect(screen.length, screen.join('\n')).toBeLessThanOrEqual(30)
  for (const line of screen) expect(stringWidth(line), line).toBeLessThanOrEqual(80)
  const markdown = renderMarkdown(document)
  // The `details` elements and their summaries count; their folded content does not.
  const open = markdown.replaceAll(/(?<=<\/summary>\n)[^]*?(?=<\/details>)/g, '').split('\n')
  expect(open.length, open.join('\n')).toBeLessThanOrEqual(60)
  const outline = outlineOf(readFileSync(page, 'utf8'))
  const whole = [...screen, '', '-'.repeat(80), '', markdown, '-'.repeat(80), '', ...outline, ''].join('\n')
  await expect(whole).toMatchFileSnapshot(`outputs/${name}.txt`)
})
