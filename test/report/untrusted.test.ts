// Protects every medium against untrusted text, and a shell against paths: whatever they hold, they are only shown.
// junit.test.ts covers XML.
import { execFileSync } from 'node:child_process'
import { normalize } from 'node:path'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, test } from 'vitest'
import type { Block, Document } from '../../src/report/document.ts'
import { logJson, shellWord } from '../../src/report/escape.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { hostileText } from '../support/hostile.ts'
import { pageText, pageTurn } from '../support/report-page.ts'
import { documentOf } from './documents.ts'

/** A document with the text in every place for untrusted text. */
function documentWith(text: string): Document {
  const untrusted = { untrusted: text }
  const blocks: Block[] = [
    { kind: 'figures', figures: [{ label: 'Grounded', value: '1', note: untrusted, link: { find: text } }] },
    { kind: 'note', tone: 'warn', text: untrusted },
    { kind: 'table', title: untrusted, columns: [untrusted, 'b'], rows: [{ cells: [untrusted, untrusted] }] },
    {
      kind: 'list',
      title: untrusted,
      isMinor: true,
      items: [{ text: { text: untrusted, link: { question: text } }, details: [untrusted] }],
    },
    {
      kind: 'chart',
      title: untrusted,
      chart: { kind: 'columns', axis: 'elapsed', from: 0, binMs: 1, series: [] },
    },
  ]
  const verdict = { tone: 'bad', word: 'Failed', reason: untrusted } as const
  return documentOf(blocks, { title: [untrusted, ' · ', untrusted], verdict })
}

const runs = { numRuns: 100 }

test('the terminal gets no control character and no workflow command', () => {
  fc.assert(
    fc.property(hostileText(80), (text) => {
      for (const line of renderTerminal(documentWith(text))) {
        // oxlint-disable-next-line no-control-regex
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        expect(line).not.toMatch(/^\s*::|##[a-z]*\[/i)
      }
    }),
    runs,
  )
})

test('JSON in a log keeps its value, and holds no command', () => {
  fc.assert(
    fc.property(hostileText(40), hostileText(40), (key, text) => {
      const json = logJson(JSON.stringify({ [key]: [text] }))
      expect(JSON.parse(json)).toEqual({ [key]: [text] })
      expect(json).not.toMatch(/##[a-z]*\[/i)
    }),
    runs,
  )
})

test('Markdown gets no markup, HTML, mention or link', () => {
  const ours = renderMarkdown(documentWith('x'))
  const tagsOf = (markdown: string): string[] => markdown.match(/<[a-z/!][^>]*>?/gi) ?? []
  fc.assert(
    fc.property(hostileText(80), (text) => {
      const markdown = renderMarkdown(documentWith(text))
      expect(tagsOf(markdown)).toEqual(tagsOf(ours))
      expect(markdown.split('\n').length).toBe(ours.split('\n').length)
      expect(markdown).not.toMatch(/(?<!&#64;)@(?=\w)|https?:\/\/|(?<!\\)\]\(/)
    }),
    runs,
  )
})

test('the page gets no element and no attribute', () => {
  const shapeOf = (html: string): string[] => {
    const names: string[] = []
    const visit = (node: DefaultTreeAdapterTypes.Node): void => {
      if ('tagName' in node) names.push(`${node.tagName} ${node.attrs.map(({ name }) => name).join(' ')}`)
      if ('childNodes' in node) node.childNodes.forEach(visit)
    }
    visit(parse(html))
    return names
  }
  const pageOf = (text: string): string =>
    pageText(documentWith(text), [pageTurn({ id: text, message: text, answer: text, tags: [text] })])
  const ours = shapeOf(pageOf('x'))
  fc.assert(
    fc.property(
      hostileText(60).filter((text) => text.trim() !== ''),
      (text) => {
        expect(shapeOf(pageOf(text))).toEqual(ours)
      },
    ),
    { numRuns: 20 },
  )
})

test.each(['plain/run-1', 'with space', "it's; $(touch x)", '-odd', '--json', '-odd one', '.', '/-root'])(
  '%s is quoted',
  (path) => {
    const seen = execFileSync('sh', ['-c', `printf %s ${shellWord(path)}`], { encoding: 'utf8' })
    expect(normalize(seen)).toBe(normalize(path))
    expect(seen).not.toMatch(/^-/)
  },
)
