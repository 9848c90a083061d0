// Text as the worst of endpoints may send it, for the laws of the reports.
import fc from 'fast-check'
import { anySign } from './any-sign.ts'

/** What acts somewhere: in XML, Markdown, HTML, a terminal, the log of a CI server, or where a text is cut. */
const SIGNS = {
  xml: [
    '<',
    '>',
    '&',
    '"',
    "'",
    ']]>',
    '<![CDATA[',
    '<!--',
    '&lt;',
    '\u0000',
    '\ufffe',
    '\uffff',
    '\u{1ffff}',
  ],
  html: ['</details>', '<script>', '<img src=x onerror=y>'],
  markdown: ['`', '```', '~~~', '|', '# ', '- ', '1. ', '[a](b)', '![x](y)', '*', '_', '\\', '$$', '> '],
  references: ['@team', '#12', 'a/b#3', 'GH-4', 'https://x.example', 'www.x.example', 'mailto:a@b.example'],
  commands: [
    '::',
    '::error file=x::y',
    '::stop-commands::x',
    '##[group]',
    '##vso[a]',
    '##teamcity[b]',
    '%0A',
    '%25',
  ],
  controls: ['\u001b[31m', '\u009b', '\u0085', '\u2028', '\u200b', '\ud800', '\udc00', '\ufeff'],
  directions: [
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u200f',
  ],
  space: ['\n', '\r', '\r\n', '\t', ' '],
  plain: ['a', '1', ':', ',', '=', '.', '%', 'é', '😀'],
}

export const hostileText = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom(...Object.values(SIGNS).flat()), maxLength }) },
    { weight: 1, arbitrary: fc.string({ unit: anySign, maxLength }) },
  )
