// Protects whole reports of recorded runs: the screen, the Markdown of a pull request, the outline of the page. A changed word shows here.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { compare } from '../../src/library/compare.ts'
import { report } from '../../src/library/report.ts'
import type { Document } from '../../src/report/document.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { temporaryFolder } from '../support/temporary.ts'

const scratch = temporaryFolder()

/** Copies a recorded case, because reports are written into it. */
function copyOf(name: string): string {
  const path = join(scratch, name)
  mkdirSync(path, { recursive: true })
  cpSync(join(recordedFolder, name), path, { recursive: true })
  if (name === 'two-thousand') {
    const journal = join(path, 'run', 'journal.ndjson')
    writeFileSync(journal, gunzipSync(readFileSync(`${journal}.gz`)))
  }
  return path
}

async function reportOf(name: string): Promise<readonly [Document, string]> {
  const run = join(copyOf(name), 'run')
  const { shown } = await report({ run })
  return [shown.document, join(run, 'report.html')]
}

async function comparisonOf(name: string): Promise<readonly [Document, string]> {
  const folder = copyOf(name)
  const [baseline, candidate, out] = ['baseline', 'candidate', 'out'].map((part) => join(folder, part)) as [
    string,
    string,
    string,
  ]
  const { documents } = await compare({ baseline, candidates: [candidate], out })
  const [document] = documents
  if (document === undefined) throw new Error('a comparison without a document')
  return [document, join(out, 'report.html')]
}

const CASES: readonly (readonly [
  name: string,
  of: (name: string) => Promise<readonly [Document, string]>,
])[] = [
  ['expectations', reportOf],
  ['two-thousand', reportOf],
  ['limited-with-headers', reportOf],
  ['repeats', reportOf],
  ['hostile', reportOf],
  ['load', reportOf],
  ['compared-kinds', comparisonOf],
]

/** A line for each heading, tile, row, item and note. */
function outlineOf(html: string): string[] {
  const lines: string[] = []
  const text = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value
    if ('tagName' in node && ['svg', 'script', 'style'].includes(node.tagName)) return ''
    const parts = 'childNodes' in node ? node.childNodes.map(text) : []
    return parts.join('tagName' in node && node.tagName === 'tr' ? ' | ' : '')
  }
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    const name = 'tagName' in node ? node.tagName : ''
    const attributes = 'attrs' in node ? node.attrs : []
    const classes = attributes.find((one) => one.name === 'class')?.value ?? ''
    const isLine = /^(h1|h2|h3|tr|title)$/.test(name) || /\b(tile|note|badge|reason)\b/.test(classes)
    if (isLine || (name === 'li' && !/<details/.test(classes))) {
      const line = text(node).replaceAll(/\s+/g, ' ').trim()
      if (line !== '')
        lines.push(
          `${name === 'li' ? '- ' : name.startsWith('h') ? `${'#'.repeat(Number(name[1]))} ` : ''}${line}`,
        )
      return
    }
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return lines
}

describe('the reports of', () => {
  test.each(CASES)('%s', async (name, of) => {
    const [document, page] = await of(name)
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
})
