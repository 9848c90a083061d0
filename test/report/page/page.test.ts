// The page as text: its policy names its own script and style, and nothing given to it becomes markup.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from '../../../src/report/page/html.ts'
import { renderPage } from '../../../src/report/page/page.ts'
import { pagePolicy } from '../../../src/report/page/policy.ts'
import { hostileText } from '../../support/hostile.ts'
import { makePageTurn } from '../../support/page-turns.ts'
import { bundlePage } from '../../support/report-page.ts'

const write = (title: string, script = 'run()'): string =>
  [
    ...renderPage({
      title,
      overview: html`<p>${title}</p>`,
      turns: [makePageTurn('q')],
      kind: 'run',
      names: { candidate: title },
      runs: ['run-11'],
      table: 'results.csv',
      assets: { script, style: 'p{color:red}' },
    }),
  ].join('')

test('the policy allows its own script and style by their hashes, and nothing else', () => {
  const policy = pagePolicy({ script: 'run()', style: 'p{color:red}' })
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64')
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash('run()')}'`,
    `style-src 'sha256-${hash('p{color:red}')}'`,
    "img-src 'none'",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
  expect(policy).not.toContain('unsafe')
})

test('a script that could end its element is refused', () => {
  expect(() => write('t', 'x = "</script>"')).toThrow('cannot stand in a page')
})

test('names of runs never become markup', () => {
  const marks = (text: string): number => text.split('<').length
  const plain = marks(write('plain'))
  fc.assert(
    fc.property(hostileText(20), (title) => {
      const text = write(title)
      expect(marks(text)).toBe(plain)
      expect(text.isWellFormed()).toBe(true)
    }),
  )
})

test('nothing in the file turns its direction, whatever the texts: not in titles, names or data either', () => {
  fc.assert(
    fc.property(hostileText(20), (title) => {
      expect(write(title)).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/)
    }),
  )
  expect(write('a\u202eb')).toContain('<title>a[U+202E]b</title>')
})

test('the page weighs little without its data', () => {
  const { script, style } = bundlePage()
  expect(Buffer.byteLength(script + style)).toBeLessThan(60_000)
})
