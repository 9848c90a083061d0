// Text as a hostile endpoint may send it, for properties of the reports.
import fc from 'fast-check'
import { anyCodePoint } from './any-code-point.ts'

/**
 * Separated by blanks: characters with a meaning in XML, Markdown, HTML, a terminal or a CI log, and
 * characters that truncation can break.
 */
const SIGNS = [
  `< > & " ' ]]> <![CDATA[ <!-- &lt; \u0000 \ufffe \uffff \u{1ffff} </details> <script>`,
  '` ``` ~~~ | [a](b) ![x](y) * _ \\ $$ @team #12 a/b#3 GH-4 https://x.example www.x.example mailto:a@b.example',
  ':: ::stop-commands::x ##[group] ##vso[a] ##teamcity[b] %0A %25',
  '\u001b[31m \u009b \u0085 \u2028 \u200b \ud800 \udc00 \ufeff',
  '\u202a \u202b \u202c \u202d \u202e \u2066 \u2067 \u2068 \u2069 \u200f',
  'a 1 : , = . % é 😀',
].flatMap((signs) => signs.split(' '))
const WITH_SPACE = ['<img src=x onerror=y>', '# ', '- ', '1. ', '> ', '::error file=x::y']
const SPACE = ['\n', '\r', '\r\n', '\t', ' ']
const unit = fc.constantFrom(...SIGNS, ...WITH_SPACE, ...SPACE)

export const hostileText = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit, maxLength }) },
    { weight: 1, arbitrary: fc.string({ unit: anyCodePoint, maxLength }) },
  )
