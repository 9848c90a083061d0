// Text from the endpoint harms no terminal, log, summary or spreadsheet.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defuse } from '../../src/domain/text.ts'
import { plainMarkdown, shorten, shortenPath, visible } from '../../src/report/visible.ts'
import { anySign } from '../support/any-sign.ts'

describe('on a terminal or in a log', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', String.raw`\u{1b}[31mred\u{1b}[0m`],
    ['\u009b2J', String.raw`\u{9b}2J`],
    ['title\u0007', String.raw`title\u{7}`],
    ['one\r\ntwo\nthree\rfour', 'one ⏎ two ⏎ three ⏎ four'],
    ['\u202Eexe.txt', String.raw`\u{202e}exe.txt`],
    ['::error file=a::b', ': :error file=a::b'],
    ['##[group]x', '# #[group]x'],
    ['\ud800', '\ufffd'],
    ['Grüße, 日本語, 👨‍👩‍👧', 'Grüße, 日本語, 👨‍👩‍👧'],
  ])('%j is shown as %s', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  test('any text becomes one line without controls', () => {
    fc.assert(
      fc.property(fc.string({ unit: anySign }), (text) => {
        expect(visible(text)).not.toMatch(
          // oxlint-disable-next-line no-control-regex
          /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|^\s*::|##\[/,
        )
      }),
    )
  })

  test('long text is cut between signs', () => {
    expect(shorten('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 3)).toBe('👨‍👩‍👧👨‍👩‍👧…')
    expect(shorten('abc', 3)).toBe('abc')
  })

  test('a long path is cut at its beginning, as its end tells it from others', () => {
    expect(shortenPath('/home/them/👨‍👩‍👧👨‍👩‍👧.csv', 6)).toBe('…👨‍👩‍👧.csv')
    expect(shortenPath('👨‍👩‍👧👨‍👩‍👧.csv', 6)).toBe('👨‍👩‍👧👨‍👩‍👧.csv')
    expect(shortenPath('a.csv', 5)).toBe('a.csv')
  })
})

describe('in Markdown', () => {
  test.each([
    ['<img src=x onerror=alert(1)>', /^&lt;img src=x onerror=alert\(1\)&gt;$/],
    ['| a | b |', /^\\\| a \\\| b \\\|$/],
    ['[text](javascript:alert(1))', /^\\\[text\\\]\(javascript:alert/],
    ['@team', /^&#64;&#8203;team$/],
    ['see #12, acme/desk#7 and GH-3', /^see #&#8203;12, acme\/desk#&#8203;7 and GH-&#8203;3$/],
    ['@1 & #1', /^&#64;&#8203;1 &amp; #&#8203;1$/],
    ['from $5 to $6', /^from \\\$5 to \\\$6$/],
    ['https://evil.example.com', /^https&#8203;:/],
    ['# title', /^\\# title$/],
    ['  - item', /^\\- item$/],
    ['1. item', /^1\\. item$/],
    ['12) item', /^12\\\) item$/],
    ['     code', /^code$/],
  ])('%s is plain', (text, expected) => {
    expect(plainMarkdown(text)).toMatch(expected)
  })
})

describe('in a spreadsheet', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', "'=1+1", "''@x"])(
    '%j is defused, and can be undone',
    (cell) => {
      const defused = defuse(cell)
      expect(defused).toBe(`'${cell}`)
      expect(/^'+[=+\-@\t\r]/.test(defused)).toBe(true)
    },
  )

  test.each(['', 'plain', "'quoted'", 'a=b', '1-2'])('%j stays as it is', (cell) => {
    expect(defuse(cell)).toBe(cell)
  })
})
