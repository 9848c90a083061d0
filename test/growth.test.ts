// Protects against texts from elsewhere whose reading time grows faster than their length: answers, articles,
// tickets, error bodies.
import { expect, test } from 'vitest'
import { tokensOf } from '../src/analysis/grading/similarity.ts'
import { contradictionsOf } from '../src/articles/contradictions.ts'
import { htmlToText, parseHtml } from '../src/articles/html.ts'
import { ArticleIndex } from '../src/articles/index.ts'
import { LookUp } from '../src/articles/look-up.ts'
import { parseMarkdown } from '../src/articles/markdown.ts'
import { Passages } from '../src/articles/passages.ts'
import { likelySource, readAnswer } from '../src/articles/source.ts'
import { supportOf } from '../src/articles/support.ts'
import { createMask } from '../src/dataset/draft/mask.ts'
import { questionOf } from '../src/dataset/draft/question.ts'
import { createSecret, maskText } from '../src/domain/secret.ts'
import { interpretAnswer } from '../src/endpoint/result.ts'
import { markdownText, shorten, xmlAttribute } from '../src/report/escape.ts'
import { answer as answerOf } from '../src/sandbox/assistant.ts'
import { visibleText } from '../src/text/fold.ts'
import { topicTerms } from '../src/text/words.ts'
import { makeArticle } from './articles/make-article.ts'
import { cpuMs } from './support/cpu-time.ts'

const PARKING = makeArticle('parking', 'Parking', 'A space costs €4 a day. Ask within 14 days.')
const [passages, index] = [new Passages([PARKING]), new ArticleIndex([PARKING])]
const secret = createSecret('key-0123456789', 'ab')

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'an answer': (text) => {
    const answer = readAnswer(text)
    return supportOf(answer, text.slice(0, 1000), likelySource(answer, passages), passages)
  },
  'an article': (text) => {
    const article = makeArticle('a', 'A', text)
    const corpus = new Passages([article, PARKING])
    const source = { article, section: article.sections[0], share: 1 }
    contradictionsOf(corpus)
    return supportOf(readAnswer('It is 14 days, €4, a.example and 030 12345.'), '', source, corpus)
  },
  'a page': (text) => [parseHtml(text), new ArticleIndex([makeArticle('a', text.slice(0, 200), text)])],
  'a Markdown file': (text) =>
    [text, `# ${text}`, `## ${text}a`, `---\ntitle: a\n${text}`].map((file) => {
      try {
        return parseMarkdown(file, true)
      } catch {
        // Its front matter is invalid.
        return undefined
      }
    }),
  'a question': (text) => [new LookUp(index, text).nearest(), answerOf(index, text, []), topicTerms(text)],
  'the words of an answer': (text) => [tokensOf(text), visibleText(text)],
  'a ticket': (text) => {
    const masked = createMask([htmlToText(text)], (kind) => kind)(text)
    return questionOf([{ subject: masked, text: masked }])
  },
  'a body': (text) => {
    const body = JSON.stringify({ error: { message: text, details: text } })
    const shown = maskText(
      JSON.stringify([500, 200].map((status) => interpretAnswer(status, {}, body))),
      secret,
    )
    return [interpretAnswer(500, {}, text), markdownText(text), xmlAttribute(text), shorten(shown, 80)]
  },
}

const PIECES = [
  ...'1|0|9|a|A| |.|,|-|<|[|"|\'|(|+|/|*|_|`|&|#|:|\n|\\|ä|日|€|½|\0|\ud800'.split('|'),
  ...'a |A |1 |1.|1,|1-|1:|0.|+1|(0|A1|A1-|1h|111.|111 |a.|a@|a.com.|http://|www.a?'.split('|'),
  ...'<b>|<b a="|<!--|<ol><li>|</p>|<div>|<nav>|<td>|&a;|[1]|[x](|]|# |## \n|---\n|---\na:|<A "|{/*|{'.split(
    '|',
  ),
  ...'> |1\n|€1|1%|5 days. |1 to |two |not |ne |import a\n'.split('|'),
  ...'Hi A|Dear |Dr. |thanks |On 1234 |From: to |[name]|Hi A\n|On 2026 1:11 A wrote:\n|salary |ab.cd@e.fg '.split(
    '|',
  ),
]
/** Finding facts takes longest: shorter texts must do. */
const LENGTHS: Readonly<Record<string, number>> = { 'an answer': 8000, 'an article': 8000 }
/** What is read in less is not measured twice. */
const ENOUGH_MS = 60

test.each(Object.entries(READERS))('the time to read %s grows as its length', (name, read) => {
  const timeOf = (piece: string, length: number): number => {
    const text = `${piece.repeat(length / piece.length)}!`
    return cpuMs(ENOUGH_MS, () => void read(text))
  }
  const length = LENGTHS[name] ?? 32_000
  /** Linear is 4, quadratic 16. */
  const isSlow = (piece: string): boolean => {
    const grown = timeOf(piece, length)
    return grown > ENOUGH_MS && grown > 9 * timeOf(piece, length / 4)
  }
  // Twice: other tests take the machine's memory and caches.
  expect(PIECES.filter(isSlow).filter(isSlow)).toEqual([])
})
